//go:build full

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
)

// loadAgents ask at once, each again and again.
const loadAgents = 6

// loadRecord is what agents and people saw through a load balancer.
type loadRecord struct {
	mu    sync.Mutex
	said  map[string]string        // by command: what its hook gave to Claude Code
	acked map[nod.RequestID]string // who is known to have made a decision
	odd   []string
}

func (l *loadRecord) answered() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, said := range l.said {
		if said != "" {
			n++
		}
	}
	return n
}

func (l *loadRecord) strange(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.odd = append(l.odd, fmt.Sprintf(format, args...))
}

// load kills the hubs, one after the other, while real hooks ask and two people
// answer. It never stops for long, and everything acknowledged is in the log.
func (f *front) load(t *testing.T, leave nod.RequestID, log *follower, screen *watcher) {
	l := &loadRecord{said: map[string]string{}, acked: map[nod.RequestID]string{}}
	enough := make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), 2*rig.Patience)
	defer cancel()
	var agents, people sync.WaitGroup
	for n := range loadAgents {
		agents.Go(func() { f.ask(ctx, t, l, n, enough) })
	}
	answering, stop := context.WithCancel(ctx)
	defer stop()
	for _, name := range []string{"anna", "bert"} {
		people.Go(func() { f.answer(answering, l, name, leave) })
	}
	goesOn := func(what string) {
		t.Helper()
		want := l.answered() + 2*loadAgents
		rig.Until(t, what, func() bool { return l.answered() >= want }, func() string { return fmt.Sprint(l.answered(), " of ", want) })
	}
	goesOn("agents get answers")
	for _, h := range f.hubs {
		f.end(t, h, syscall.SIGKILL)
		goesOn("agents get answers from the other hub")
		screen.draws(t, screen.parts())
		f.again(t, h)
	}
	close(enough)
	agents.Wait()
	stop()
	people.Wait()
	log.grant(t, f.phone) // the follower is at the end
	f.check(t, l)
}

// ask runs nod-hook as Claude Code would, for one question after the other.
func (f *front) ask(ctx context.Context, t *testing.T, l *loadRecord, n int, enough <-chan struct{}) {
	home := t.TempDir()
	env := []string{"HOME=" + home, "PATH=/usr/bin:/bin", "CLAUDE_CODE_ENTRYPOINT=" + wire.HeadlessEntry}
	for name, value := range f.env() {
		env = append(env, name+"="+value)
	}
	for step := 0; ; step++ {
		select {
		case <-enough:
			return
		case <-ctx.Done():
			l.strange("agent %d waits forever", n)
			return
		default:
		}
		command := fmt.Sprintf("python3 step.py agent-%d-%d.", n, step)
		cmd := exec.CommandContext(ctx, hookBinary)
		// A machine that found no hub leaves it in peace for seconds; here each question is a machine of its own.
		cmd.Env = append(slices.Clone(env), "NOD_DATA="+filepath.Join(home, fmt.Sprint(step)))
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":"PermissionRequest","session_id":"s%d","cwd":"/home/anna/project","permission_mode":"default","tool_name":"Bash","tool_input":{"command":%q}}`, n, command))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			l.strange("the hook for %s: %v %s", command, err, errs.String())
		}
		l.mu.Lock()
		l.said[command] = out.String()
		l.mu.Unlock()
		if out.Len() == 0 { // the terminal decides, which takes a moment
			<-time.After(300 * time.Millisecond)
		}
	}
}

// answer denies pending requests, and names the request in the reason.
func (f *front) answer(ctx context.Context, l *loadRecord, name string, leave nod.RequestID) {
	for ctx.Err() == nil {
		st, err := f.phone.State(ctx)
		for _, r := range st.Requests {
			if r.ID == leave {
				continue
			}
			why := fmt.Sprintf("because-%s-%s %s", r.ID, name, r.Title)
			_, err = f.phone.Decide(ctx, r.ID, nod.Answer{Verdict: nod.VerdictDeny, Message: why})
			if err == nil {
				l.mu.Lock()
				l.acked[r.ID] = why
				l.mu.Unlock()
			}
		}
		if code := nod.CodeOf(err); err != nil && ctx.Err() == nil && code != nod.Unavailable && code != nod.Conflict && !strings.Contains(err.Error(), "502") {
			l.strange("%s answers: %v", name, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(30 * time.Millisecond):
		}
	}
}

// check compares what everyone saw with the log.
func (f *front) check(t *testing.T, l *loadRecord) {
	t.Helper()
	for _, odd := range l.odd {
		t.Error(odd)
	}
	all := readLog(t, func(after nod.Seq) ([]v1.LogEntry, error) { return f.phone.Log(t.Context(), after, 500) })
	for id, n := range all.raised {
		if settled := len(all.decided[id]) + all.withdrawn[id]; n != 1 || settled > 1 || all.delivered[id] > 1 {
			t.Errorf("request %s was raised %d times, settled %d times, delivered %d times", id, n, settled, all.delivered[id])
		}
	}
	for id, why := range l.acked {
		if !slices.Equal(all.decided[id], []string{why}) {
			t.Errorf("request %s: %q was acknowledged, %q is recorded", id, why, all.decided[id])
		}
	}
	reasons := map[string]bool{}
	for _, decided := range all.decided {
		reasons[strings.Join(decided, "|")] = true
	}
	silent := 0
	for command, said := range l.said {
		if said == "" { // no hub was there when it began: Claude Code decides by itself
			silent++
			continue
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(reasons)), func(why string) bool { return strings.Contains(why, command) && strings.Contains(said, why) }) {
			t.Errorf("the hook for %q said %s: that was not decided", command, said)
		}
	}
	t.Logf("%d hooks, %d without an answer; %d decisions acknowledged; %d events", len(l.said), silent, len(l.acked), all.head)
	if silent > len(l.said)/3 {
		t.Errorf("%d of %d hooks found no hub", silent, len(l.said))
	}
}

// watcher is a screen, by WebSocket, that reconnects when it is cut off.
type watcher struct {
	mu    sync.Mutex
	drawn int
	why   error
}

func look(t *testing.T, c *client.Client) *watcher {
	t.Helper()
	w := &watcher{}
	ctx, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { end(); <-done })
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			err := w.watch(ctx, c)
			w.mu.Lock()
			w.why = err
			w.mu.Unlock()
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	return w
}

func (w *watcher) watch(ctx context.Context, c *client.Client) error {
	s, err := c.Screen(ctx, v1.ScreenHello{Width: 320, Height: 240, Format: "png", Buttons: 3})
	if err != nil {
		return err
	}
	defer s.Close()
	for {
		part, _, err := s.Next(ctx)
		if err != nil {
			return err
		}
		if part != nil {
			w.mu.Lock()
			w.drawn++
			w.mu.Unlock()
		}
	}
}

func (w *watcher) parts() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.drawn
}

// draws waits until more was drawn than before.
func (w *watcher) draws(t *testing.T, before int) {
	t.Helper()
	rig.Until(t, "the screen shows something new", func() bool { return w.parts() > before }, func() string {
		w.mu.Lock()
		defer w.mu.Unlock()
		return fmt.Sprint(w.drawn, " parts drawn; it was cut off: ", w.why)
	})
}
