package homeassistant

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"testing"
)

// Entry is a configured integration.
type Entry struct {
	ID     string `json:"entry_id"`
	Domain string `json:"domain"`
	Title  string `json:"title"`
	State  string `json:"state"`
}

type step struct {
	ID     string            `json:"flow_id"`
	Type   string            `json:"type"`
	Step   string            `json:"step_id"`
	Reason string            `json:"reason"`
	Errors map[string]string `json:"errors"`
	Result Entry             `json:"result"`
}

// AddIntegration walks through a config flow as a person does in the browser: one form after the other.
func (h *Instance) AddIntegration(t testing.TB, domain string, forms ...map[string]any) Entry {
	t.Helper()
	entry, err := h.TryAddIntegration(t, domain, forms...)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// TryAddIntegration is a config flow that may end otherwise.
func (h *Instance) TryAddIntegration(t testing.TB, domain string, forms ...map[string]any) (Entry, error) {
	t.Helper()
	var s step
	const path = "/api/config/config_entries/flow"
	if err := h.try(t.Context(), http.MethodPost, path, map[string]any{"handler": domain, "show_advanced_options": false}, &s); err != nil {
		return Entry{}, err
	}
	for _, form := range forms {
		if s.Type != "form" {
			break
		}
		if err := h.try(t.Context(), http.MethodPost, path+"/"+s.ID, form, &s); err != nil {
			return Entry{}, err
		}
	}
	if s.Type != "create_entry" {
		return Entry{}, fmt.Errorf("%s: the config flow ended with %+v", domain, s)
	}
	return s.Result, nil
}

// Entries are the configured integrations of a domain.
func (h *Instance) Entries(t testing.TB, domain string) (list []Entry) {
	t.Helper()
	h.do(t, http.MethodGet, "/api/config/config_entries/entry?domain="+domain, nil, &list)
	return list
}

// Discovered are config flows that Home Assistant offers by itself, such as what zeroconf found.
func (h *Instance) Discovered(t testing.TB, domain string) (flows []string) {
	t.Helper()
	var list []struct {
		ID      string `json:"flow_id"`
		Handler string `json:"handler"`
	}
	h.Command(t, map[string]any{"type": "config_entries/flow/progress"}, &list)
	for _, f := range list {
		if f.Handler == domain {
			flows = append(flows, f.ID)
		}
	}
	return flows
}

// Confirm finishes a discovered flow, as one click does.
func (h *Instance) Confirm(t testing.TB, flow string) Entry {
	t.Helper()
	var s step
	h.do(t, http.MethodPost, "/api/config/config_entries/flow/"+flow, map[string]any{}, &s)
	if s.Type != "create_entry" {
		t.Fatalf("the config flow ended with %+v", s)
	}
	return s.Result
}

// AddMQTT adds a broker by its config flow. Home Assistant tries the connection before it agrees.
func (h *Instance) AddMQTT(t testing.TB, broker, user, password string) Entry {
	t.Helper()
	host, port := split(t, broker)
	form := map[string]any{"broker": host, "port": port}
	if user != "" {
		form["username"], form["password"] = user, password
	}
	return h.AddIntegration(t, "mqtt", form)
}

// AddWyoming adds a Wyoming server by its config flow.
func (h *Instance) AddWyoming(t testing.TB, address string) Entry {
	t.Helper()
	host, port := split(t, address)
	return h.AddIntegration(t, "wyoming", map[string]any{"host": host, "port": port})
}

// Remove removes an integration with everything that belongs to it.
func (h *Instance) Remove(t testing.TB, e Entry) {
	t.Helper()
	h.do(t, http.MethodDelete, "/api/config/config_entries/entry/"+e.ID, nil, nil)
}

func split(t testing.TB, address string) (string, int) {
	t.Helper()
	host, number, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	return host, port
}
