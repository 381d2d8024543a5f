package browser

import (
	"reflect"
	"strings"
	"testing"

	"nod"
)

func TestAllow(t *testing.T) {
	h, phone := onPhone(t)
	q := h.agent("shop").bash("git push origin main")
	phone.See("Run this command?")
	phone.See("sends commits to a server")
	h.request(q.id, "shown", reached(nod.StepShown))
	phone.Tap("button", "Allow")
	if got := q.allowed().Decision.Input["command"]; got != "git push origin main" {
		t.Errorf("it runs %v", got)
	}
	phone.See("Allowed by you (web app)")
	q.runs()
	phone.until("the proof that it was applied", `[...document.querySelectorAll(".chain li.done")].some((li) => li.textContent.includes("applied"))`)
	phone.See("All quiet.")
}

func reached(step nod.Step) func(*nod.Request) bool {
	return func(r *nod.Request) bool { _, ok := r.Receipt(step); return ok }
}

// The rule that is kept is the rule that was read, to the letter.
func TestAlways(t *testing.T) {
	h, phone := onPhone(t)
	suggestion := rule("Bash", "git push origin main", "localSettings")
	q := h.agent("shop").ask("Bash", fields{"command": "git push origin main"}, suggestion)
	phone.Tap("button", "Always…")
	phone.See("Bash(git push origin main)")
	phone.Tap("radio", "settings.local.json")
	phone.Tap("button", "Allow and remember")
	got := q.allowed().Decision.Permissions
	if want := []fields{{"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": []any{fields{"toolName": "Bash", "ruleContent": "git push origin main"}}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("kept: %v", got)
	}
}

// A lease answers the next request of its kind automatically, says so, and can be revoked.
func TestForAWhile(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	q := shop.bash("mkdir -p build/a")
	phone.Tap("button", "Always…")
	phone.See("For a while")
	phone.Tap("radio", "5 min")
	phone.Tap("radio", "10×")
	phone.Tap("button", "Allow and remember")
	q.runs()
	s, err := h.client.State(t.Context())
	if err != nil || len(s.Leases) != 1 || s.Leases[0].Limit != 10 {
		t.Fatalf("leases: %s, %v", describe(s.Leases), err)
	}
	next := shop.call("Bash", fields{"command": "mkdir -p build/b"})
	next.runs()
	phone.See("Allowed by an open permission, automatically")
	phone.Tap("link", "Agents")
	phone.See("1 of 10 used")
	phone.Tap("button", "Take back")
	phone.See("Taken back.")
	phone.Tap("link", "Inbox")
	last := shop.bash("mkdir -p build/c")
	phone.See("mkdir -p build/c")
	phone.Tap("button", "Deny")
	last.refused()
}

func TestEditThenAllow(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	q := shop.bash("git push origin main")
	phone.Tap("button", "Edit…")
	phone.Type("Edit, then allow", "git push origin staging")
	phone.Tap("button", "Allow this")
	if got := q.allowed().Decision.Input["command"]; got != "git push origin staging" {
		t.Errorf("it runs %v", got)
	}
	q.runs()

	edit := shop.ask("Edit", fields{"file_path": "/home/anna/src/shop/price.go", "old_string": "price := 1", "new_string": "price := 2"})
	phone.See("Change price.go?")
	phone.See("price := 2")
	phone.Tap("button", "Edit…")
	phone.Type("Edit, then allow", "price := 3")
	phone.Tap("button", "Allow this")
	if got := edit.allowed().Decision.Input; got["new_string"] != "price := 3" || got["old_string"] != "price := 1" {
		t.Errorf("it changes %v", got)
	}
}

func TestDenyWithAMessage(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	q := shop.ask("Write", fields{"file_path": "/home/anna/src/shop/notes.md", "content": "# Notes\n"})
	phone.See("Write notes.md?")
	phone.Tap("button", "Deny because…")
	phone.Type("Deny with a reason", "Put it into docs/ instead")
	phone.Tap("button", "Deny")
	if d := q.answer().Decision; d.Behavior != "deny" || d.Message != "Put it into docs/ instead" || d.Interrupt {
		t.Errorf("%+v", d)
	}
	q.refused()
	phone.See("Denied by you (web app)")

	q = shop.bash("git push origin main")
	phone.See("git push origin main")
	phone.Tap("button", "Deny because…")
	phone.Hold("button", "Deny and stop")
	if d := q.answer().Decision; d.Behavior != "deny" || !d.Interrupt {
		t.Errorf("%+v", d)
	}
	phone.See("Denied and stopped by you")
}

func TestAQuestionWithSeveralParts(t *testing.T) {
	h, phone := onPhone(t)
	q := h.agent("shop").ask("AskUserQuestion", questions)
	phone.See("Which database?")
	phone.See("1 of 3")
	phone.Tap("radio", "SQLite")
	phone.Tap("button", "Next")
	phone.See("You may choose several.")
	phone.Tap("checkbox", "Go")
	phone.Tap("checkbox", "Rust")
	phone.Tap("button", "Back") // and nothing is lost
	phone.See("Which database?")
	phone.Tap("button", "Next")
	phone.Tap("button", "Next")
	phone.See("3 of 3")
	phone.Type("In your own words…", "Tuesday, after lunch")
	phone.Tap("button", "Send answer")
	got := q.allowed().Decision.Input["answers"]
	if want := (fields{"Which database?": "SQLite", "Which languages?": "Go, Rust", "When?": "Tuesday, after lunch"}); !reflect.DeepEqual(got, want) {
		t.Errorf("answers: %v", got)
	}
	phone.See("Answered by you (web app)")
}

var questions = fields{"questions": []fields{
	{"question": "Which database?", "header": "DB", "multiSelect": false, "options": []fields{
		{"label": "Postgres", "description": "big, a server"}, {"label": "SQLite", "description": "small, a file"}}},
	{"question": "Which languages?", "header": "Languages", "multiSelect": true, "options": []fields{
		{"label": "Go", "description": "quick to build"}, {"label": "Rust", "description": "slow to build"}, {"label": "C", "description": "old"}}},
	{"question": "When?", "header": "When", "multiSelect": false, "options": []fields{
		{"label": "Today", "description": "at once"}, {"label": "Tomorrow", "description": "after tests"}}},
}}

const planText = "# Move the shop to SQLite\n\n1. Write a **migration**\n2. Run `go test ./...`\n3. Delete the old tables\n"

func TestAPlan(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	plan := fields{"plan": planText, "planFilePath": "/home/anna/.claude/plans/shop.md"}
	q := shop.ask("ExitPlanMode", plan)
	phone.See("Go on with this plan?")
	phone.until("the plan, rendered", `document.querySelector("nod-card strong")?.textContent && [...document.querySelectorAll("nod-card li")].some((li) => li.textContent.includes("migration"))`)
	phone.Tap("button", "Send back…")
	phone.Type("Send back…", "Keep the old tables")
	phone.Tap("button", "Send back")
	if d := q.answer().Decision; d.Behavior != "deny" || d.Message != "Keep the old tables" {
		t.Errorf("%+v", d)
	}
	q.refused()

	q = shop.ask("ExitPlanMode", fields{"plan": strings.ReplaceAll(planText, "Delete", "Keep"), "planFilePath": "/home/anna/.claude/plans/shop.md"})
	phone.See("Keep the old tables")
	phone.Tap("radio", "Edit freely")
	phone.Tap("button", "Approve")
	if got := q.allowed().Decision.Permissions; len(got) != 1 || got[0]["type"] != "setMode" || got[0]["mode"] != "acceptEdits" {
		t.Errorf("modes: %v", got)
	}
}

var form = fields{"type": "object", "required": []string{"room", "level"}, "properties": fields{
	"room":  fields{"type": "string", "title": "Room", "enum": []string{"kitchen", "hall"}},
	"level": fields{"type": "integer", "title": "Level", "description": "1 to 9"},
	"on":    fields{"type": "boolean", "title": "Light on"},
}}

func TestAForm(t *testing.T) {
	h, phone := onPhone(t)
	q := h.agent("shop").elicit("house", "Which room should be lit?", form)
	phone.See("house asks for this")
	phone.See("Which room should be lit?")
	phone.Tap("radio", "hall")
	phone.Type("Level: 1 to 9", "7")
	phone.Tap("radio", "Yes")
	phone.Tap("button", "Send answer")
	got := q.answer()
	if want := (fields{"room": "hall", "level": 7.0, "on": true}); got.Action != "accept" || !reflect.DeepEqual(got.Content, want) {
		t.Errorf("%s", q.out)
	}
}

// What cannot be undone is not allowed by a touch in passing.
func TestDestructiveNeedsAHold(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for _, dev := range []Device{Phone, Desktop} {
		t.Run(dev.name, func(t *testing.T) {
			p := open(t, h, dev)
			q := h.agent("shop-" + dev.name).bash("rm -rf ~/photos")
			p.See("Destructive")
			p.Tap("button", "Allow")
			p.See("Hold a little longer")
			if r := h.request(q.id, "still waiting", func(*nod.Request) bool { return true }); r.Status != nod.Pending || p.posted("/decision") {
				t.Fatalf("a tap was enough: %s", r.Status)
			}
			p.Hold("button", "Allow")
			q.allowed()
		})
	}
}
