package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// When a program ends, or the hub does, none of its child processes keeps running.
func TestHeadlessLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := newSalon(t, rig.Options{}, func(o *headlessOptions) {
		o.Spare, o.Assistants[0].Allow = true, []string{"Bash(python3 *)"}
	})
	work := func(seconds string) nod.AgentID {
		s.API.On("sleep "+seconds, fakeapi.Use(fakeapi.Bash(`python3 -c "import time; time.sleep(`+seconds+`)"`)), fakeapi.Say("never"))
		id := s.open()
		s.say(id, "sleep "+seconds)
		rig.Until(t, "a sleeping tool", func() bool { return len(sleepers(seconds)) > 0 }, func() string { return fmt.Sprint(s.state()) })
		return id
	}
	gone := func(seconds string) {
		rig.Until(t, "no sleeping tool", func() bool { return len(sleepers(seconds)) == 0 }, func() string { return fmt.Sprint(sleepers(seconds)) })
	}
	left, right := fmt.Sprintf("4%d", os.Getpid()), fmt.Sprintf("5%d", os.Getpid())
	first := work(left)
	if err := s.desk.Leave(s.ctx(), first); err != nil {
		t.Fatal(err)
	}
	gone(left)
	work(right)
	s.end()
	gone(right)
	if files, _ := filepath.Glob(filepath.Join(s.ConfigDir, "sessions", "*.json")); len(files) > 0 {
		t.Errorf("there is still %v", files)
	}
}

// nod is restarted while a request is pending: the answer is lost, the earlier
// conversation is not.
func TestHeadlessRestart(t *testing.T) {
	t.Parallel()
	s := newSalon(t, rig.Options{}, nil)
	s.API.On("remember the word plum", fakeapi.Say("plum it is"))
	s.API.On("use it", fakeapi.Use(fakeapi.Bash("touch x")), fakeapi.Say("never"))
	s.API.On("which word", fakeapi.Say("plum"))
	id := s.open()
	s.answer(id, "remember the word plum", "plum it is")
	m := s.say(id, "use it")
	r := s.asked(id)
	waits := s.say(id, "which word")
	s.end()
	s.start()
	if got := s.turn(m); got.Trouble != nod.TroubleRestart {
		t.Errorf("%+v", got)
	}
	e := s.until("the withdrawal", func(e *nod.Event) bool { return e.Kind == nod.RequestWithdrawn && e.RequestID == r.ID })
	if e.Withdrawal.Reason != nod.WithdrawnLost {
		t.Errorf("%+v", e.Withdrawal)
	}
	if got := s.turn(waits); got.Text != "plum" {
		t.Errorf("%+v", got)
	}
	last := s.API.Requests()[len(s.API.Requests())-1]
	if said := strings.Join(last.UserTexts(), "|"); !strings.Contains(said, "remember the word plum") {
		t.Errorf("the model was told %s", said)
	}
}

// sleepers are the processes that sleep for exactly so long.
func sleepers(seconds string) (pids []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if bytes.HasSuffix(line, []byte("\x00-c\x00import time; time.sleep("+seconds+")\x00")) {
			pids = append(pids, filepath.Base(dir))
		}
	}
	return pids
}
