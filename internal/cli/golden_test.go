package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

var update = flag.Bool("update", false, "write the golden files anew")

var languages = map[string]words.Lang{"en": words.English, "pl": words.Polish, "ja": words.Japanese}

// The screens, as people see them. Look at the files in testdata when one
// changes: they are the documentation.
func TestGoldenScreens(t *testing.T) {
	screens := map[string]func(page) string{
		"requests": func(p page) string {
			return requestList(p, []*nod.Request{pushRequest(), testRequest(), askRequest(), planRequest()}, someAgents(), false)
		},
		"requests-all": func(p page) string {
			return requestList(p, []*nod.Request{testRequest(), settledRequest(nod.VerdictAllow), settledRequest(nod.VerdictDeny), withdrawnRequest()}, nil, true)
		},
		"quiet":    func(p page) string { return requestList(p, nil, someAgents(), false) },
		"approval": func(p page) string { return strings.Join(requestDetails(p, pushRequest(), "7f3a"), "\n") },
		"question": func(p page) string { return strings.Join(requestDetails(p, askRequest(), "9c1d"), "\n") },
		"plan":     func(p page) string { return strings.Join(requestDetails(p, planRequest(), "b17e"), "\n") },
		"settled": func(p page) string {
			return strings.Join(requestDetails(p, settledRequest(nod.VerdictAllow), "5e77"), "\n")
		},
		"evil":           func(p page) string { return strings.Join(requestDetails(p, evilRequest(evil), "e511"), "\n") },
		"agents":         func(p page) string { return agentList(p, someAgents()) },
		"approval-lease": func(p page) string { return strings.Join(requestDetails(p, leasedRequest(), "ca5e"), "\n") },
		"leases":         func(p page) string { return leaseList(p, someLeases(), namesOf(someAgents())) },
		"agents-talk":    func(p page) string { return agentList(p, talkingAgents()) },
		"agents-stop":    func(p page) string { return agentList(p, stoppingAgents()) },
		"requests-auto": func(p page) string {
			return requestList(p, []*nod.Request{automaticRequest(nod.ViaPolicy), automaticRequest(nod.ViaLease)}, someAgents(), true)
		},
		"settled-auto": func(p page) string {
			return strings.Join(requestDetails(p, automaticRequest(nod.ViaLease), "a070"), "\n")
		},
		"status": func(p page) string { return twoColumns(statusRows(p, "/run/nod.sock", someHealth())) },
	}
	for name, draw := range screens {
		for tag, lang := range languages {
			for _, columns := range []int{60, 100} {
				p := page{Printer: words.In(lang), columns: columns, terminal: true, now: noon.Add(12 * time.Second)}
				golden(t, fmt.Sprintf("%s-%s-%d.txt", name, tag, columns), draw(p), columns)
			}
		}
	}
}

func TestGoldenWatch(t *testing.T) {
	for tag, lang := range languages {
		for _, columns := range []int{60, 100} {
			s := newRig(t, pushRequest(), askRequest(), planRequest())
			s.w.Printer, s.w.width = words.In(lang), columns
			golden(t, fmt.Sprintf("watch-%s-%d.txt", tag, columns), s.screen(), columns)
			s.press("A")
			golden(t, fmt.Sprintf("watch-always-%s-%d.txt", tag, columns), s.screen(), columns)
			s.press("esc", "j", "2", "enter", "1", "3")
			golden(t, fmt.Sprintf("watch-question-%s-%d.txt", tag, columns), s.screen(), columns)
		}
	}
}

func TestGoldenWatchLeases(t *testing.T) {
	for tag, lang := range languages {
		for _, columns := range []int{60, 100} {
			s := newRig(t, leasedRequest())
			s.w.Printer, s.w.width = words.In(lang), columns
			s.hear(freshMsg{nod.Snapshot{Seq: 1, Agents: stoppingAgents(), Requests: []*nod.Request{leasedRequest()}, Leases: someLeases()}})
			r := automaticRequest(nod.ViaLease)
			d := r.Decision
			r.Status, r.Decision = nod.Pending, nil
			s.raise(r)
			s.event(nod.Event{Kind: nod.RequestDecided, RequestID: r.ID, Decision: d})
			golden(t, fmt.Sprintf("watch-leases-%s-%d.txt", tag, columns), s.screen(), columns)
			for key, name := range map[string]string{"L": "grant", "R": "revoke", "X": "stop", "?": "help"} {
				s.press(key)
				golden(t, fmt.Sprintf("watch-%s-%s-%d.txt", name, tag, columns), s.screen(), columns)
				s.press("esc")
			}
		}
	}
}

func golden(t *testing.T, name, got string, columns int) {
	t.Helper()
	for l := range strings.SplitSeq(got, "\n") {
		if lipgloss.Width(l) > columns && !strings.HasPrefix(name, "status") { // a hash is what it is
			t.Errorf("%s: %d cells: %q", name, lipgloss.Width(l), l)
		}
	}
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed (go test -update writes it anew):\n%s\nwant\n%s", name, got, want)
	}
}

func settledRequest(v nod.Verdict) *nod.Request {
	r := testRequest()
	r.ID = "5e771ed0"
	if v == nod.VerdictDeny {
		r.ID = "de21ed00"
	}
	r.Status = nod.Decided
	r.Decision = &nod.Decision{Answer: nod.Answer{Verdict: v}, By: "anna at desk", Via: "terminal", At: noon.Add(8 * time.Second)}
	add := func(step nod.Step, by, via, proof string, after int) {
		r.Receipts = append(r.Receipts, nod.Receipt{Step: step, By: by, Via: via, Proof: proof, At: noon.Add(time.Duration(after) * time.Second)})
	}
	add(nod.StepStored, "hub", "", "", 1)
	add(nod.StepShown, "kitchen phone", "webapp", "", 2)
	add(nod.StepDecided, "anna at desk", "terminal", "", 8)
	add(nod.StepDelivered, "hook", "", "", 8)
	add(nod.StepApplied, "hook", "", "PostToolUse", 9)
	return r
}

func withdrawnRequest() *nod.Request {
	r := testRequest()
	r.ID = "71d0abcd"
	r.Status = nod.Withdrawn
	r.Withdrawal = &nod.Withdrawal{Reason: nod.WithdrawnHandedBack, At: noon}
	return r
}

func someHealth() *client.Health {
	return &client.Health{
		Version: "0.1.0", Started: noon.Add(-26 * time.Hour), Now: noon, Head: 1234, Hash: strings.Repeat("ab", 32),
		Listen: "127.0.0.1:8742", Pending: 2, Agents: 3, Viewers: 1,
		You: &nod.Actor{Name: "anna at desk", Via: "terminal"}, Rights: nod.RightsOf(nod.View, nod.Answering),
	}
}
