package api_test

import (
	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/present/render"
)

// operation is what the description says of a route beyond what the route says
// of itself.
type operation struct {
	id, summary string
	query       []param
	in          any         // the body
	out         map[int]any // what comes back when it works: a value of the type, text, or nil for nothing
	fails       []int       // besides 401 and 403, which follow from the right
}

type param struct{ name, in, kind, about string }

// text is an answer that is not JSON, by its media type.
type text string

var (
	pLimit  = param{"limit", "query", "integer", "How many, from 1 to 1000; 100 if not given."}
	pBefore = param{"before", "query", "integer", "Only what lies before this place in the log."}
	pAfter  = param{"after", "query", "integer", "The place in the log after which to begin."}
)

var historyFilters = []param{
	{"q", "query", "string", "Only what holds these words, in any case: title, text, tool, agent, folder, who decided, messages."},
	{"agent", "query", "string", "Only of this agent."},
	{"verdict", "query", "string", "Only allow, deny, answer, expired or withdrawn."},
	{"by", "query", "string", "Only what this one decided; automatic: what nod decided by rule or lease; person: what it did not."},
	{"from", "query", "string", "Only what was asked at this time or later (RFC 3339)."},
	{"to", "query", "string", "Only what was asked before this time (RFC 3339)."},
}

// operations describes every route. One that is missing here fails the test.
var operations = map[string]operation{
	"GET /health": {
		id: "health", summary: "Whether the hub lives; who you are to it with a credential; more with the right view.",
		out: map[int]any{200: v1.Health{}},
	},
	"GET /health/live": {
		id: "live", summary: "Whether the program runs, for whoever restarts it.",
		out: map[int]any{200: v1.Standing{}},
	},
	"GET /health/ready": {
		id: "ready", summary: "Whether this hub should be asked now, for a load balancer: 503 while it closes or cannot reach its log.",
		out: map[int]any{200: v1.Standing{}, 503: v1.Standing{}},
	},
	"GET /v1/openapi.json": {
		id: "describe", summary: "This description.",
		out: map[int]any{200: text("application/json")},
	},
	"GET /v1/me": {
		id: "me", summary: "Who the hub takes you for, and what you may do.",
		out: map[int]any{200: v1.Me{}},
	},
	"DELETE /v1/me": {
		id: "signOut", summary: "Ends the token that this very request came with, and the browser's cookie.",
		out: map[int]any{204: nil},
	},
	"GET /v1/history": {
		id: "history", summary: "What was settled, newest first, with a search. next is the place to go on from; without it there is no more.",
		query: append([]param{pBefore, pLimit}, historyFilters...),
		out:   map[int]any{200: v1.History{}}, fails: []int{400},
	},
	"GET /v1/history.csv": {
		id: "historyCSV", summary: "The same as a table, all of it.",
		query: historyFilters,
		out:   map[int]any{200: text("text/csv")}, fails: []int{400},
	},
	"GET /v1/history.json": {
		id: "historyJSON", summary: "The same as a JSON array of requests, all of it.",
		query: historyFilters,
		out:   map[int]any{200: text("application/json")}, fails: []int{400},
	},
	"GET /v1/state": {
		id: "state", summary: "What there is now. Follow /v1/events from its seq and nothing is missed.",
		out: map[int]any{200: nod.Snapshot{}}, fails: []int{400},
	},
	"GET /v1/events": {
		id: "follow", summary: "Every fact as it happens, as server-sent events: id is its place in the log, data an Event. " +
			"Without after and Last-Event-ID it begins now. The event gap means that the log does not reach back that far: take a new state. " +
			"The event end says why the hub ends the stream. Both carry a Failure.",
		query: []param{pAfter, {"Last-Event-ID", "header", "integer", "Like after, and wins over it."}},
		out:   map[int]any{200: text("text/event-stream")}, fails: []int{400},
	},
	"GET /v1/log": {
		id: "log", summary: "The log itself, oldest first, with the exact bytes that the hashes cover: hash = SHA-256(hash before + bytes of event). " +
			"From the start of a log that was pruned, the checkpoint tells what the first entry follows, signed with Ed25519.",
		query: []param{pAfter, pLimit},
		out:   map[int]any{200: v1.LogList{}}, fails: []int{400, 410},
	},
	"GET /v1/requests": {
		id: "listRequests", summary: "Requests, newest first.",
		query: []param{
			{"status", "query", "string", "Only those that are pending, decided, expired or withdrawn."},
			{"agent", "query", "string", "Only those of this agent."}, pBefore, pLimit,
		},
		out: map[int]any{200: v1.RequestList{}}, fails: []int{400},
	},
	"GET /v1/requests/{id}": {
		id: "getRequest", summary: "One request, by its id or by first letters that only it has.",
		out: map[int]any{200: nod.Request{}}, fails: []int{400, 404},
	},
	"GET /v1/requests/{id}/card": {
		id: "card", summary: "A request drawn as safe HTML: commands and files with colours, edits as diffs, plans as text.",
		out: map[int]any{200: render.Card{}}, fails: []int{400, 404},
	},
	"POST /v1/requests/{id}/decision": {
		id: "decide", summary: "Answers a request; id must be whole. The first answer wins: whoever is later gets 409 with the request as it was settled.",
		in: nod.Answer{}, out: map[int]any{200: nod.Decision{}}, fails: []int{400, 404, 409, 413, 422},
	},
	"POST /v1/requests/{id}/shown": {
		id: "shown", summary: "Tells the hub that a person can see the request on this device.",
		out: map[int]any{204: nil}, fails: []int{404},
	},
	"GET /v1/agents": {
		id: "listAgents", summary: "The agents, oldest first.",
		out: map[int]any{200: v1.AgentList{}}, fails: []int{400},
	},
	"GET /v1/agents/{id}": {
		id: "getAgent", summary: "One agent, by its id or by first letters that only it has.",
		out: map[int]any{200: nod.Agent{}}, fails: []int{400, 404},
	},
	"GET /v1/agents/{id}/turns": {
		id: "listTurns", summary: "What was said and done with an agent, newest first.",
		query: []param{pBefore, pLimit, {"html", "query", "string", "1: each turn also drawn as safe HTML."}},
		out:   map[int]any{200: v1.TurnList{}}, fails: []int{400, 404},
	},
	"GET /v1/agents/{id}/suggestions": {
		id: "suggest", summary: "Buttons that fit the moment, the likeliest first: the options of what the agent asks, else what people often say then. " +
			"A press does what do says: decide: POST the answer to the request; say: POST the text as a turn; stop: POST interrupt; background: POST that key; page: ask here again with that page; open: show nod in a browser. " +
			"Labels come in the language of Accept-Language.",
		query: []param{
			{"most", "query", "integer", "How many buttons there are, from 1 to 12; 4 if not given."},
			{"page", "query", "integer", "Which page of buttons; 0 if not given."},
			{"holds", "query", "string", "1: a long press can be told from a short one, so what is risky may be offered with hold."},
			{"reads", "query", "string", "1: the whole request is before the person's eyes."},
		},
		out: map[int]any{200: v1.Advice{}}, fails: []int{400, 404},
	},
	"GET /v1/assistants": {
		id: "listAssistants", summary: "Whom a conversation can be opened with. The first is meant when nobody is named.",
		out: map[int]any{200: v1.AssistantList{}},
	},
	"POST /v1/agents": {
		id: "open", summary: "Opens a conversation with an assistant. What comes is an agent that can be spoken to; sent again with the same id it is the same one. 503: this hub has no assistant.",
		in: v1.NewConversation{}, out: map[int]any{201: nod.Agent{}}, fails: []int{400, 404, 409, 413, 503},
	},
	"GET /v1/agents/{id}/draft": {
		id: "followDraft", summary: "What an agent is writing, as server-sent events: each event piece is a Draft, from the beginning of the answer it is at, and then of every answer it begins. " +
			"It is no fact: the whole answer comes as a turn in the log. The event end says why the hub ends the stream.",
		out: map[int]any{200: text("text/event-stream")}, fails: []int{400, 404},
	},
	"DELETE /v1/agents/{id}": {
		id: "leave", summary: "Ends a conversation; id must be whole. 409 with the code unreachable: the agent has a terminal of its own.",
		out: map[int]any{204: nil}, fails: []int{404, 409},
	},
	"POST /v1/agents/{id}/turns": {
		id: "say", summary: "Says something to an agent. 202: it is recorded and on its way; the events message.delivered and message.failed tell how it ended. Sent again with the same id it is the same message. 409 with the code unreachable: there is no way to that agent.",
		in: v1.NewMessage{}, out: map[int]any{202: nod.Message{}}, fails: []int{400, 404, 409, 413},
	},
	"POST /v1/attachments": {
		id: "attach", summary: "Keeps a file for a message that will name its id. The body is the file, up to 20 MB; it is kept for a week.",
		query: []param{{"name", "query", "string", "What the file is called."}},
		out:   map[int]any{201: nod.Attachment{}}, fails: []int{400, 413},
	},
	"POST /v1/agents/{id}/keys": {
		id: "press", summary: "Presses a key of an agent's terminal: background (Ctrl+B) or mode (Shift+Tab). 202: it is recorded and pressed within seconds, or not at all; " +
			"what came of it is in the agent's mode, or in a turn of the role system whose tool is the key. 409 with the code unreachable: nod cannot press keys there.",
		in: v1.NewKey{}, out: map[int]any{202: nil}, fails: []int{400, 404, 409},
	},
	"POST /v1/agents/{id}/interrupt": {
		id: "interrupt", summary: "Stops one agent: what it asks is refused, and it is told to stop.",
		out: map[int]any{200: v1.Stopped{}}, fails: []int{404},
	},
	"POST /v1/stop": {
		id: "stopAll", summary: "The red button: every lease ends, everything that waits is refused, every agent at work is told to stop.",
		out: map[int]any{200: v1.Stopped{}},
	},
	"GET /v1/leases": {
		id: "listLeases", summary: "The leases that live, oldest first.",
		out: map[int]any{200: v1.LeaseList{}},
	},
	"POST /v1/leases": {
		id: "grantLease", summary: "Consent given beforehand: what the rules allow needs no person for so many minutes and times, within an agent, a folder or a host.",
		in: v1.NewLease{}, out: map[int]any{201: nod.Lease{}}, fails: []int{400, 404, 413},
	},
	"DELETE /v1/leases/{id}": {
		id: "revokeLease", summary: "Takes a lease back.",
		out: map[int]any{200: nod.Lease{}}, fails: []int{404},
	},
	"GET /v1/tokens": {
		id: "listTokens", summary: "The credentials, oldest first, without their secrets.",
		out: map[int]any{200: v1.TokenList{}},
	},
	"POST /v1/tokens": {
		id: "createToken", summary: "Makes a credential. Its secret is told this once.",
		in: v1.NewToken{}, out: map[int]any{201: v1.FreshToken{}}, fails: []int{400, 413},
	},
	"DELETE /v1/tokens/{id}": {
		id: "revokeToken", summary: "Ends a credential at once, also on open streams.",
		out: map[int]any{204: nil}, fails: []int{404},
	},
	"POST /v1/pairings": {
		id: "createPairing", summary: "Makes a code that admits one device within two minutes. Without rights the device gets view,answer.",
		in: v1.NewPairing{}, out: map[int]any{201: v1.Pairing{}}, fails: []int{400, 413, 503},
	},
	"POST /v1/pair": {
		id: "pair", summary: "Trades a pairing code for a token. After five wrong codes a minute must pass.",
		in: v1.Redemption{}, out: map[int]any{201: v1.FreshToken{}}, fails: []int{400, 401, 413, 503},
	},
}

// components are the types that have a name in the description.
var components = map[string]any{
	"Actor": nod.Actor{}, "Agent": nod.Agent{}, "AgentList": v1.AgentList{}, "AgentRef": nod.AgentRef{}, "Answer": nod.Answer{},
	"Act": v1.Act{}, "Advice": v1.Advice{}, "Button": v1.Button{},
	"Choice": nod.Choice{}, "Decision": nod.Decision{}, "Event": nod.Event{}, "Failure": v1.Failure{}, "FreshToken": v1.FreshToken{},
	"Attachment": nod.Attachment{}, "Lease": nod.Lease{}, "LeaseEnd": nod.LeaseEnd{}, "LeaseList": v1.LeaseList{}, "Message": nod.Message{}, "NewLease": v1.NewLease{},
	"NewMessage": v1.NewMessage{}, "NewKey": v1.NewKey{}, "Stopped": v1.Stopped{}, "Stopping": nod.Stopping{}, "Terms": nod.Terms{},
	"History": v1.History{}, "Me": v1.Me{},
	"Assistant": nod.Assistant{}, "AssistantList": v1.AssistantList{}, "Conversation": nod.Conversation{}, "Context": nod.Context{}, "Draft": nod.Draft{},
	"NewConversation": v1.NewConversation{},
	"Health":          v1.Health{}, "Host": nod.Host{}, "Standing": v1.Standing{}, "LogEntry": v1.LogEntry{}, "LogList": v1.LogList{}, "Checkpoint": nod.Checkpoint{}, "NewPairing": v1.NewPairing{}, "NewToken": v1.NewToken{},
	"Option": nod.Option{}, "Pairing": v1.Pairing{}, "Process": nod.Process{}, "Question": nod.Question{}, "Receipt": nod.Receipt{},
	"Redemption": v1.Redemption{}, "Request": nod.Request{}, "RequestList": v1.RequestList{}, "Risk": nod.Risk{}, "State": nod.Snapshot{},
	"Subagent": nod.Subagent{}, "Suggestion": nod.Suggestion{}, "Token": v1.Token{}, "TokenList": v1.TokenList{}, "Turn": nod.Turn{}, "DrawnTurn": v1.DrawnTurn{}, "Card": render.Card{}, "Part": render.Part{},
	"TurnList": v1.TurnList{}, "Withdrawal": nod.Withdrawal{},
}
