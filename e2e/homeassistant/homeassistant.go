// Package homeassistant runs a real Home Assistant for tests: in a small Debian of its own (scripts/homeassistant
// makes it), on loopback, with a config folder of its own and nothing of this machine's environment. It knows
// nothing of nod. Voice pucks are made up (fakepuck); pipelines, services, timers, MQTT and Wyoming are real.
package homeassistant

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Options describe an instance. The zero value is an empty Home Assistant.
type Options struct {
	// Files are written into the config folder, by path, when broker and pucks are there; then Home Assistant
	// restarts, so that it finds all of it and its log is clean. A configuration.yaml replaces the default one, which
	// loads packages/*.yaml, automations.yaml and scripts.yaml, and takes its address from http.yaml.
	Files map[string]string
	Pucks []Puck // added through a config flow, in this order
	MQTT  string // host:port of a broker that is added at the start
}

// Instance is one running Home Assistant, onboarded. Its methods may be used by parallel tests.
type Instance struct {
	URL   string // http://127.0.0.1:port
	Token string // long-lived, of the owner
	Dir   string // the config folder, as seen from outside

	root, inside string // the Debian, and the config folder as seen from inside it
	client       *http.Client
	run          *run    // a new one after Restart
	socket       *socket // likewise
	known        bool    // the token is a long-lived one
	stop         sync.Once
}

var houses atomic.Int64

// Start runs an instance until the test ends. Where Home Assistant is not installed the test is skipped, and fails
// with NOD_E2E_REQUIRE=1 unless what it takes could not be reached.
func Start(t testing.TB, o Options) *Instance {
	t.Helper()
	h := start(t, o)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("home-assistant.log:\n%s", h.Log())
		}
		h.Close()
	})
	return h
}

// Shared gives every test of a binary the same instance, started for the first one that asks. It ends with the
// binary, or with CloseAll.
func Shared(o Options) func(testing.TB) *Instance {
	var once sync.Once
	var house *Instance
	return func(t testing.TB) *Instance {
		t.Helper()
		need(t)
		once.Do(func() {
			house = start(t, o)
			shared.Lock()
			shared.houses = append(shared.houses, house)
			shared.Unlock()
		})
		if house == nil {
			t.Fatal("the shared Home Assistant did not start: see the first test that asked for it")
		}
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("warnings of Home Assistant:\n%s", strings.Join(house.Warnings(), "\n"))
			}
		})
		return house
	}
}

var shared struct {
	sync.Mutex
	houses []*Instance
}

// CloseAll ends the shared houses; TestMain may call it to leave no folder behind.
func CloseAll() {
	shared.Lock()
	defer shared.Unlock()
	for _, h := range shared.houses {
		h.Close()
	}
}

func start(t testing.TB, o Options) *Instance {
	t.Helper()
	home := need(t)
	sweep(filepath.Join(home, "root", "srv", "houses"))
	name := "/srv/houses/" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(houses.Add(1), 10)
	h := &Instance{root: filepath.Join(home, "root"), inside: name, client: &http.Client{}}
	h.Dir = filepath.Join(h.root, name)
	h.furnish(t)
	h.launch(t)
	ok := false
	defer func() {
		if !ok { // a Fatal below: a shared instance has no test that would clean up
			t.Logf("home-assistant.log:\n%s", h.Log())
			h.Close()
		}
	}()
	h.onboard(t)
	h.connect(t)
	if o.MQTT != "" {
		h.AddMQTT(t, o.MQTT, "", "")
	}
	for _, p := range o.Pucks {
		h.AddPuck(t, p)
	}
	if len(o.Files) > 0 {
		for path, text := range o.Files {
			h.WriteFile(t, path, text)
		}
		h.Restart(t)
	}
	ok = true
	return h
}

// furnish writes the config folder of an empty instance.
func (h *Instance) furnish(t testing.TB) {
	t.Helper()
	port := freePort(t)
	h.URL = "http://127.0.0.1:" + strconv.Itoa(port)
	files := map[string]string{
		"configuration.yaml":  configuration,
		"http.yaml":           "server_host: 127.0.0.1\nserver_port: " + strconv.Itoa(port) + "\n",
		"automations.yaml":    "[]\n",
		"scripts.yaml":        "{}\n",
		"secrets.yaml":        "",
		".storage/onboarding": onboarding,
	}
	maps.Copy(files, puckFiles(t))
	for path, text := range files {
		h.WriteFile(t, path, text)
	}
	if err := os.MkdirAll(filepath.Join(h.Dir, "packages"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// WriteFile puts a file into the config folder; a reload service makes Home Assistant read it.
func (h *Instance) WriteFile(t testing.TB, path, text string) {
	t.Helper()
	path = filepath.Join(h.Dir, filepath.FromSlash(path))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// configuration names what default_config would, without what looks for the outside world or keeps a database.
const configuration = `homeassistant:
  name: Test house
  unit_system: metric
  time_zone: UTC
  country: PL
  language: en
  packages: !include_dir_named packages
http: !include http.yaml
automation: !include automations.yaml
script: !include scripts.yaml
api:
assist_pipeline:
config:
conversation:
frontend:
intent_script:
logger:
  default: warning
media_source:
websocket_api:
`

// onboarding leaves one step: the owner. The step "core config" would add integrations that fetch weather and radio.
const onboarding = `{"version": 4, "minor_version": 1, "key": "onboarding", "data": {"done": ["core_config", "analytics", "integration"]}}`
