package wyoming

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

// Invalid events are skipped, and the next one is read.
func TestInvalidEventsAreSkipped(t *testing.T) {
	const describe = `{"type":"describe"}` + "\n"
	for name, garbage := range map[string]string{
		"no JSON":               "GET / HTTP/1.1\r\n",
		"an empty line":         "\n\r\n",
		"a list":                "[1,2]\n",
		"no type":               `{"data":{"a":1}}` + "\n",
		"data that is no data":  `{"type":"transcript","data_length":3}` + "\nabc",
		"a list as data":        `{"type":"transcript","data_length":2}` + "\n[]",
		"an unknown event":      `{"type":"run-pipeline","data":{"x":1}}` + "\n",
		"audio":                 `{"type":"audio-chunk","data_length":2,"payload_length":5}` + "\n{}\n\n\n\n\n",
		"a newer kind of field": `{"type":"describe","version":"9","colour":"red"}` + "\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t)
			c, r := g.dial("192.168.1.20")
			go func() { _, _ = io.WriteString(c, garbage+describe) }()
			if got := next(r); !strings.HasPrefix(got, "info ") {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}

func TestUnreadableEventsEndTheConnection(t *testing.T) {
	for name, text := range map[string]string{
		"an endless line":       strings.Repeat("x", mostHeader+1),
		"less than nothing":     `{"type":"transcript","data_length":-1}` + "\n",
		"more than any":         `{"type":"transcript","data_length":999999999999}` + "\n",
		"a payload of terabyte": `{"type":"audio-chunk","payload_length":1000000000000}` + "\n",
		"nothing but garbage":   strings.Repeat("x\n", mostGarbage),
		"half an event":         `{"type":"transcript","data_length":100}` + "\n{",
		"nothing at all":        "",
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t)
			c, r := g.dial("192.168.1.20")
			go func() { _, _ = io.WriteString(c, text) }()
			begun := time.Now()
			if got := next(r); got != "(hung up)" {
				t.Errorf("%s: %s", name, got)
			}
			if waited := time.Since(begun); waited > idleTime {
				t.Errorf("%s: it was waited for %s", name, waited)
			}
			if got := g.utter("192.168.1.20", "ping", "{}"); got != "pong {}" {
				t.Errorf("%s: and after that %s", name, got)
			}
		})
	}
}

// A client that sends one byte at a time holds one connection, and not for ever.
func TestSlowClientIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		c, _ := g.dial("192.168.1.20")
		begun := time.Now()
		for {
			if _, err := io.WriteString(c, "{"); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
		if waited := time.Since(begun); waited > idleTime+2*time.Second {
			t.Errorf("it was held for %s", waited)
		}
	})
}

func TestTooManyConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		for range mostOpen {
			g.dial("192.168.1.20")
		}
		if got := g.utter("192.168.1.20", "ping", "{}"); got != "(hung up)" {
			t.Errorf("one more: %s", got)
		}
		time.Sleep(idleTime + time.Second)
		if got := g.utter("192.168.1.20", "ping", "{}"); got != "pong {}" {
			t.Errorf("when they are gone: %s", got)
		}
	})
}

func TestRateAndLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(_ *rig, o *options) { o.Rate = 2 })
		long := fmt.Sprintf(`{"text":%q}`, strings.Repeat("a", mostQuery+1))
		if got := g.utter("192.168.1.20", "transcript", long); got != `not-handled {"text":"That is too long. Say it shorter."}` {
			t.Error(got)
		}
		var last string
		for range 3 {
			last = g.utter("192.168.1.20", "transcript", `{"text":"hello"}`)
		}
		if last != `not-handled {"text":"Too many questions at once. Wait a moment."}` {
			t.Error(last)
		}
	})
}

// If the owner configures this machine's own address, a yes from it counts.
func TestThisMachineCanBeTrusted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(_ *rig, o *options) {
			o.TrustedNetworks = append(o.TrustedNetworks, netip.MustParsePrefix("127.0.0.1/32"))
		})
		got := g.play("!from 127.0.0.1\nkitchen: off lamp\nkitchen: yes")
		if !strings.HasSuffix(got, "It is off now.\"}\n") {
			t.Error(got)
		}
	})
}

func TestRefusedAddressIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.play("!from 10.0.0.7\ndescribe\ndescribe\ndescribe")
		if got := strings.Count(g.Logs.String(), "wyoming.trusted_networks"); got != 1 || len(g.heard) != 0 {
			t.Errorf("%d times: %s", got, g.Logs)
		}
	})
}

func TestWhatTheAssistantGets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.play("kitchen: hello\nkitchen: hello again\nhall: hello")
		if len(g.heard) != 3 || g.heard[0].Agent != g.heard[1].Agent || g.heard[0].Agent == g.heard[2].Agent {
			t.Fatalf("%+v", g.heard)
		}
		if m := g.heard[0]; m.Via != via || !strings.Contains(m.Hint, `code "en"`) {
			t.Errorf("%+v", m)
		}
		g.Hub.Look(func(s *nod.State) {
			if talk := s.Agents[g.heard[0].Agent].Talk; talk.Language != "en" || talk.Context != 300 || !strings.Contains(talk.Hints, `"assist_satellite.kitchen"`) {
				t.Errorf("%+v", talk)
			}
		})
	})
}

func FuzzReadFrame(f *testing.F) {
	for _, seed := range []string{
		`{"type":"describe"}` + "\n", `{"type":"transcript","data_length":2}` + "\n{}", "\n", `{"type":"a","data":{"b":1},"payload_length":1}` + "\nx",
		`{"data_length":-1}` + "\n", `{"type":"t","data_length":4}` + "\nnull", `{"type":"t","data":null,"data_length":7}` + "\n" + `{"a":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bufio.NewReader(bytes.NewReader(in))
		for range 100 {
			got, err := readFrame(r)
			if errors.Is(err, errGarbage) {
				continue
			}
			if err != nil {
				return
			}
			// What was read can be written and read again.
			wire, err := encode(got.Type, got.Data)
			if err != nil {
				t.Fatal(err)
			}
			again, err := readFrame(bufio.NewReader(bytes.NewReader(wire)))
			if err != nil || again.Type != got.Type || len(again.Data) != len(got.Data) {
				t.Fatalf("%q became %q: %v", in, wire, err)
			}
			var spoken transcript
			_ = got.read(&spoken)
		}
	})
}
