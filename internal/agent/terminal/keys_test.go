package terminal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nod"
)

func (r *rig) press(key string) {
	r.Helper()
	r.must(r.desk().Press(r.Context(), session, key))
}

func (r *rig) mode() (mode string) {
	r.hub.Look(func(s *nod.State) { mode = s.Agents[session].Mode })
	return mode
}

// notices are what the conversation says of keys.
func (r *rig) notices() (list []string) {
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

func (r *rig) notified(why string) {
	r.Helper()
	r.until("the words "+why, func() bool { return slices.Equal(r.notices(), []string{why}) })
}

func TestEveryPressSwitchesTheModeOnce(t *testing.T) {
	eachBackend(t, "plain", func(t *testing.T, r *rig) {
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
	eachBackend(t, "runs a tool", func(t *testing.T, r *rig) {
		r.press("background")
		r.until("the key", func() bool { return len(r.noted("ctrl+b")) == 1 })
		r.press("background")
		r.notified("background: " + keyNothing)
		if got := r.noted("ctrl+b"); len(got) != 1 {
			t.Errorf("pressed %d times", len(got))
		}
	})
}

// Just after a message the agent has not begun yet.
func TestAKeyWaitsForTheTurnThatAMessageBegins(t *testing.T) {
	eachBackend(t, "begins late", func(t *testing.T, r *rig) {
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
	eachBackend(t, "asks", func(t *testing.T, r *rig) {
		r.press("mode")
		r.notified("mode: " + keyDialog)
		r.press("background")
		r.until("both to be told", func() bool { return len(r.notices()) == 2 })
		if len(r.noted("shift+tab"))+len(r.noted("ctrl+b"))+len(r.noted("approved")) > 0 {
			t.Error("a key was pressed")
		}
	})
}

func TestAKeyWithoutEffectIsReported(t *testing.T) {
	t.Run("mode", func(t *testing.T) {
		eachBackend(t, "one mode", func(t *testing.T, r *rig) {
			r.press("mode")
			r.notified("mode: " + keyNoMode)
			if got := r.noted("shift+tab"); len(got) != 1 {
				t.Errorf("pressed %d times", len(got))
			}
		})
	})
	t.Run("background", func(t *testing.T) {
		eachBackend(t, "never lets go", func(t *testing.T, r *rig) {
			r.press("background")
			r.notified("background: " + keyNoUse)
			if got := r.noted("ctrl+b"); len(got) != backgroundTries {
				t.Errorf("pressed %d times", len(got))
			}
		})
	})
}

// What is in the box may take Shift+Tab for itself.
func TestADraftWithAMenuKeepsItsKeys(t *testing.T) {
	eachBackend(t, "plain", func(t *testing.T, r *rig) {
		r.must(os.WriteFile(filepath.Join(r.dir, "draft"), []byte("/mod"), 0o600))
		r.tmux("load-buffer", filepath.Join(r.dir, "draft"))
		r.tmux("paste-buffer", "-p", "-t", "%0")
		r.until("the draft", func() bool { return len(r.noted("pasted")) == 1 })
		r.press("mode")
		r.notified("mode: " + keyMenu)
		if len(r.noted("shift+tab")) > 0 {
			t.Error("the key was pressed")
		}
	})
}

func TestAnAgentThatIsToldToStopGetsNoKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "plain")
	r.until("an agent whose keys can be pressed", func() bool { return r.able(nod.CanMode) })
	w := newWorker(r.driver().env, session)
	w.pressKey("mode")
	w.keys.press(r.Context(), &nod.Agent{ID: session, Stopping: &nod.Stopping{By: "anna"}})
	r.notified("mode: " + keyStop)
}

// A key that has waited for too long is reported, not pressed.
func TestAnOldKeyIsNotPressed(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "plain")
	now := time.Now()
	env := r.driver().env
	env.Now = func() time.Time { return now }
	w := newWorker(env, session)
	w.pressKey("mode")
	now = now.Add(2*keyTime + time.Second)
	w.keys.press(r.Context(), &nod.Agent{ID: session})
	r.notified("mode: " + keyLate)
	if w.keys.waiting() || len(r.noted("shift+tab")) > 0 {
		t.Error("it is still there, or was pressed")
	}
}
