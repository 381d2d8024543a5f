package bench

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// program is something that is started again and again.
type program struct {
	name string
	argv []string
	env  []string
	took sample
}

// started is one run of a program. There are no goroutines and no copying
// around it, so that the same little is measured with every program.
type started struct {
	process *os.Process
	stdout  *os.File
	at      time.Time
}

func (p *program) start(b *testing.B, stdin string) started {
	b.Helper()
	in, err := os.Open(stdin)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	out, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	s := started{stdout: out, at: time.Now()}
	s.process, err = os.StartProcess(p.argv[0], p.argv, &os.ProcAttr{Env: p.env, Files: []*os.File{in, w, os.Stderr}})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// wait returns how long the process lived and what it said.
func (s started) wait(b *testing.B) (time.Duration, string) {
	b.Helper()
	state, err := s.process.Wait()
	took := time.Since(s.at)
	if err != nil || !state.Success() {
		b.Fatalf("%v %v", state, err)
	}
	defer s.stdout.Close()
	said, err := io.ReadAll(s.stdout)
	if err != nil {
		b.Fatal(err)
	}
	return took, string(said)
}

// once runs the program to its end and keeps the time.
func (p *program) once(b *testing.B, stdin string) time.Duration {
	b.Helper()
	took, _ := p.start(b, stdin).wait(b)
	p.took = append(p.took, took)
	return took
}

// flusher is the least that remembering something durably costs.
type flusher struct {
	file *os.File
	took sample
}

func newFlusher(b *testing.B, dir string) *flusher {
	b.Helper()
	f, err := os.Create(filepath.Join(dir, "flush"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.Close() })
	return &flusher{file: f}
}

func (f *flusher) once(b *testing.B) time.Duration {
	b.Helper()
	page := make([]byte, 4096)
	at := time.Now()
	if _, err := f.file.Write(page); err != nil {
		b.Fatal(err)
	}
	if err := f.file.Sync(); err != nil {
		b.Fatal(err)
	}
	took := time.Since(at)
	f.took = append(f.took, took)
	return took
}
