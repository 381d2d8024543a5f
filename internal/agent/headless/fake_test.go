//go:build unix

package headless

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The make-believe Claude Code: this test binary, started as one. It speaks the
// control protocol and does what it is told.
const fakeRole = "FAKE_CLAUDE"

func TestMain(m *testing.M) {
	switch os.Getenv(fakeRole) {
	case "claude":
		newFake().run()
		return
	case "sleeper":
		<-time.After(time.Hour)
		return
	}
	os.Exit(m.Run())
}

type fake struct {
	out     sync.Mutex
	session string
	answers chan map[string]any
	stop    chan struct{} // an interrupt
	uuid    string
}

func newFake() *fake {
	return &fake{answers: make(chan map[string]any, 8), stop: make(chan struct{}, 8)}
}

func (f *fake) raw(text string) {
	f.out.Lock()
	defer f.out.Unlock()
	fmt.Println(text)
}

func (f *fake) send(v map[string]any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	f.raw(string(b))
}

func (f *fake) flag(name string) string {
	for _, a := range os.Args {
		if v, ok := strings.CutPrefix(a, name+"="); ok {
			return v
		}
	}
	return ""
}

func (f *fake) run() {
	if resume := f.flag("--resume"); resume != "" {
		f.session = resume
		if _, err := os.Stat(f.file()); err != nil {
			fmt.Fprintln(os.Stderr, "No conversation found with session ID: "+resume)
			f.send(map[string]any{"type": "result", "subtype": "error_during_execution", "is_error": true, "errors": []string{"No conversation found"}})
			os.Exit(1)
		}
	} else {
		f.session = f.flag("--session-id")
	}
	if os.Getenv("FAKE_START") == "fail" {
		fmt.Fprintln(os.Stderr, "Invalid MCP configuration")
		os.Exit(1)
	}
	said := make(chan string, 8)
	go func() {
		for text := range said {
			f.turn(text)
		}
	}()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct {
			Type      string `json:"type"`
			UUID      string `json:"uuid"`
			RequestID string `json:"request_id"`
			Request   struct {
				Subtype string `json:"subtype"`
			} `json:"request"`
			Response map[string]any `json:"response"`
			Message  struct {
				Content any `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch m.Type {
		case "control_request":
			if m.Request.Subtype == "interrupt" {
				f.stop <- struct{}{}
			}
			f.send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": m.RequestID, "response": map[string]any{}}})
		case "control_response":
			f.answers <- m.Response
		case "user":
			f.out.Lock()
			f.uuid = m.UUID
			f.out.Unlock()
			said <- flat(m.Message.Content)
		}
	}
}

func flat(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	var parts []string
	for _, b := range content.([]any) {
		parts = append(parts, b.(map[string]any)["text"].(string))
	}
	return strings.Join(parts, "|")
}

func (f *fake) file() string { return filepath.Join(".", f.session+".said") }

// remember counts what was said in this session, as a transcript does.
func (f *fake) remember() int {
	b, _ := os.ReadFile(f.file())
	n, _ := strconv.Atoi(string(b))
	_ = os.WriteFile(f.file(), []byte(strconv.Itoa(n+1)), 0o600)
	return n + 1
}

func (f *fake) started() {
	f.send(map[string]any{"type": "command_lifecycle", "command_uuid": f.uuid, "state": "started"})
	f.send(map[string]any{"type": "system", "subtype": "init", "model": "fake-1", "permissionMode": "default"})
}

func (f *fake) stream(e map[string]any) { f.send(map[string]any{"type": "stream_event", "event": e}) }

// write streams a text in small pieces and then tells it whole.
func (f *fake) write(id, text string) {
	f.stream(map[string]any{"type": "message_start", "message": map[string]any{"id": id, "usage": map[string]any{"input_tokens": 100, "output_tokens": 1}}})
	for rest := text; rest != ""; {
		n := min(len(rest), 7)
		if len(text) > 10_000 {
			n = len(rest)
		}
		for n < len(rest) && rest[n]&0xC0 == 0x80 {
			n++
		}
		f.stream(map[string]any{"type": "content_block_delta", "delta": map[string]any{"type": "text_delta", "text": rest[:n]}})
		rest = rest[n:]
	}
	f.send(map[string]any{"type": "assistant", "message": map[string]any{"id": id, "content": []any{map[string]any{"type": "text", "text": text}}}})
}

func (f *fake) result(more map[string]any) {
	m := map[string]any{"type": "result", "subtype": "success", "is_error": false, "user_message_uuid": f.uuid,
		"modelUsage": map[string]any{"fake-1": map[string]any{"contextWindow": 200000}}}
	for k, v := range more {
		m[k] = v
	}
	f.send(m)
}

func (f *fake) reply(text string) {
	f.write("msg_"+f.uuid, text)
	f.result(map[string]any{"result": text})
}

func (f *fake) aborted() {
	f.result(map[string]any{"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming"})
}

// use makes a tool call and asks for it; it returns what the host said.
func (f *fake) use(tool string, input, more map[string]any) map[string]any {
	id := "toolu_" + f.uuid
	f.send(map[string]any{"type": "assistant", "message": map[string]any{"id": "m0", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}}})
	request := map[string]any{"subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": id,
		"permission_suggestions": []any{map[string]any{"type": "addRules", "rules": []any{map[string]any{"toolName": tool}}, "behavior": "allow", "destination": "session"}}}
	for k, v := range more {
		request[k] = v
	}
	f.send(map[string]any{"type": "control_request", "request_id": "c-" + f.uuid, "request": request})
	select {
	case a := <-f.answers:
		response, _ := a["response"].(map[string]any)
		f.send(map[string]any{"type": "user", "message": map[string]any{"content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": response["behavior"] != "allow"}}}})
		return response
	case <-f.stop:
		f.send(map[string]any{"type": "control_cancel_request", "request_id": "c-" + f.uuid})
		return nil
	}
}

func (f *fake) turn(text string) {
	n := f.remember()
	word, rest, _ := strings.Cut(text, " ")
	word, _, _ = strings.Cut(word, "|")
	if word == "deaf" {
		os.Exit(4)
	}
	f.started()
	switch word {
	case "count":
		f.reply(strconv.Itoa(n))
	case "crash":
		f.write("m1", "half of ")
		os.Exit(3)
	case "hang", "stubborn":
		f.write("m1", "thinking ")
		<-f.stop
		if word == "stubborn" {
			select {}
		}
		f.aborted()
	case "garbage":
		f.raw("not json at all")
		f.raw(`{"type":`)
		f.raw(`{"type":"system","subtype":"notification","message":"a text where others have an object"}`)
		f.raw(`{"type":"something_new","message":{"content":7}}`)
		f.raw("")
		f.reply("still here")
	case "big":
		size, _ := strconv.Atoi(rest)
		f.reply(strings.Repeat("0123456789", size/10))
	case "tool":
		response := f.use("Bash", map[string]any{"command": rest}, nil)
		if response == nil {
			f.aborted()
			return
		}
		b, _ := json.Marshal(response)
		f.reply(string(b))
	case "careful":
		f.use("Bash", map[string]any{"command": "rm x"}, map[string]any{"default_to_no": true, "suppress_always_allow_rule": true})
		f.reply("done")
	case "question":
		b, _ := json.Marshal(f.use("AskUserQuestion", map[string]any{"questions": []any{map[string]any{"question": "Which?", "options": []any{map[string]any{"label": "A"}, map[string]any{"label": "B"}}}}}, map[string]any{"requires_user_interaction": true}))
		f.reply(string(b))
	case "form":
		f.send(map[string]any{"type": "control_request", "request_id": "e1", "request": map[string]any{"subtype": "elicitation", "mcp_server_name": "house", "message": "Which room?",
			"requested_schema": map[string]any{"type": "object", "properties": map[string]any{"room": map[string]any{"type": "string"}}}}})
		a := <-f.answers
		b, _ := json.Marshal(a["response"])
		f.reply(string(b))
	case "changed":
		f.send(map[string]any{"type": "control_request", "request_id": "c1", "request": map[string]any{"subtype": "can_use_tool", "tool_name": "Bash", "input": map[string]any{"command": "ls"}, "tool_use_id": "t1"}})
		f.send(map[string]any{"type": "control_request", "request_id": "c2", "request": map[string]any{"subtype": "can_use_tool", "tool_name": "Bash", "input": map[string]any{"command": "pwd"}, "tool_use_id": "t2"}})
		f.send(map[string]any{"type": "control_cancel_request", "request_id": "c1"})
		<-f.answers
		f.reply("changed my mind")
	case "strange":
		f.send(map[string]any{"type": "control_request", "request_id": "x1", "request": map[string]any{"subtype": "no_such_thing"}})
		a := <-f.answers
		f.reply(fmt.Sprint(a["subtype"]))
	case "paragraphs":
		f.write("m1", "First.")
		f.stream(map[string]any{"type": "content_block_start", "content_block": map[string]any{"type": "tool_use"}})
		f.use("Bash", map[string]any{"command": "ls"}, nil)
		f.write("m2", "Second.")
		f.use("Bash", map[string]any{"command": "pwd"}, nil)
		f.result(map[string]any{"result": "Second."})
	case "marker":
		f.reply("I need a yes.\nPERMISSION_REQUIRED: turn everything off | COMMANDS: light.off, door.lock")
	case "background": // something asks, and the answer does not wait for it
		f.send(map[string]any{"type": "control_request", "request_id": "b1", "request": map[string]any{"subtype": "can_use_tool", "tool_name": "Bash", "input": map[string]any{"command": "ls"}, "tool_use_id": "t1", "agent_id": "a1"}})
		f.reply("the answer")
	case "told":
		select {
		case a := <-f.answers:
			b, _ := json.Marshal(a["response"])
			f.reply(string(b))
		case <-time.After(2 * time.Second):
			f.reply("nothing")
		}
	case "flood":
		f.raw(strings.Repeat("x", 80<<20))
		f.reply("still here")
	case "retry":
		f.send(map[string]any{"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 3, "error_status": 529})
		<-f.stop
		f.aborted()
	case "limit":
		f.send(map[string]any{"type": "rate_limit_event", "rate_limit_info": map[string]any{"status": "rejected", "resetsAt": time.Now().Add(time.Hour).Unix()}})
		f.failed("rate_limit", 429, "You've hit your 5-hour limit")
	case "overloaded":
		f.failed("server_error", 529, "API Error: 529 Overloaded.")
	case "nologin":
		f.failed("authentication_failed", 0, "Not logged in · Please run /login")
	case "unwell":
		f.failed("invalid_request", 400, "API Error: 400 no such model")
	case "child":
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{fakeRole + "=sleeper"}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		f.reply(strconv.Itoa(cmd.Process.Pid))
	case "rogue": // it does not end when it is asked to, and its tool has a group of its own
		signal.Ignore(syscall.SIGTERM)
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.SysProcAttr = []string{fakeRole + "=sleeper"}, &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		f.write("m1", strconv.Itoa(cmd.Process.Pid)+"\n")
		f.use("Bash", map[string]any{"command": "wait"}, nil)
	case "who":
		env := os.Environ()
		cwd, _ := os.Getwd()
		f.reply(strings.Join(os.Args[1:], "\n") + "\n" + strings.Join(env, "\n") + "\ncwd=" + cwd)
	default:
		f.reply("heard " + text)
	}
}

func (f *fake) failed(name string, code int, text string) {
	f.send(map[string]any{"type": "assistant", "is_api_error_message": true, "error": name, "message": map[string]any{"id": "synth", "model": "<synthetic>", "content": []any{map[string]any{"type": "text", "text": text}}}})
	m := map[string]any{"is_error": true, "result": text, "terminal_reason": "api_error", "api_error_status": nil}
	if code > 0 {
		m["api_error_status"] = code
	}
	f.result(m)
}
