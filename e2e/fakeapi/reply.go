package fakeapi

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
)

type reply struct {
	id, model, stop string
	blocks          []map[string]any
}

// reply gives every message its own id: Claude Code merges two with the same id. For the same reason a call that is
// sent again, because its prompt was repeated, gets a numbered id.
func (a *API) reply(req Request, step Step) reply {
	out := reply{id: "msg_" + rand.Text(), model: req.Model, stop: "end_turn", blocks: []map[string]any{}}
	if step.text != "" {
		out.blocks = append(out.blocks, map[string]any{"type": "text", "text": step.text})
	}
	for _, call := range step.calls {
		out.stop = "tool_use"
		out.blocks = append(out.blocks, map[string]any{
			"type": "tool_use", "id": a.serve(call), "name": call.Name, "input": call.Input,
		})
	}
	return out
}

func (a *API) serve(call Call) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.served[call.ID]++
	if n := a.served[call.ID]; n > 1 {
		return fmt.Sprintf("%s_%d", call.ID, n)
	}
	return call.ID
}

func (r reply) message() map[string]any {
	return map[string]any{
		"id": r.id, "type": "message", "role": "assistant", "model": r.model,
		"content": r.blocks, "stop_reason": r.stop, "stop_sequence": nil, "usage": usage(20),
	}
}

func usage(output int) map[string]any {
	return map[string]any{
		"input_tokens": 100, "output_tokens": output,
		"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
	}
}

func (r reply) writeSSE(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	start := r.message()
	start["content"], start["stop_reason"], start["usage"] = []any{}, nil, usage(1)
	event(w, "message_start", map[string]any{"message": start})
	for i, b := range r.blocks {
		opening, delta := streamed(b)
		event(w, "content_block_start", map[string]any{"index": i, "content_block": opening})
		event(w, "content_block_delta", map[string]any{"index": i, "delta": delta})
		event(w, "content_block_stop", map[string]any{"index": i})
	}
	event(w, "message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": r.stop, "stop_sequence": nil}, "usage": usage(20),
	})
	event(w, "message_stop", map[string]any{})
}

// streamed splits a finished block into its empty opening and the one delta that fills it.
func streamed(b map[string]any) (opening, delta map[string]any) {
	if b["type"] == "text" {
		return map[string]any{"type": "text", "text": ""},
			map[string]any{"type": "text_delta", "text": b["text"]}
	}
	input, err := json.Marshal(b["input"])
	if err != nil {
		panic(err) // a test scripted an input that is not JSON
	}
	return map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}},
		map[string]any{"type": "input_json_delta", "partial_json": string(input)}
}

func event(w http.ResponseWriter, name string, data map[string]any) {
	data["type"] = name
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, raw)
	_ = http.NewResponseController(w).Flush() // a lost connection shows in the next write
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the agent hung up; there is no one to report to
}

func writeFailure(w http.ResponseWriter, status int, kind, message string) {
	writeJSON(w, status, map[string]any{
		"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_" + rand.Text(),
	})
}
