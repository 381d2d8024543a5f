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
	}
	away := map[string]func(page) string{
		"agents-away":   func(p page) string { return agentList(p, alive(farAgents())) },
		"requests-away": func(p page) string { return requestList(p, farSnapshot().Requests, farAgents(), false) },
		"approval-away": func(p page) string { return strings.Join(requestDetails(p, farRequest(), "7f3a"), "\n") },
	}
	golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		p := page{layout: layout{Printer: lang, columns: columns, terminal: true, now: noon.Add(12 * time.Second)}}
		for name, draw := range screens {
			check(name, draw(p))
		}
		for name, draw := range away {
			check(name, draw(p.among(farSnapshot())))
		}
	})
}

func TestGoldenLists(t *testing.T) {
	var hosts []client.Host
	for i, h := range someHosts() {
		hosts = append(hosts, client.Host{Host: *h, Agents: i, Pending: i % 2})
	}
	golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		p := page{layout: layout{Printer: lang, columns: columns, terminal: true, now: noon.Add(12 * time.Second)}}
		check("hosts", hostList(p.among(farSnapshot()), hosts))
		check("status", twoColumns(statusRows(p, "/run/nod.sock", someHealth())))
	})
}

func TestGoldenWatch(t *testing.T) {
	golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		s := newRig(t, pushRequest(), askRequest(), planRequest())
		s.w.Printer, s.w.width = lang, columns
		check("watch", s.screen())
		s.press("A")
		check("watch-always", s.screen())
		s.press("esc", "j", "2", "enter", "1", "3")
		check("watch-question", s.screen())
	})
}

func TestGoldenWatchLeases(t *testing.T) {
	golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		s := newRig(t, leasedRequest())
		s.w.Printer, s.w.width = lang, columns
		s.hear(freshMsg{nod.Snapshot{Seq: 1, Agents: stoppingAgents(), Requests: []*nod.Request{leasedRequest()}, Leases: someLeases()}})
		r := automaticRequest(nod.ViaLease)
		d := r.Decision
		r.Status, r.Decision = nod.Pending, nil
		s.raise(r)
		s.event(nod.Event{Kind: nod.RequestDecided, RequestID: r.ID, Decision: d})
		check("watch-leases", s.screen())
		for key, name := range map[string]string{"L": "grant", "R": "revoke", "X": "stop", "?": "help"} {
			s.press(key)
			check("watch-"+name, s.screen())
			s.press("esc")
		}
	})
}

func TestGoldenWatchAway(t *testing.T) {
	golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		s := newRig(t)
		s.w.Printer, s.w.width = lang, columns
		s.hear(freshMsg{farSnapshot()})
		check("watch-away", s.screen())
	})
}

// golden draws screens in every language and two widths and compares them with
// the files in testdata.
func golden(t *testing.T, draw func(lang words.Printer, columns int, check func(name, got string))) {
	t.Helper()
	for tag, lang := range languages {
		for _, columns := range []int{60, 100} {
			draw(words.In(lang), columns, func(name, got string) {
				t.Helper()
				for l := range strings.SplitSeq(got, "\n") {
					if lipgloss.Width(l) > columns && name != "status" { // a hash is what it is
						t.Errorf("%s: %d cells: %q", name, lipgloss.Width(l), l)
					}
				}
				goldenFile(t, fmt.Sprintf("%s-%s-%d.txt", name, tag, columns), got)
			})
		}
	}
}

func goldenFile(t *testing.T, name, got string) {
	t.Helper()
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
		t.Errorf("%s has changed (go test -update rewrites it):\n%s\nwant\n%s", name, got, want)
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
