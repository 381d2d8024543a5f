package link

import (
	"strconv"
	"testing"

	"nod"
	"nod/internal/hub"
)

// How things stand on one host says nothing of the agents of another, nor of the hub's
// own, and counts only where it is news.
func TestStandingOfOneHost(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	for id, host := range map[nod.AgentID]string{"agent-laptop": "laptop", "agent-attic": "attic", "agent-here": ""} {
		d.agent(id, host)
		if _, err := d.Ask(t.Context(), nod.Request{ID: nod.RequestID("of-" + id), Agent: nod.AgentRef{ID: id}, Kind: nod.KindApproval, Title: "Run ls"}); err != nil {
			t.Fatal(err)
		}
	}
	d.say(nod.Message{ID: "message-1", Agent: "agent-attic", Text: "hello"})
	tell := func(body string, want int, heard string) {
		t.Helper()
		if status, text := d.ask("POST", "/v1/link/standing", "laptop", body); status != want || want == 200 && text != heard+"\n" {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	empty := `"orders":0,"events":[],"agents":[],"requests":[],"messages":[],"done":true`
	tell(`{"log":"abc","after":0,"upto":9,`+empty+`}`, 409, "") // it did not say hello
	if status, text := d.ask("POST", "/v1/link/hello", "laptop", `{"version":"1","log":"abc","pending":[]}`); status != 200 {
		t.Fatal(status, text)
	}
	tell(`{"log":"abc","after":3,"upto":9,`+empty+`}`, 200, `{"heard":0}`) // it believes wrong
	tell(`{"log":"other","after":0,"upto":9,`+empty+`}`, 409, "")
	d.State(func(s *nod.State) {
		if len(s.PendingOf("")) != 3 {
			t.Error("what was not taken in had an effect")
		}
	})
	stranger := `{"kind":"agent.changed","agent_id":"agent-attic","agent":{"id":"agent-attic","state":"ended"}},
		{"kind":"request.withdrawn","request_id":"of-agent-here","agent_id":"agent-here","withdrawal":{"reason":"ended"}},
		{"kind":"message.failed","agent_id":"agent-attic","message":{"id":"message-1","agent":"agent-attic"}}`
	tell(`{"log":"abc","after":0,"upto":9,"orders":0,"events":[`+stranger+`],"agents":["agent-laptop"],"requests":[],"messages":[],"done":false}`, 200, `{"heard":0}`)
	tell(`{"log":"abc","after":0,"upto":9,`+empty+`}`, 200, `{"heard":9}`)
	tell(`{"log":"abc","after":0,"upto":9,`+empty+`}`, 200, `{"heard":9}`) // sent twice
	d.State(func(s *nod.State) {
		if s.Requests["of-agent-laptop"].Status != nod.Withdrawn || s.Agents["agent-laptop"].Alive() {
			t.Errorf("of the laptop: %s, %s", s.Requests["of-agent-laptop"].Status, s.Agents["agent-laptop"].State)
		}
		for _, id := range []nod.AgentID{"agent-attic", "agent-here"} {
			if s.Requests["of-"+nod.RequestID(id)].Status != nod.Pending || s.Agents[id].State != nod.AgentWaiting {
				t.Errorf("%s: %s, %s", id, s.Requests["of-"+nod.RequestID(id)].Status, s.Agents[id].State)
			}
		}
		if s.Messages["message-1"].Status != nod.Queued {
			t.Errorf("words for the attic: %s", s.Messages["message-1"].Status)
		}
	})
}

// What people ordered and the host has not taken yet is on its way to it.
func TestOrdersUnderWayAreNotOver(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("agent-laptop", "laptop")
	d.ask("POST", "/v1/link/hello", "laptop", `{"version":"1","log":"abc","pending":[]}`)
	d.ask("POST", "/v1/link/offer", "laptop", `{"assistants":[{"name":"butler"}]}`)
	if err := d.Report(t.Context(), changed("laptop", func(h *nod.Host) { h.Up = true })); err != nil {
		t.Fatal(err)
	}
	d.say(nod.Message{ID: "message-1", Agent: "agent-laptop", Text: "taken, and forgotten"})
	taken, _ := d.hub.Head()
	d.say(nod.Message{ID: "message-2", Agent: "agent-laptop", Text: "on its way"})
	by := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Rights: nod.RightsOf(nod.View, nod.Answering)}
	if _, err := d.hub.Desk(by).Open(t.Context(), nod.Opening{ID: "talk-0001", Assistant: hub.AssistantAt("butler", "laptop")}); err != nil {
		t.Fatal(err)
	}
	status, text := d.ask("POST", "/v1/link/standing", "laptop", `{"log":"abc","after":0,"upto":9,"orders":`+seq(taken)+`,"events":[],"agents":["agent-laptop"],"requests":[],"messages":[],"done":true}`)
	if status != 200 {
		t.Fatal(status, text)
	}
	d.State(func(s *nod.State) {
		if one, two := s.Messages["message-1"], s.Messages["message-2"]; one.Status != nod.Failed || two.Status != nod.Queued {
			t.Errorf("%s, %s", one.Status, two.Status)
		}
		if !s.Agents["talk-0001"].Alive() || !s.Agents["agent-laptop"].Alive() {
			t.Error("what was just opened has ended")
		}
	})
}

func seq(s nod.Seq) string { return strconv.FormatUint(uint64(s), 10) }
