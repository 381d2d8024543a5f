package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"nod"
	"nod/e2e/rig"
)

// lab replaces what a headless browser does not have: a microphone with a speaker, a
// voice, and a screen that would go dark.
const lab = `
globalThis.lab = { spoken: [], hold: false, locks: 0, open: null, deaf: "" };
class Recognition {
  start() {
    if (lab.deaf) return void setTimeout(() => { this.onerror({ error: lab.deaf }); this.onend(); });
    lab.open = this;
  }
  stop() { this.abort(); }
  abort() { if (lab.open === this) lab.open = null; }
}
lab.heard = (transcript, isFinal = false) => lab.open?.onresult({ results: [Object.assign([{ transcript }], { isFinal })] });
lab.say = (text) => {
  const ears = lab.open;
  if (!ears) return false;
  lab.heard(text.split(" ")[0]);
  if (lab.open === ears) lab.heard(text, true);
  if (lab.open === ears) { lab.open = null; ears.onend(); }
  return true;
};
globalThis.SpeechRecognition = globalThis.webkitSpeechRecognition = Recognition;
let now = null;
const voice = {
  getVoices: () => [],
  speak(u) { lab.spoken.push(u.text); now = u; if (!lab.hold) setTimeout(() => lab.done(u), 20); },
  cancel() { now = null; },
};
lab.done = (u = now) => { if (u === now) { now = null; u?.onend?.(); } };
Object.defineProperty(globalThis, "speechSynthesis", { value: voice });
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  lab.locks++;
  return { released: false, async release() { if (!this.released) lab.locks--; this.released = true; } };
} }, configurable: true });
`

// openWithVoice is a page in such a browser.
func openWithVoice(t testing.TB, h *hub, more ...string) *Page {
	t.Helper()
	p := blank(t, h, Phone)
	send(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: lab + strings.Join(more, "\n")})
	p.Pair(h.code(), "Anna's phone")
	return p
}

// Say waits until it is a person's turn, and says it.
func (p *Page) Say(text string) {
	p.t.Helper()
	p.until("open ears for "+text, `lab.open !== null && document.querySelector("dialog.voice:is([data-state=listening], [data-phase=hearing])")`)
	eval[bool](p, fmt.Sprintf("lab.say(%q)", text))
}

// Hear waits until something was said aloud, and forgets everything up to it.
func (p *Page) Hear(text string) {
	p.t.Helper()
	rig.Until(p.t, "to hear "+text, func() bool {
		return p.holds(fmt.Sprintf("(() => { const at = lab.spoken.findIndex((s) => s.includes(%q)); return at >= 0 && lab.spoken.splice(0, at + 1); })()", text))
	}, func() string { return fmt.Sprintln(eval[[]string](p, "lab.spoken")) + p.text() })
}

// voiceState waits for a state of voice mode.
func (p *Page) voiceState(state string) {
	p.t.Helper()
	rig.Until(p.t, "voice mode to be "+state, func() bool { return p.voiceIs(state) }, p.text)
}

func (p *Page) voiceIs(state string) bool {
	is, err := try[bool](p, fmt.Sprintf(`(() => { const d = document.querySelector("dialog.voice"); return d !== null && [d.dataset.state, d.dataset.phase].filter(Boolean).join(" ") === %q; })()`, state))
	return err == nil && is
}

// openVoice opens voice mode at an idle agent. Its quick replies come a moment after the
// page and move the button: a tap just then is ignored, as it should be.
func (p *Page) openVoice(name string) {
	p.t.Helper()
	p.until("quick replies", `document.querySelector(".chat-quick:not([hidden]) button")`)
	p.Tap("button", name)
}

// quietDemo is a demo whose agents say nothing of their own for a while.
func quietDemo(t testing.TB) (*hub, nod.AgentID) {
	t.Helper()
	h := newDemo(t)
	var shop nod.AgentID
	rig.Until(t, "a demo agent that can be spoken to", func() bool {
		list, err := h.client.Agents(t.Context())
		for _, a := range list {
			if err == nil && strings.HasPrefix(a.Name, "web-shop") && a.State == nod.AgentWaiting {
				shop = a.ID
			}
		}
		return shop != ""
	}, func() string { return describe(h.waiting()) })
	if _, err := h.client.StopAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	rig.Until(t, "an agent at rest", func() bool {
		a, err := h.client.Agent(t.Context(), string(shop))
		return err == nil && a.State == nod.AgentIdle && a.Stopping == nil
	}, func() string { return describe(h.waiting()) })
	return h, shop
}

// Listen, send, hear the answer, be asked, answer, listen again: without a touch.
func TestVoiceLoop(t *testing.T) {
	t.Parallel()
	h, shop := quietDemo(t)
	p := openWithVoice(t, h)
	p.Go("/agents/" + string(shop))
	p.openVoice("Voice mode")
	p.voiceState("listening")
	p.until("the screen to stay on", "lab.locks === 1")
	p.Look("voice-listening")

	eval[bool](p, `lab.heard("hello out there"), true`)
	p.See("hello out there")
	p.Look("voice-heard")
	eval[bool](p, "lab.hold = true")
	p.Say("hello out there")
	p.voiceState("waiting")
	p.Look("voice-waiting")
	p.Hear("I am a demo agent")
	p.Look("voice-speaking")
	eval[bool](p, "lab.hold = false, lab.done(), true")
	p.Hear("Say “more” for the rest.")
	p.Say("more")
	p.Hear("show a form")

	p.Say("ask me a question")
	p.Hear("My question waits for you now.")
	p.Hear("1: Small.")
	p.Hear("How large should the new button be?")
	p.voiceState("asking hearing")
	p.Look("voice-question")
	p.Say("the second")
	p.Hear("Answered.")
	said := 0
	turns, err := h.client.Turns(t.Context(), shop, 0, 50)
	for _, turn := range turns {
		if turn.Role == nod.TurnPerson && turn.Text == "ask me a question" {
			said++
		}
	}
	if err != nil || said != 1 {
		t.Errorf("it was said %d times (%v)", said, err)
	}

	p.Say("ask me something risky")
	p.Hear("Run rm")
	p.Hear("Answer this one on the screen.")
	p.voiceState("asking waits")
	p.Look("voice-risky")
	if p.holds("lab.open") {
		t.Error("somebody listens to what only the screen may answer")
	}
	p.Hold("button", "Allow")
	p.Hear("Allowed.")
	p.Hear("nothing was deleted")

	p.voiceState("listening")
	rig.Until(t, "Space to pause", func() bool { // the layer ignores a press that comes soon after it changed
		if p.voiceIs("paused") {
			return true
		}
		p.Press(" ")
		return p.voiceIs("paused")
	}, p.text)
	p.Look("voice-paused")
	p.Press("\x1b")
	p.until("the layer to be gone", `!document.querySelector("dialog.voice")`)
	p.until("the lock to be released and the ears to be closed", "lab.locks === 0 && lab.open === null")
}

// A permission is read aloud and takes a yes; a destructive one takes none.
func TestVoicePermission(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	p := openWithVoice(t, h)
	shop := h.agent("shop")
	p.Go("/agents/session-shop")
	p.Tap("button", "Voice mode")
	p.voiceState("waiting")
	p.See("cannot be spoken to from here")

	q := shop.bash("git push origin main")
	p.Hear("shop asks for permission.")
	p.Hear("Run git push origin main?")
	p.voiceState("asking hearing")
	p.Look("voice-permission")
	p.Say("yes but ask Tom first")
	p.Hear("Say yes or no.")
	p.Hear("Run git push origin main?")
	if q.over() {
		t.Fatalf("a sentence with a yes in it was one: %s", q.out)
	}
	p.Say("Yes.")
	q.runs()
	p.Hear("Allowed. shop goes on.")

	eval[bool](p, "lab.hold = true")
	q = shop.bash("git push origin topic")
	p.Hear("shop asks for permission.")
	p.until("ears that listen while it speaks", "lab.open !== null")
	eval[bool](p, `lab.say("yes")`) // over our own voice: it only stops the talking
	p.voiceState("asking hearing")
	if q.over() {
		t.Fatalf("what was said over the question answered it: %s", q.out)
	}
	eval[bool](p, "lab.hold = false, true")
	p.Say("no")
	q.refused()
	p.Hear("Denied. shop is told.")

	q = shop.bash("rm -rf ~/photos")
	p.Hear("Answer this one on the screen.")
	p.voiceState("asking waits")
	for _, words := range []string{"yes", "allow"} {
		if eval[bool](p, fmt.Sprintf("lab.say(%q)", words)) {
			t.Errorf("%q was heard", words)
		}
	}
	if len(h.waiting()) != 1 || q.over() {
		t.Errorf("it was answered: %s", q.out)
	}
	p.Tap("button", "Deny")
	q.refused()
	p.Hear("Denied. shop is told.")
	p.Tap("button", "Leave voice mode")
	p.until("everything to be let go", `!document.querySelector("dialog.voice") && lab.locks === 0 && lab.open === null`)
}

// Without a microphone, or without a browser that understands, one types and listens.
func TestVoiceWithoutSpeechRecognition(t *testing.T) {
	t.Parallel()
	h, shop := quietDemo(t)
	p := openWithVoice(t, h, `lab.deaf = "not-allowed";`)
	p.Go("/agents/" + string(shop))
	p.openVoice("Voice mode")
	p.voiceState("trouble")
	p.See("The browser may not use the microphone.")
	p.Look("voice-refused")
	p.Tap("button", "Type instead")
	p.See("You type, answers are read aloud.")
	p.Look("voice-typing")
	p.Type("Message", "hello")
	p.Press("\r")
	p.Hear("I am a demo agent")
	p.Press("\x1b")
	p.until("the lock to be released", "lab.locks === 0")

	silent := openWithVoice(t, h, `delete globalThis.SpeechRecognition; delete globalThis.webkitSpeechRecognition; Object.defineProperty(navigator, "wakeLock", { value: undefined, configurable: true });`)
	silent.Go("/agents/" + string(shop))
	silent.openVoice("Voice mode")
	silent.See("This browser cannot understand speech.")
}

// Recognition, voice, and the words that count are those of the app's language.
func TestVoiceInJapanese(t *testing.T) {
	t.Parallel()
	h, shop := quietDemo(t)
	p := openWithVoice(t, h)
	eval[bool](p, `localStorage.setItem("nod.prefs", JSON.stringify({ lang: "ja", text: "huge" })), true`)
	p.Go("/agents/" + string(shop))
	p.openVoice("音声モード")
	p.voiceState("listening")
	if got := eval[string](p, "lab.open.lang"); got != "ja-JP" {
		t.Errorf("it listens in %s", got)
	}
	p.Say("質問して")
	p.Hear("新しいボタンの大きさはどうしますか?")
	p.voiceState("asking hearing")
	p.Look("voice-japanese")
	p.Say("二番でお願いします")
	p.Hear("答えました。")
}
