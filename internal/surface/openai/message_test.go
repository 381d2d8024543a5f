package openai

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever a program sends is understood or refused with a message.
func FuzzMessages(f *testing.F) {
	f.Add(`{"messages":[{"role":"system","content":"x"},{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}]}]}`)
	f.Add(`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null},{"role":"user","content":[]}],"n":3}`)
	f.Fuzz(func(t *testing.T, body string) {
		var q asked
		if json.Unmarshal([]byte(body), &q) != nil {
			return
		}
		chat, err := q.conversation()
		if err == nil && len(chat.Before) >= len(q.Messages) {
			t.Errorf("%d messages became %d", len(q.Messages), len(chat.Before))
		}
		if err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Error("refused without a word")
		}
	})
}
