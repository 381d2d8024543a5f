package push

import (
	"errors"
	"net"
	"net/netip"
	"testing"
)

func TestOnlyTheInternetIsPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"142.250.186.42": true, "17.57.145.5": true, "2a00:1450:4016:80b::200a": true,
		"64:ff9b::8efa:ba2a": true, // NAT64 of a public address
		"127.0.0.1":          false, "127.8.9.1": false, "10.0.0.1": false, "172.16.3.4": false, "192.168.178.1": false,
		"169.254.169.254": false, "100.100.100.100": false, "0.0.0.0": false, "0.1.2.3": false,
		"224.0.0.1": false, "255.255.255.255": false, "250.1.1.1": false, "198.18.0.1": false, "192.0.0.8": false,
		"::1": false, "::": false, "::7f00:1": false, "fe80::1%eth0": false, "fc00::1": false, "fd7a:115c:a1e0::1": false,
		"ff02::1": false, "::ffff:127.0.0.1": false, "::ffff:192.168.1.1": false, "::ffff:17.57.145.5": true,
		"64:ff9b::c0a8:101": false, "64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "2002:c0a8:101::1": false, "2001:0:1::1": false,
	} {
		if got := public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: public %v, want %v", text, got, want)
		}
	}
}

func TestGuardLooksAtTheAddressThatIsDialled(t *testing.T) {
	for address, refused := range map[string]bool{
		"17.57.145.5:443": false, "[2a00:1450::1]:443": false,
		"127.0.0.1:443": true, "[fe80::1%lo]:443": true, "desk.local:443": true, "": true,
	} {
		if err := guard("tcp", address, nil); errors.Is(err, errPrivate) != refused {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A name is checked after it was resolved: localhost stands for any name with a
// private address.
func TestNothingOnThisMachineIsDialled(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost"} {
		if _, err := transport(false).DialContext(t.Context(), "tcp", net.JoinHostPort(host, port)); !errors.Is(err, errPrivate) {
			t.Errorf("%s: %v", host, err)
		}
		c, err := transport(true).DialContext(t.Context(), "tcp", net.JoinHostPort(host, port))
		if err != nil {
			t.Fatalf("%s is not reached at all: %v", host, err)
		}
		_ = c.Close()
	}
}
