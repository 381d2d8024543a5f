package terminal

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// ways are the two terminals that a key must work in.
var ways = map[string]func(t *testing.T, mode string) *room{
	"tmux": func(t *testing.T, mode string) *room { return enter(t, mode, lineage{true}) },
	"run":  func(t *testing.T, mode string) *room { return enterRun(t, mode, lineage{true}, honest) },
}

func everyWay(t *testing.T, mode string, test func(t *testing.T, r *room)) {
	t.Parallel()
	for name, open := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t, mode)
			r.until("an agent whose keys can be pressed", func() bool { return r.able(nod.CanMode) && r.able(nod.CanBackground) })
			program, _ := exec.LookPath("tmux")
			r.until("a screen", func() bool { return strings.Contains(r.tmux(program, "capture-pane", "-p", "-t", "%0"), "───") })
			test(t, r)
		})
	}
}

func (r *room) press(key string) {
	r.Helper()
	r.must(r.desk().Press(r.Context(), session, key))
}

func (r *room) mode() (mode string) {
	r.hub.Look(func(s *nod.State) { mode = s.Agents[session].Mode })
	return mode
}

// notices are what the conversation says of keys.
func (r *room) notices() (list []string) {
	r.Helper()
	turns, err := r.desk().Turns(r.Context(), session, 0, 50)
	r.must(err)
	for _, t := range turns {
		if t.Role == nod.TurnSystem {
			list = append(list, t.Tool+": "+t.Text)
		}
	}
	return list
}

func (r *room) told(why string) {
	r.Helper()
	r.until("the words "+why, func() bool { return slices.Equal(r.notices(), []string{why}) })
}

func TestEveryPressSwitchesTheModeOnce(t *testing.T) {
	everyWay(t, "plain", func(t *testing.T, r *room) {
		r.until("the mode to be known", func() bool { return r.mode() == "default" })
		r.press("mode")
		r.until("the next mode", func() bool { return r.mode() == "acceptEdits" })
		r.press("mode")
		r.press("mode")
		r.until("to be back at the first", func() bool { return r.mode() == "default" })
		if got := r.noted("shift+tab"); len(got) != 3 || len(r.notices()) > 0 {
			t.Errorf("pressed %d times, told %q", len(got), r.notices())
		}
	})
}

func TestAToolGoesToTheBackground(t *testing.T) {
	everyWay(t, "runs a tool", func(t *testing.T, r *room) {
		r.press("background")
		r.until("the key", func() bool { return len(r.noted("ctrl+b")) == 1 })
		r.press("background")
		r.told("background: " + keyNothing)
		if got := r.noted("ctrl+b"); len(got) != 1 {
			t.Errorf("pressed %d times", len(got))
		}
	})
}

// Who presses just after words finds an agent that has not begun yet.
func TestAKeyWaitsForWhatWordsBegin(t *testing.T) {
	everyWay(t, "begins late", func(t *testing.T, r *room) {
		r.say("message-1", "take your time")
		r.until("the words", func() bool { return len(r.noted("prompts")) == 1 })
		r.press("background")
		r.until("the key", func() bool { return len(r.noted("ctrl+b")) == 1 })
		if got := r.notices(); len(got) > 0 {
			t.Errorf("told %q", got)
		}
	})
}

func TestAKeyIsNeverPressedIntoADialog(t *testing.T) {
	everyWay(t, "asks", func(t *testing.T, r *room) {
		r.press("mode")
		r.told("mode: " + keyDialog)
		r.press("background")
		r.until("both to be told", func() bool { return len(r.notices()) == 2 })
		if len(r.noted("shift+tab"))+len(r.noted("ctrl+b"))+len(r.noted("approved")) > 0 {
			t.Error("a key was pressed")
		}
	})
}

func TestAKeyThatDoesNothingIsTold(t *testing.T) {
	t.Run("mode", func(t *testing.T) {
		everyWay(t, "one mode", func(t *testing.T, r *room) {
			r.press("mode")
			r.told("mode: " + keyNoMode)
			if got := r.noted("shift+tab"); len(got) != 1 {
				t.Errorf("pressed %d times", len(got))
			}
		})
	})
	t.Run("background", func(t *testing.T) {
		everyWay(t, "never lets go", func(t *testing.T, r *room) {
			r.press("background")
			r.told("background: " + keyNoUse)
			if got := r.noted("ctrl+b"); len(got) != presses {
				t.Errorf("pressed %d times", len(got))
			}
		})
	})
}

// What is in the box may take Shift+Tab for itself.
func TestADraftWithAMenuKeepsItsKeys(t *testing.T) {
	everyWay(t, "plain", func(t *testing.T, r *room) {
		program, _ := exec.LookPath("tmux")
		r.must(os.WriteFile(filepath.Join(r.dir, "draft"), []byte("/mod"), 0o600))
		r.tmux(program, "load-buffer", filepath.Join(r.dir, "draft"))
		r.tmux(program, "paste-buffer", "-p", "-t", "%0")
		r.until("the draft", func() bool { return len(r.noted("pasted")) == 1 })
		r.press("mode")
		r.told("mode: " + keyMenu)
		if len(r.noted("shift+tab")) > 0 {
			t.Error("the key was pressed")
		}
	})
}

func TestAnAgentThatIsToldToStopGetsNoKeys(t *testing.T) {
	t.Parallel()
	r := enter(t, "plain", lineage{true})
	r.until("an agent whose keys can be pressed", func() bool { return r.able(nod.CanMode) })
	w := newWorker(&Driver{link: r.link(), log: quiet(), now: time.Now}, session)
	w.order("mode")
	w.pressKeys(r.Context(), nod.Agent{ID: session, Stopping: &nod.Stopping{By: "anna"}})
	r.told("mode: " + keyStop)
}

// A key is for now: one that has waited for too long is told, not pressed.
func TestAnOldKeyIsNotPressed(t *testing.T) {
	t.Parallel()
	r := enter(t, "plain", lineage{true})
	now := time.Now()
	w := newWorker(&Driver{link: r.link(), log: quiet(), now: func() time.Time { return now }}, session)
	w.order("mode")
	now = now.Add(2*keyTime + time.Second)
	w.pressKeys(r.Context(), nod.Agent{ID: session})
	r.told("mode: " + keyLate)
	if w.hasKeys() || len(r.noted("shift+tab")) > 0 {
		t.Error("it is still there, or was pressed")
	}
}

// Receipts tell which way it was.
func TestTheWayHasAName(t *testing.T) {
	t.Parallel()
	for want, open := range ways {
		r := open(t, "plain")
		var a nod.Agent
		r.hub.Look(func(s *nod.State) { a = *s.Agents[session] })
		w := newWorker(New(Options{Hub: r.hub, Log: quiet(), Now: time.Now, Processes: lineage{true}, Data: r.dir}), session)
		if got := w.way(&a); got != want {
			t.Errorf("%s is called %s", want, got)
		}
		asked, err := w.linkOf(&a).Ask(t.Context(), nod.Request{ID: newID(), Agent: a.Ref(), Kind: nod.KindQuestion})
		r.must(err)
		if asked.Receipts[0].By != want {
			t.Errorf("%s: raised by %s", want, asked.Receipts[0].By)
		}
		r.report(hub.Withdraw(asked.ID, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}))
	}
}
