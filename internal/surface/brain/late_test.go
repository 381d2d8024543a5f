package brain

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/net/auth"
)

// asking sends a question as Home Assistant's rest_command does: it waits for the
// answer, and meanwhile the person can speak again.
func (g *rig) asking(body string) <-chan answer {
	got := make(chan answer, 1)
	token := g.token("speaker", auth.Paired)
	g.Run(func(context.Context) { got <- g.read(g.send("/ask", token, body)) })
	synctest.Wait()
	return got
}

func TestStopByVoice(t *testing.T) {
	for name, tt := range map[string]struct{ path, body, text string }{
		"stop":     {"/ask", `{"query":"Stop!","room":"hall"}`, "Stopped."},
		"cancel":   {"/ask", `{"query":"cancel","room":"hall","language":"en"}`, "Stopped."},
		"polish":   {"/ask", `{"query":"Przerwij.","room":"hall","language":"pl"}`, "Przerwano."},
		"japanese": {"/ask", `{"query":"止めて。","room":"hall","language":"ja"}`, "止めました。"},
		"by name":  {"/cancel", `{"room":"hall"}`, "Stopped."},
		"confirm":  {"/ask", `{"query":"stop","room":"hall","confirm_action":true}`, "Stopped."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t, assistant, func(c *Config) { c.Rate, c.Wait = 100, 3*time.Minute })
				g.driver.Obey()
				first := g.asking(`{"query":"slow","room":"hall"}`)
				second := g.asking(`{"query":"say something else","room":"hall"}`) // it waits in the queue
				got := g.read(g.send(tt.path, g.token("speaker", auth.Paired), tt.body))
				if got.Text != tt.text || got.Cancelled == nil || !*got.Cancelled || got.Error != "" {
					t.Errorf("%+v", got)
				}
				for _, waiting := range []answer{<-first, <-second} {
					if waiting.Error != string(nod.TroubleStopped) {
						t.Errorf("who waited hears %+v", waiting)
					}
				}
				if len(g.heard) != 1 {
					t.Errorf("the model got %d messages", len(g.heard))
				}
				if next := g.ask(`{"query":"say hello","room":"hall"}`); next.Text != "hello." {
					t.Errorf("after that: %+v", next)
				}
			})
		})
	}
}

// Words that do not stop anything go to the assistant, and so does a stop to somebody
// who rests.
func TestWhatDoesNotStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant, func(c *Config) { c.Rate, c.Wait = 100, 3*time.Minute })
		g.driver.Obey()
		g.ask(`{"query":"say hello","room":"hall"}`)
		if got := g.ask(`{"query":"stop","room":"hall"}`); got.Text != "You said: stop." {
			t.Errorf("to one that rests: %+v", got)
		}
		first := g.asking(`{"query":"slow","room":"hall"}`)
		second := g.asking(`{"query":"stop the heating at ten","room":"hall"}`)
		if got := g.ask(`{"query":"stop","room":"kitchen"}`); got.Text != "You said: stop." {
			t.Errorf("in another room: %+v", got)
		}
		if got := <-first; got.Text != "At last." {
			t.Errorf("%+v", got)
		}
		if got := <-second; got.Text != "You said: stop the heating at ten." {
			t.Errorf("%+v", got)
		}
	})
}

// A driver that does not obey is not reported as stopped.
func TestStopIsReportedWhenItHappened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant, func(c *Config) { c.Rate, c.Wait = 100, 3*time.Minute })
		first := g.asking(`{"query":"slow","room":"hall"}`)
		if got := g.ask(`{"query":"stop","room":"hall"}`); !strings.Contains(got.Text, "not stopped yet") || *got.Cancelled {
			t.Errorf("%+v", got)
		}
		<-first
	})
}

func TestLateAnswerIsToldNextTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant, func(c *Config) { c.Rate = 100 })
		if got := g.ask(`{"query":"slow","room":"hall"}`); got.Error != "timeout" || got.Text != "Working on it. Speak to me again in a moment." {
			t.Errorf("%+v", got)
		}
		time.Sleep(2 * time.Minute)
		if got := g.ask(`{"query":"say hello","room":"kitchen"}`); got.Text != "hello." {
			t.Errorf("in another room: %+v", got)
		}
		if got := g.ask(`{"query":"say hello","room":"hall","user":"ola"}`); got.Text != "Here is what you asked before: At last. hello." {
			t.Errorf("the next question in that room: %+v", got)
		}
		if got := g.ask(`{"query":"say hello","room":"hall"}`); got.Text != "hello." {
			t.Errorf("it is told once: %+v", got)
		}
	})
}

// The conversation may have ended meanwhile, and the person may come back much later.
func TestLateAnswerOutlivesItsConversation(t *testing.T) {
	for wait, want := range map[time.Duration]string{10 * time.Minute: "Here is what you asked before: At last. hello.", time.Hour: "hello."} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, assistant, func(c *Config) { c.Rate = 100 })
			first := g.ask(`{"query":"slow","language":"en"}`)
			time.Sleep(wait)
			g.driver.End(first.Session)
			if got := g.read(g.send("/ask", g.token("other", auth.Paired), `{"query":"say hello","language":"en"}`)); got.Text != "hello." {
				t.Errorf("another device: %+v", got)
			}
			if got := g.ask(`{"query":"say hello","language":"en"}`); got.Text != want || got.Session == first.Session {
				t.Errorf("after %v: %+v", wait, got)
			}
		})
	}
}

// A caller with a short time limit of its own hangs up, as rest_command does after ten
// seconds unless it is told otherwise.
func TestAnswerAfterHangUpIsToldNextTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant, func(c *Config) { c.Rate, c.Wait = 100, 5*time.Minute })
		ctx, hangUp := context.WithCancel(t.Context())
		token := g.token("speaker", auth.Paired)
		done := make(chan struct{})
		go func() {
			defer close(done)
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/ask", strings.NewReader(`{"query":"slow","room":"hall"}`))
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			g.web.ServeHTTP(httptest.NewRecorder(), r)
		}()
		synctest.Wait()
		hangUp()
		<-done
		time.Sleep(3 * time.Minute)
		w := g.send("/ask", token, `{"query":"say hello","room":"hall"}`, "Accept", "text/event-stream")
		if body := w.Body.String(); !strings.Contains(body, `data: {"text":"Here is what you asked before: At last."}`) || !strings.Contains(body, `"text":"Here is what you asked before: At last. hello."`) {
			t.Errorf("%s", body)
		}
	})
}
