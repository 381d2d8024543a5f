package mqttd

import (
	"os"
	"path/filepath"
	"testing"

	"nod"

	"github.com/prometheus/client_golang/prometheus"
)

func TestWhatCannotBeOpened(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]Config{
		"nod's MQTT broker is left out: mqtt.tls is set, but the hub has no certificate; see [tls]": {Embedded: true, TLS: true},
		"the MQTT broker is left out: the file with its password cannot be read":                    {URL: "mqtt://host", Username: "nod", PasswordFile: empty + ".missing"},
		"the MQTT broker is left out: mqtt.ca is no file with a certificate":                        {URL: "mqtts://host", CA: empty},
	} {
		if _, err := Open(c, Needs{}); nod.MessageOf(err) != want {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A bus that does not run is not healthy and names its address.
func TestHealth(t *testing.T) {
	for want, c := range map[string]Config{
		"nod's MQTT broker does not serve on 127.0.0.1:1; is another program there?":                {Embedded: true, Listen: "127.0.0.1:1"},
		"the MQTT broker host:1883 is not connected; does it run, and are name and password right?": {URL: "mqtt://host"},
	} {
		bus, err := Open(c, Needs{})
		if err != nil {
			t.Fatal(err)
		}
		if err := bus.(interface{ Health() error }).Health(); nod.MessageOf(err) != want {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestMetricsFollowTheConnection(t *testing.T) {
	s, r := newState(), prometheus.NewRegistry()
	r.MustRegister(s.metrics()...)
	for want, up := range []bool{false, true} {
		s.set(up)
		list, err := r.Gather()
		if err != nil || len(list) != 1 || list[0].GetName() != "nod_mqtt_connected" || list[0].GetMetric()[0].GetGauge().GetValue() != float64(want) {
			t.Errorf("up is %v: %v, %v", up, list, err)
		}
	}
}
