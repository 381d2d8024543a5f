package stdio

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if role := os.Getenv("STDIO_ROLE"); role != "" {
		play(role)
		return
	}
	os.Exit(m.Run())
}

// play is the program: an echo that refuses one thing and says another unasked.
func play(role string) {
	if role == "deaf" {
		<-time.After(time.Hour)
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct {
			Type      string          `json:"type"`
			RequestID string          `json:"request_id"`
			Request   json.RawMessage `json:"request"`
			UUID      string          `json:"uuid"`
		}
		_ = json.Unmarshal(lines.Bytes(), &m)
		switch {
		case m.Type == TypeControl && strings.Contains(string(m.Request), "refuse"):
			fmt.Printf(`{"type":"control_response","response":{"subtype":"error","request_id":%q,"error":"no"}}`+"\n", m.RequestID)
		case m.Type == TypeControl:
			fmt.Println(`{"type":"control_response","response":{"subtype":"success","request_id":"of nobody"}}`)
			fmt.Printf(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":{"a":1}}}`+"\n", m.RequestID)
		case m.UUID == "end":
			fmt.Fprintln(os.Stderr, "last words")
			os.Exit(7)
		default:
			fmt.Printf("noise\n{\"type\":\"echo\",\"message\":{\"content\":%q}}\n", lines.Text())
		}
	}
}

func start(t *testing.T, role string) *Session {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(Command{Program: self, Env: []string{"STDIO_ROLE=" + role}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(0) })
	return s
}

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestASession(t *testing.T) {
	s := start(t, "echo")
	if err := s.Initialize(soon(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Control(soon(t), "refuse", nil); err == nil || !strings.Contains(err.Error(), "refuse was refused: no") {
		t.Errorf("%v", err)
	}
	long := strings.Repeat("ż", 1<<20)
	if err := s.Say(soon(t), "u1", long, "", "how"); err != nil {
		t.Fatal(err)
	}
	m := <-s.Messages()
	want := `"origin":{"kind":"human"},"parent_tool_use_id":null,"session_id":"","type":"user","uuid":"u1"}`
	if got := m.Words.Content[0].Text; !strings.Contains(got, `[{"text":"`+long+`","type":"text"},{"text":"how","type":"text"}]`) || !strings.HasSuffix(got, want) || !strings.HasPrefix(got, `{"client_composed":true,`) {
		t.Errorf("%.200s … %s", got, got[len(got)-200:])
	}
	if err := s.Say(soon(t), "end", "bye"); err != nil {
		t.Fatal(err)
	}
	if _, open := <-s.Messages(); open {
		t.Error("there was a message after the end")
	}
	<-s.Gone()
	if last, exit := s.Last(); exit == nil || exit.Error() != "exit status 7" || last != "last words" {
		t.Errorf("%v %q", exit, last)
	}
	if err := s.Say(soon(t), "u2", "x"); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
}

// A program that reads nothing does not block a caller beyond its own deadline.
func TestAProgramThatDoesNotRead(t *testing.T) {
	s := start(t, "deaf")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := s.Say(ctx, "u1", strings.Repeat("x", 1<<20)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	s.Stop(time.Minute) // it takes SIGTERM
	select {
	case <-s.Gone():
	default:
		t.Error("it is still there")
	}
}

func TestLinesThatAreNoMessages(t *testing.T) {
	text := "\n\nwarning\n{\"type\":\n{}\n[1]\n{\"type\":\"a\",\"message\":\"text\"}\n  {\"type\":\"b\",\"uuid\":\"" + strings.Repeat("x", 3<<20) + "\"}\r\n{\"type\":\"c\",\"half"
	r := newReader(strings.NewReader(text))
	var types []string
	for {
		m, err := r.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		types = append(types, m.Type)
	}
	if got := strings.Join(types, " "); got != "a b" {
		t.Errorf("%q", got)
	}
}

func TestALineThatIsTooLongIsSkipped(t *testing.T) {
	long := io.MultiReader(strings.NewReader(`{"type":"a","uuid":"`), io.LimitReader(letters{}, longestLine), strings.NewReader("\"}\n{\"type\":\"b\"}\n"))
	if m, err := newReader(long).next(); err != nil || m.Type != "b" {
		t.Errorf("%s %v", m.Type, err)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func FuzzNext(f *testing.F) {
	f.Add([]byte(`{"type":"result","is_error":true,"message":{"content":"x"}}` + "\n"))
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","input":{}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := newReader(strings.NewReader(string(text)))
		for {
			m, err := r.next()
			if err != nil {
				return
			}
			if m.Type == "" {
				t.Fatal("a message without a type")
			}
			m.About("x")
			m.Confirms("x")
			m.Why()
		}
	})
}
