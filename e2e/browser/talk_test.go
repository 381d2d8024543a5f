package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// A desk that is not the largest.
var smallDesk = Device{"desk", 1280, 800, false}

// pause is where the model stops writing until the test continues it.
const pause = "¶"

// salon is a hub that keeps conversations: the real Claude Code, and a model that
// writes as slowly as a test wants.
type salon struct {
	*rig.Rig
	*hub
	on chan struct{} // one for each pause
}

func newSalon(t *testing.T, more string) *salon {
	t.Helper()
	needChromium(t)
	s := &salon{Rig: rig.New(t, rig.Options{}), on: make(chan struct{})}
	pen := httptest.NewServer(http.HandlerFunc(s.write))
	t.Cleanup(func() { pen.CloseClientConnections(); pen.Close() })
	var env []string
	for _, line := range s.Env() {
		name, value, _ := strings.Cut(line, "=")
		if name == "ANTHROPIC_BASE_URL" {
			value = pen.URL
		}
		if name != "PATH" && name != "HOME" {
			env = append(env, fmt.Sprintf("%s = %q", name, value))
		}
	}
	s.hub = newHub(t, fmt.Sprintf("[headless]\nclaude = %q\nenv = { %s }\n%s", rig.NeedClaude(t), strings.Join(env, ", "), more))
	return s
}

const assistants = `
[[assistant]]
name = "house"
about = "Looks after lights, heating and homeWorld"
prompt = "You look after a house."
[[assistant]]
name = "helper"
prompt = "You help."
`

// write passes a call on to the fake model, and its answer back in pieces.
func (s *salon) write(w http.ResponseWriter, r *http.Request) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, s.API.URL()+r.URL.RequestURI(), r.Body)
	if err != nil {
		return
	}
	out.Header = r.Header
	answer, err := http.DefaultClient.Do(out)
	if err != nil {
		return // the agent hung up
	}
	defer answer.Body.Close()
	for name := range answer.Header {
		if name != "Content-Length" {
			w.Header().Set(name, answer.Header.Get(name))
		}
	}
	w.WriteHeader(answer.StatusCode)
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		_, _ = io.Copy(w, answer.Body)
		return
	}
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadBytes('\n')
		for i, piece := range inPieces(line) {
			if i > 0 && !s.waits(r) {
				return
			}
			_, _ = w.Write(piece)
			_ = http.NewResponseController(w).Flush()
		}
		if err != nil {
			return
		}
	}
}

func (s *salon) waits(r *http.Request) bool {
	select {
	case <-s.on:
		return true
	case <-r.Context().Done():
		return false
	}
}

// inPieces cuts one event at its pauses into several; what has none is one piece.
func inPieces(line []byte) [][]byte {
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	if !ok || !bytes.Contains(line, []byte(pause)) {
		return [][]byte{line}
	}
	var e struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
		Delta struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"delta"`
	}
	if err := json.Unmarshal(data, &e); err != nil || e.Delta.Type != "text_delta" {
		return [][]byte{line}
	}
	texts := strings.Split(e.Delta.Text, pause)
	var pieces [][]byte
	for i, text := range texts {
		e.Delta.Text = text
		b, _ := json.Marshal(e)
		piece := fmt.Sprintf("data: %s\n", b)
		if i > 0 {
			piece = "event: " + e.Type + "\n" + piece
		}
		if i < len(texts)-1 {
			piece += "\n" // the last one has its empty line already
		}
		pieces = append(pieces, []byte(piece))
	}
	return pieces
}

// goOn lets the model write until its next pause.
func (s *salon) goOn() {
	s.t.Helper()
	rig.Until(s.t, "a model that pauses", func() bool {
		select {
		case s.on <- struct{}{}:
			return true
		default:
			return false
		}
	}, func() string { return s.log.String() })
}

// begin opens a conversation from the list of agents.
func (p *Page) begin(name string) {
	p.t.Helper()
	p.Tap("link", "Agents")
	p.Tap("button", "New conversation")
	p.See("Who should answer?")
	p.Look("talk-new")
	p.Type("Name (optional)", name)
	p.Tap("button", "Start")
	p.until("the conversation", `location.pathname.startsWith("/agents/c-")`)
	p.See("Nothing said yet")
}

func (p *Page) say(text string) {
	p.t.Helper()
	p.Type("Message", text)
	p.Tap("button", "Send")
}

// drafted waits until the answer that is being written reads like this.
func (p *Page) drafted(text string) {
	p.t.Helper()
	p.until("a draft with "+text, fmt.Sprintf(`document.querySelector(".draft:not([hidden])")?.innerText.includes(%q)`, text))
}

// witness looks at every frame: how often the answer is on the page, and where.
const witness = `(() => {
  globalThis.frames = [];
  const holds = (e) => e.innerText.includes("Tomorrow");
  const look = () => {
    const all = [...document.querySelectorAll(".draft:not([hidden]), .chat-pages .turn-agent")].filter(holds);
    frames.push({ times: all.length, top: Math.round(all[0]?.querySelector("p").getBoundingClientRect().top ?? -1), draft: all[0]?.matches(".draft") ?? false });
    globalThis.looking = requestAnimationFrame(look);
  };
  look();
  return true;
})()`

type sight struct {
	Times int  `json:"times"`
	Top   int  `json:"top"`
	Draft bool `json:"draft"`
}

// replaced fails the test unless the draft became the answer in one frame, at
// the same place.
func (p *Page) replaced() {
	p.t.Helper()
	p.until("the answer itself, for a while", `frames.filter((f) => f.times === 1 && !f.draft).length > 20`)
	all := eval[[]sight](p, `cancelAnimationFrame(looking), frames`)
	if !all[0].Draft {
		p.t.Errorf("%s: nobody saw the draft", p.dev.name)
	}
	for i, f := range all {
		if f.Times != 1 {
			p.t.Errorf("%s: in frame %d the answer is there %d times", p.dev.name, i, f.Times)
		}
		if by := f.Top - all[0].Top; by < -1 || by > 1 {
			p.t.Errorf("%s: in frame %d the text has moved by %d px (draft: %v)", p.dev.name, i, by, f.Draft)
			return
		}
	}
}

// A conversation without a terminal, from its first word to its end.
func TestTalk(t *testing.T) {
	t.Parallel()
	for _, dev := range []Device{Phone, smallDesk} {
		t.Run(dev.name, func(t *testing.T) {
			t.Parallel()
			s := newSalon(t, assistants)
			call := fakeapi.Bash("touch lamp")
			s.API.On("Will it rain?", fakeapi.Say("Tomorrow it rains from eight in the morning, and it will not stop before noon."+pause+" The afternoon is dry.\n\nTake an umbrella."+pause))
			s.API.On("The lamp, please", fakeapi.Use(call).WithText("I look for the switch."), fakeapi.Say("The lamp is on."))
			p := open(t, s.hub, dev)
			p.begin("Weather")
			p.Look("talk-empty")

			p.say("Will it rain?")
			p.drafted("before noon.")
			p.Look("talk-draft")
			p.Reload()
			p.live()
			p.drafted("Tomorrow it rains from eight")
			s.goOn()
			p.drafted("Take an umbrella.")
			eval[bool](p, witness)
			s.goOn()
			p.replaced()
			p.Look("talk-answer")

			p.say("The lamp, please")
			p.See("Run this command?")
			p.until("why it asks, above the question", `(() => {
			  const draft = document.querySelector(".draft:not([hidden])"), card = document.querySelector("nod-card");
			  return draft?.innerText.includes("I look for the switch.") && draft.getBoundingClientRect().bottom <= card.getBoundingClientRect().top;
			})()`)
			p.Look("talk-card")
			r := s.waiting()[0]
			p.Tap("button", "Allow")
			p.See("The lamp is on.")
			s.request(r.ID, "applied", reached(nod.StepApplied))
			if told, ok := s.API.ToolResult(call.ID); !ok || told.IsError {
				t.Errorf("the model was told %+v", told)
			}
			p.until("its words once", `document.querySelector(".chat-log").innerText.split("I look for the switch.").length === 2`)
			p.Look("talk-done")

			p.Tap("button", "Weather")
			p.See("End conversation")
			p.Look("talk-about")
			p.Hold("button", "End conversation")
			p.See("This conversation is over.")
			p.See("Will it rain?")
			p.HasNo("textbox", "Message")
			p.Look("talk-over")
		})
	}
}

// A new hub has an assistant, without any configuration.
func TestTalkOnANewHub(t *testing.T) {
	t.Parallel()
	p := open(t, newHub(t), Phone)
	p.Go("/agents")
	p.live()
	p.Look("talk-first")
	p.Tap("button", "New conversation")
	p.See("So that you find it again")
	p.Tap("button", "Start")
	p.See("Nothing said yet")
	p.Look("talk-first-begun")
}

// Who wants to speak says so where the conversation begins, or presses v.
func TestTalkAloud(t *testing.T) {
	t.Parallel()
	p := openWithVoice(t, newHub(t))
	p.Tap("link", "Agents")
	p.Tap("button", "New conversation")
	p.Tap("button", "Voice mode")
	p.voiceState("listening")
	p.Press("\x1b")
	p.See("Nothing said yet")
	p.Reload()
	p.live()
	p.See("Nothing said yet")
	if p.holds(`document.querySelector("dialog.voice")`) {
		t.Error("a reload speaks by itself")
	}
	p.rested()
	p.Press("v")
	p.voiceState("listening")
}

// A link to an unknown agent says so, and does not offer to try again.
func TestTalkWithoutAnAssistant(t *testing.T) {
	t.Parallel()
	p := open(t, newHub(t), Phone)
	p.Accept("404")
	p.Go("/agents/c-nobody")
	p.See("Nobody here")
	p.HasNo("button", "Try again")
	p.Look("talk-nobody")
}

// The program cannot be started: the chat says so, in words that help.
func TestTalkErrors(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "claude")
	h := newHub(t, fmt.Sprintf("[headless]\nclaude = %q\n%s", missing, assistants))
	p := open(t, h, Phone)
	p.begin("Nobody")
	p.say("Are you there?")
	p.See("Claude Code was not found on the hub's machine.")
	p.See("Send again")
	p.Look("talk-trouble")
}
