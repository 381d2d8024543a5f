package fakeapi

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// conversation plays the agent's part: it sends what was said so far and keeps what comes back.
type conversation struct {
	t        *testing.T
	api      *API
	messages []map[string]any
}

func (c *conversation) user(content ...any) {
	c.messages = append(c.messages, map[string]any{"role": "user", "content": content})
}

func text(s string) any { return map[string]any{"type": "text", "text": s} }

func toolResult(id, s string) any {
	return map[string]any{"type": "tool_result", "tool_use_id": id, "content": s}
}

// next is the reply as one line: its status if it failed, else its text and tool ids.
func (c *conversation) next() string {
	c.t.Helper()
	body, err := json.Marshal(map[string]any{"model": "m", "messages": c.messages, "tools": []any{map[string]any{"name": "Bash"}}})
	if err != nil {
		c.t.Fatal(err)
	}
	resp, err := http.Post(c.api.URL()+"/v1/messages?beta=true", "application/json", bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return resp.Status[:3]
	}
	var message struct {
		Content []struct{ Type, Text, ID string }
	}
	if err := json.Unmarshal(raw, &message); err != nil {
		c.t.Fatal(err)
	}
	c.messages = append(c.messages, map[string]any{"role": "assistant", "content": message.Content})
	var parts []string
	for _, b := range message.Content {
		parts = append(parts, b.Text+b.ID)
	}
	return strings.Join(parts, " ")
}

func (c *conversation) expect(want string) {
	c.t.Helper()
	if got := c.next(); got != want {
		c.t.Errorf("the model replied %q, want %q", got, want)
	}
}

func talk(t *testing.T) *conversation {
	api := Start()
	t.Cleanup(api.Close)
	return &conversation{t: t, api: api}
}

func TestStepsFollowTheConversation(t *testing.T) {
	c := talk(t)
	ls := Call{ID: "toolu_ls", Name: "Bash", Input: map[string]any{"command": "ls"}}
	c.api.On("list", Overloaded(), Use(ls).WithText("looking"), RateLimited(time.Now().Add(time.Hour)), Say("done"))

	c.user(text("<system-reminder>list</system-reminder>"), text("list"))
	c.expect("529")
	c.expect("looking toolu_ls")
	c.user(toolResult("toolu_ls", "a b"))
	c.expect("429")
	c.expect("done")
	if got, _ := c.api.ToolResult("toolu_ls"); got.Text != "a b" {
		t.Errorf("tool result %+v", got)
	}
	c.user(text("something else"))
	c.expect("ok")

	c.user(text("list")) // again, later in the same conversation
	c.expect("529")
	c.expect("looking toolu_ls_2")
}

func TestInterruptionEndsTheTurn(t *testing.T) {
	c := talk(t)
	c.api.On("go", Use(Call{ID: "toolu_1", Name: "Bash"}), Say("never said"))

	c.user(text("go"))
	c.expect("toolu_1")
	c.user(toolResult("toolu_1", "refused"), text("[Request interrupted by user for tool use]"), text("and now?"))
	c.expect("ok")
}

func TestScriptMatchesPartOfWrappedText(t *testing.T) {
	c := talk(t)
	c.api.OnContaining("Stop hook feedback", Say("I read the feedback"))

	c.user(text("Stop hook feedback: go on"))
	c.expect("I read the feedback")
}
