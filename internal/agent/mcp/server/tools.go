package server

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// contexts are those of the original project. Others are accepted too.
const contexts = `["git_operations","debugging","testing","question_yesno","question_choice","file_operations","default"]`

const fourStrings = `{"type":"array","items":{"type":"string"},"minItems":4,"maxItems":4`

// addTools has literal schemas: they are the wire format, which must not change with a
// Go type.
func (s *server) addTools() {
	harmless, local := false, false
	quiet := &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &local}
	tells := &sdk.ToolAnnotations{DestructiveHint: &harmless, OpenWorldHint: &local}
	tool := func(name, about, properties string, a *sdk.ToolAnnotations, h handler) {
		s.add(&sdk.Tool{Name: name, Description: about, InputSchema: json.RawMessage(properties), Annotations: a}, h)
	}
	tool("ask_person", "Ask the person you work for, on whatever device they have at hand, and wait for the answer, however long it takes. "+
		"Offer options where you can; they may always answer in their own words unless options_only is set. "+
		"The answer may be a refusal to answer: then decide yourself or stop.", `{"type":"object","properties":{
		"question":{"type":"string","description":"One clear question, understandable without seeing your screen"},
		"options":{"type":"array","maxItems":20,"description":"Possible answers, the one you recommend first","items":{"anyOf":[{"type":"string"},{"type":"object","properties":{"label":{"type":"string"},"description":{"type":"string"}},"required":["label"]}]}},
		"multi_select":{"type":"boolean","description":"Several options may be chosen"},
		"options_only":{"type":"boolean","description":"No other answer than the options is of use"},
		"details":{"type":"string","description":"What they need to know to answer"}},"required":["question"]}`, tells, s.askPerson)
	tool("notify_person", "Tell the person something that needs no answer: a result, a surprise, a risk you saw.", `{"type":"object","properties":{
		"message":{"type":"string"},
		"important":{"type":"boolean","description":"They should come and look now"}},"required":["message"]}`, tells, s.notifyPerson)
	tool("show_progress", "Show how far long work is.", `{"type":"object","properties":{
		"message":{"type":"string","description":"What you are doing, in a few words"},
		"done":{"type":"number"},"total":{"type":"number"}},"required":["message"]}`, tells, s.showProgress)
	tool("get_decisions", "What was decided about your own requests lately, newest first.", `{"type":"object","properties":{
		"limit":{"type":"integer","minimum":1,"maximum":50}}}`, quiet, s.getDecisions)
	tool("permission", "For --permission-prompt-tool: asks the person whether a tool call may be made. Not for calling yourself.", `{"type":"object","properties":{
		"tool_name":{"type":"string"},"input":{"type":"object"},"tool_use_id":{"type":"string"}},"required":["tool_name","input"]}`, tells, s.permission)
	tool("update_keyboard_context", "Tell the keyboard what you are doing, so that its keys fit.", `{"type":"object","properties":{
		"context":{"type":"string","enum":`+contexts+`},"detail":{"type":"string"}},"required":["context"]}`, tells, s.updateContext)
	tool("set_keyboard_buttons", "Put your own suggestions on the four keys of the keyboard. A press says the action to you; it approves nothing.", `{"type":"object","properties":{
		"buttons":`+fourStrings+`,"description":"What the keys show"},
		"actions":`+fourStrings+`,"description":"What a press says to you, at most 90 characters: the person reads it before it is sent. The same as buttons if left out"},
		"images":`+fourStrings+`,"description":"Names of pictures"}},"required":["buttons"]}`, tells, s.setButtons)
	tool("get_keyboard_status", "What the keyboard shows.", `{"type":"object","properties":{}}`, quiet, s.getStatus)
}
