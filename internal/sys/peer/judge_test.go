package peer

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// fake is a process table of a user 1000: person shell 30 under sshd 20 under init.
type fake struct {
	procs   map[int]Ancestor
	env     map[int][]string
	envErr  map[int]error
	onNames func(pid int) // lets the world change between the two walks
}

func (f *fake) uid() int { return 1000 }

func (f *fake) stat(pid int) (Ancestor, error) {
	a, ok := f.procs[pid]
	if !ok {
		return Ancestor{}, ErrGone
	}
	return a, nil
}

func (f *fake) names(pid int) ([]string, error) {
	if f.onNames != nil {
		f.onNames(pid)
	}
	return f.env[pid], f.envErr[pid]
}

func (f *fake) add(pid, parent int, start uint64, name string) {
	f.procs[pid] = Ancestor{Identity: Identity{pid, start}, Parent: parent, Name: name}
	f.env[pid] = []string{"PATH"}
}

func newFake() *fake {
	f := &fake{procs: map[int]Ancestor{}, env: map[int][]string{}, envErr: map[int]error{}}
	f.add(1, 0, 1, "init")
	f.add(20, 1, 200, "sshd")
	f.add(30, 20, 300, "bash")
	f.add(40, 30, 400, "nod")
	f.envErr[1], f.envErr[20] = fs.ErrPermission, fs.ErrPermission
	return f
}

func TestJudge(t *testing.T) {
	peer := Process{Identity: Identity{40, 400}, UID: 1000}
	tests := []struct {
		name   string
		change func(f *fake, p *Process)
		refuse string // "" for a person
	}{
		{"ancestors of root are closed", func(*fake, *Process) {}, ""},
		{"ancestor shows no environment", func(f *fake, _ *Process) { f.envErr[30] = errNoEnviron }, ""},
		{"root, readable", func(_ *fake, p *Process) { p.UID = 0 }, ""},
		{"line ends outside the container", func(f *fake, _ *Process) { f.add(30, 0, 300, "bash") }, ""},
		{"clock was set back after boot", func(f *fake, _ *Process) { f.add(1, 0, 999, "init") }, ""},

		{"other user", func(_ *fake, p *Process) { p.UID = 1001 }, "another user (uid 1001)"},
		{"peer is closed", func(f *fake, _ *Process) { f.envErr[40] = fs.ErrPermission }, "does not let us read"},
		{"peer shows no environment", func(f *fake, _ *Process) { f.envErr[40] = errNoEnviron }, "does not let us read"},
		{"ancestor fails otherwise", func(f *fake, _ *Process) { f.envErr[30] = errors.New("disk on fire") }, "could not be checked"},
		{"ancestor exits before its environment is read", func(f *fake, _ *Process) { f.envErr[30] = ErrGone }, "has exited"},
		{"peer exited", func(f *fake, _ *Process) { delete(f.procs, 40) }, "has exited"},
		{"ancestor hidden", func(f *fake, _ *Process) { delete(f.procs, 20) }, "has exited or is hidden"},
		{"pid reused before the check", func(f *fake, _ *Process) { f.add(40, 30, 500, "vi") }, "has exited"},
		{"pid of the parent reused", func(f *fake, _ *Process) { f.add(30, 20, 450, "vi") }, "ancestry changed"},
		{"pid reused during the check", func(f *fake, _ *Process) {
			f.onNames = func(pid int) { f.add(40, 30, 500, "vi") }
		}, "ancestry changed"},
		{"parent exits during the check", func(f *fake, _ *Process) {
			f.onNames = func(pid int) { f.add(40, 1, 400, "nod") }
		}, "ancestry changed"},
		{"loop", func(f *fake, _ *Process) { f.add(20, 30, 200, "sshd"); f.add(30, 20, 200, "bash") }, "too many ancestors"},
		{"no process", func(_ *fake, p *Process) { *p = Process{UID: 1000} }, "has exited"},
		{"agent", func(f *fake, _ *Process) { f.add(30, 77, 300, "bash"); f.add(77, 20, 250, "claude") }, "descends from agent process 77 (claude)"},
		{"mark", func(f *fake, _ *Process) { f.env[40] = []string{"PATH", "CLAUDECODE"} }, "carries the agent mark CLAUDECODE"},
		{"mark by prefix", func(f *fake, _ *Process) { f.env[30] = []string{"CODEX_SANDBOX_X"} }, "process 30 (bash), which carries the agent mark CODEX_SANDBOX*"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, p := newFake(), peer
			tt.change(f, &p)
			v := judge(f, p, []Identity{{77, 250}, {30, 299}, {}}, AgentMarks())
			if v.Person != (tt.refuse == "") || !strings.Contains(v.Reason, tt.refuse) || v.Process != p {
				t.Errorf("got %+v", v)
			}
			if strings.Contains(v.Reason, "fire") {
				t.Error("a text of the system reached the reason")
			}
		})
	}
}

func TestLineageIsRefusedRatherThanCut(t *testing.T) {
	f := newFake()
	const first = 1000
	for i := range maxLineage {
		f.add(first+i, first+i+1, 300, "sh")
	}
	f.add(first+maxLineage-1, 1, 300, "sh") // one too many with init
	if _, err := lineage(f, first); !errors.Is(err, errTooDeep) {
		t.Errorf("got %v", err)
	}
	if line, err := lineage(f, first+1); err != nil || len(line) != maxLineage {
		t.Errorf("got %d ancestors, %v", len(line), err)
	}
}

func TestAgentMarksAreNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range AgentMarks() {
		name := strings.TrimSuffix(m, "*")
		if name == "" || strings.ContainsAny(name, "*= ") || seen[m] {
			t.Errorf("bad mark %q", m)
		}
		seen[m] = true
	}
}
