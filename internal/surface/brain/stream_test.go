package brain

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/talk/scripted"
)

// listen asks for a stream and returns its pieces, its end, and the whole body.
func (g *rig) listen(body string) (pieces []string, done answer, all string) {
	g.Helper()
	w := g.send("/ask", g.token("speaker", auth.Paired), body, "Accept", "text/event-stream")
	if kind := w.Header().Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		g.Fatalf("%d %s: %s", w.Code, kind, w.Body)
	}
	all = w.Body.String()
	for block := range strings.SplitSeq(all, "\n\n") {
		event, data, _ := strings.Cut(block, "\ndata: ")
		switch event {
		case "event: piece":
			var p struct{ Text string }
			if err := json.Unmarshal([]byte(data), &p); err != nil {
				g.Fatal(err)
			}
			pieces = append(pieces, p.Text)
		case "event: done":
			if err := json.Unmarshal([]byte(data), &done); err != nil {
				g.Fatal(err)
			}
		}
	}
	return pieces, done, all
}

func TestSpeakerCanBeginWithTheFirstSentence(t *testing.T) {
	for name, c := range map[string]struct {
		script func(*scripted.Turn)
		pieces string
		text   string
	}{
		"sentences as they are written": {func(turn *scripted.Turn) {
			for _, p := range []string{"It is **21.", "5°C**. ", "Tomorrow ", "too. And"} {
				turn.Piece(p)
				synctest.Wait()
			}
			turn.Reply("It is **21.5°C**. Tomorrow too. And so on.")
		}, "It is 21.5 degrees.|Tomorrow too.|And so on.", "It is 21.5 degrees. Tomorrow too. And so on."},
		"nothing was drafted": {func(turn *scripted.Turn) { turn.Reply("One. Two.") }, "One.|Two.", "One. Two."},
		"no more than is good to hear": {func(turn *scripted.Turn) {
			turn.Piece("One. Two. Three. Four. Five. ")
			synctest.Wait()
			turn.Reply("One. Two. Three. Four. Five. Six.")
		}, "One.|Two.|Three.|More is in the chat.", "One. Two. Three. More is in the chat."},
		"words on the way do not take the place of the answer": {func(turn *scripted.Turn) {
			turn.Piece("Let me look. Hm. One moment. ")
			turn.Tool("Bash", "date")
			turn.Piece("It is noon.")
			synctest.Wait()
			turn.Reply("It is noon.")
		}, "Let me look.|Hm.|One moment.|It is noon.", "It is noon."},
		"code is counted, not spelt": {func(turn *scripted.Turn) {
			turn.Piece("Look:\n``")
			turn.Piece("`\nrm -rf /. \n")
			synctest.Wait()
			turn.Reply("Look:\n```\nrm -rf /. \n```\n")
		}, "Look.|Code, 1 line.", "Look. Code, 1 line."},
		"trouble is spoken too": {func(turn *scripted.Turn) {
			turn.Piece("It is")
			synctest.Wait()
			turn.Fail(nod.TroubleCrash, "it ended")
		}, "It is.|Claude stopped in the middle. Ask again.", "Claude stopped in the middle. Ask again."},
		"and so is a question": {func(turn *scripted.Turn) {
			turn.Piece("I will. ")
			synctest.Wait()
			turn.Ask(nod.Request{ID: "request-1", Tool: "Confirm", Title: "all off", OneTap: true})
		}, "I will.|All off? Say yes or no.", "All off? Say yes or no."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t, func(_ *rig, turn *scripted.Turn) { c.script(turn) })
				pieces, done, _ := g.listen(`{"query":"hello there, what is it?"}`)
				if got := strings.Join(pieces, "|"); got != c.pieces || done.Text != c.text || done.Session == "" || done.At == "" {
					t.Errorf("heard %q, then %+v", got, done)
				}
			})
		})
	}
}

func TestRestOfATurnIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(_ *rig, turn *scripted.Turn) {
			turn.Piece("I will. ")
			synctest.Wait()
			turn.Ask(nod.Request{ID: "request-1", Tool: "Confirm", Title: "all off", OneTap: true})
			turn.Piece("Done. ")
			synctest.Wait()
			turn.Reply("Done. Good night.")
		})
		_, asked, _ := g.listen(`{"query":"all off"}`)
		pieces, done, _ := g.listen(`{"query":"yes","session_id":"` + string(asked.Session) + `"}`)
		if got := strings.Join(pieces, "|"); got != "Done.|Good night." || !done.Executed {
			t.Errorf("heard %q, then %+v", got, done)
		}
	})
}

func TestWaitingStreamSendsHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		_, done, all := g.listen(`{"query":"slow"}`)
		if n := strings.Count(all, ": still here"); n < 3 || done.Error != "timeout" {
			t.Errorf("%d beats, then %+v", n, done)
		}
	})
}

func TestRefusedQuestionIsNoStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		w := g.send("/ask", g.token("speaker", auth.Paired), `{"query":""}`, "Accept", "text/event-stream")
		if a := g.read(w); w.Code != 400 || a.Text == "" {
			t.Errorf("%d %+v", w.Code, a)
		}
	})
}

func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant, func(o *Config) { o.Rate = 2 })
		token := g.token("speaker", auth.Paired)
		for range 2 {
			if w := g.send("/ask", token, `{"query":"hello"}`); w.Code != 200 {
				t.Fatal(w.Code, w.Body)
			}
		}
		time.Sleep(20 * time.Second)
		w := g.send("/ask", token, `{"query":"hello","language":"pl"}`)
		if a := g.read(w); w.Code != 429 || w.Header().Get("Retry-After") != "40" || a.Text != "Za dużo pytań naraz. Poczekaj chwilę." || !strings.HasPrefix(a.Error, "rate: ") {
			t.Errorf("%d %s %+v", w.Code, w.Header(), a)
		}
		if w := g.send("/ask", g.token("phone", auth.Paired), `{"query":"hello"}`); w.Code != 200 {
			t.Error("another client must wait too", w.Body)
		}
		time.Sleep(40 * time.Second)
		if w := g.send("/ask", token, `{"query":"hello"}`); w.Code != 200 {
			t.Error(w.Code, w.Body)
		}
	})
}
