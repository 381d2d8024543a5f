package hook

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// elsewhere runs a hook with a remote hub; take answers its first request and the later
// ones.
func elsewhere(t *testing.T, take func(w http.ResponseWriter, nth int)) (out string, h *fakeHub) {
	t.Helper()
	nth := 0
	h = newFakeHub(t, func(w http.ResponseWriter, _ *http.Request) {
		nth++
		take(w, nth)
	})
	remote := httptest.NewServer(h.server.Config.Handler)
	defer remote.Close()
	return h.run(permission, map[string]string{"NOD_URL": remote.URL, "NOD_TOKEN": "x"}), h
}

// Some load balancers end a broken response as if it were complete.
func TestConnectionEndedByALoadBalancer(t *testing.T) {
	out, h := elsewhere(t, func(w http.ResponseWriter, nth int) {
		heartbeat(w, "")
		if nth > 1 {
			heartbeat(w, decision)
		}
	})
	if out != decision+"\n" || len(h.asks) != 2 || h.asks[0] != h.asks[1] {
		t.Errorf("Claude Code reads %q after %q", out, h.asks)
	}
}

// The hub hands the request back to a hook that asks again, also a hub of the previous
// release, which ends the response at once.
func TestHubHandsTheRequestBack(t *testing.T) {
	for name, again := range map[string]func(w http.ResponseWriter){
		"no content":                  func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) },
		"an end, by an older release": func(w http.ResponseWriter) { heartbeat(w, "") },
	} {
		out, h := elsewhere(t, func(w http.ResponseWriter, nth int) {
			if nth == 1 {
				heartbeat(w, "")
				return
			}
			again(w)
		})
		if out != "" || len(h.asks) != 2 {
			t.Errorf("%s: Claude Code reads %q after %d asks", name, out, len(h.asks))
		}
	}
}

// A load balancer without a hub is asked again by a waiting hook, and not by one that
// has just started: its terminal decides.
func TestALoadBalancerWithoutAHub(t *testing.T) {
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout} {
		out, h := elsewhere(t, func(w http.ResponseWriter, nth int) {
			switch nth {
			case 1:
				heartbeat(w, "")
				panic(http.ErrAbortHandler)
			case 2, 3:
				http.Error(w, "no upstream", status)
			default:
				heartbeat(w, "")
				heartbeat(w, decision)
			}
		})
		if out != decision+"\n" || len(h.asks) != 4 {
			t.Errorf("%d: Claude Code reads %q after %d asks", status, out, len(h.asks))
		}
		if out, h = elsewhere(t, func(w http.ResponseWriter, _ int) { http.Error(w, "no upstream", status) }); out != "" || len(h.asks) != 1 {
			t.Errorf("%d at first: Claude Code reads %q after %d asks", status, out, len(h.asks))
		}
	}
}
