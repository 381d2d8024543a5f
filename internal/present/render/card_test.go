package render

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
)

func TestRequest(t *testing.T) {
	for _, c := range []struct {
		name string
		r    nod.Request
		want []string // kind|title|text
	}{
		{"a command", approval("Bash", `{"command":"ls -l","description":"List files"}`), []string{"command||ls -l", "text|description|List files"}},
		{"a dialog that may be another one", nod.Request{Kind: nod.KindApproval, Tool: "Bash", Unsure: true, Display: "$ ls\nShow the key\nDo you want to proceed?", Input: json.RawMessage(`{"command":"ls"}`)},
			[]string{"command||ls", "text|terminal|Show the keyDo you want to proceed?"}},
		{"an edit whose dialog may be another one", nod.Request{Kind: nod.KindApproval, Tool: "Edit", Unsure: true, Display: "src/a.go", Input: json.RawMessage(`{"file_path":"/x"}`)},
			[]string{"json||{\n  \"file_path\": \"/x\"\n}", "text|terminal|src/a.go"}},
		{"what else it will do", approval("Bash", `{"command":"ls","timeout":5,"run_in_background":true}`),
			[]string{"command||ls", "json|run_in_background, timeout|{\n  \"run_in_background\": true,\n  \"timeout\": 5\n}"}},
		{"a field that only looks like the command", approval("Bash", `{"command":"rm -rf /","Command":"ls"}`),
			[]string{"command||rm -rf /", "json|Command|{\n  \"Command\": \"ls\"\n}"}},
		{"the last of two counts", approval("Bash", `{"command":"ls","command":"rm"}`), []string{"command||rm"}},
		{"a command that is none", approval("Bash", `{"command":["ls"]}`), []string{"json||{\n  \"command\": [\n    \"ls\"\n  ]\n}"}},
		{"a command that is nothing", approval("Bash", `{"command":null}`), []string{"json||{\n  \"command\": null\n}"}},
		{"PowerShell", approval("PowerShell", `{"command":"Get-Item x"}`), []string{"command||Get-Item x"}},
		{"an edit", approval("Edit", `{"file_path":"/a/b.go","old_string":"x := 1","new_string":"x := 2","replace_all":true}`),
			[]string{"diff|/a/b.go|−x := 1\n+x := 2\n", "json|replace_all|{\n  \"replace_all\": true\n}"}},
		{"an edit without its half", approval("Edit", `{"file_path":"/a","old_string":"x"}`), []string{"json||{\n  \"file_path\": \"/a\",\n  \"old_string\": \"x\"\n}"}},
		{"many edits", approval("MultiEdit", `{"file_path":"/a","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d","replace_all":true}]}`),
			[]string{"diff|/a (1/2)|−a\n+b\n", "diff|/a (2/2)|−c\n+d\n", "json|replace_all|{\n  \"replace_all\": true\n}"}},
		{"a broken one among many", approval("MultiEdit", `{"file_path":"/a","edits":[{"old_string":"a","new_string":"b"},null]}`),
			[]string{"json||{\n  \"file_path\": \"/a\",\n  \"edits\": [\n    {\n      \"old_string\": \"a\",\n      \"new_string\": \"b\"\n    },\n    null\n  ]\n}"}},
		{"a file", approval("Write", `{"file_path":"/a/b.py","content":"def f():\n  pass\n"}`), []string{"file|/a/b.py|def f():\n  pass\n"}},
		{"a title that hides", approval("Write", `{"file_path":"/a/\u202eb.py\nx","content":""}`), []string{"file|/a/⟨RLO⟩b.py ⏎ x|"}},
		{"a notebook", approval("NotebookEdit", `{"notebook_path":"/n.ipynb","new_source":"# T","cell_type":"markdown","edit_mode":"insert"}`),
			[]string{"file|/n.ipynb|# T", "json|cell_type, edit_mode|{\n  \"cell_type\": \"markdown\",\n  \"edit_mode\": \"insert\"\n}"}},
		{"a page", approval("WebFetch", `{"url":"https://x.example/a","prompt":"Read it"}`), []string{"text|url|https://x.example/a", "text|prompt|Read it"}},
		{"another tool", approval("mcp__db__query", `{"b":1,"a":"<x>","b":2}`), []string{"json||{\n  \"b\": 1,\n  \"a\": \"<x>\",\n  \"b\": 2\n}"}},
		{"no input at all", approval("Read", `{}`), []string{"json||{}"}},
		{"unreadable input", nod.Request{Kind: nod.KindApproval, Tool: "Bash", Display: "as told", Input: json.RawMessage(`{"comm`)}, []string{"text||as told"}},
		{"unreadable, without words", nod.Request{Kind: nod.KindApproval, Tool: "Bash", Input: json.RawMessage(`"ls"`)}, []string{"text||\"ls\""}},
		{"nothing", nod.Request{Title: "Something"}, []string{"text||Something"}},
		{"a plan", nod.Request{Kind: nod.KindPlan, Tool: "ExitPlanMode", Display: "# P", Input: json.RawMessage(`{"plan":"# P\n- a","allowedPrompts":[1]}`)},
			[]string{"markdown||P\n\na\n\n\n", "json|allowedPrompts|{\n  \"allowedPrompts\": [\n    1\n  ]\n}"}},
		{"a plan in words only", nod.Request{Kind: nod.KindPlan, Display: "**do**"}, []string{"markdown||do\n"}},
		{"an empty plan", nod.Request{Kind: nod.KindPlan, Tool: "ExitPlanMode", Input: json.RawMessage(`{}`)}, []string{"json||{}"}},
		{"a form", nod.Request{Kind: nod.KindElicitation, Display: "Your *name*?", Input: json.RawMessage(`{"type":"object"}`)}, []string{"markdown||Your name?\n"}},
		{"a question", nod.Request{Kind: nod.KindQuestion, Questions: []nod.Question{{Choices: []nod.Choice{{Label: "A", Preview: "+--+\n|a |"}, {Label: "B"}}}}},
			[]string{"text|A|+--+\n|a |"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range Request(&c.r).Parts {
				text := textOf(p.HTML)
				if p.Kind == KindDiff {
					text = strings.TrimPrefix(text, "\n")
				}
				got = append(got, p.Kind+"|"+p.Title+"|"+text)
				judge(t, c.name, p.HTML)
			}
			if strings.Join(got, "\n--\n") != strings.Join(c.want, "\n--\n") {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func approval(tool, input string) nod.Request {
	return nod.Request{Kind: nod.KindApproval, Tool: tool, Input: json.RawMessage(input), Display: "display"}
}

func TestCardAsJSON(t *testing.T) {
	b, err := json.Marshal(Request(&nod.Request{Kind: nod.KindQuestion}))
	if err != nil || string(b) != `{"parts":[]}` {
		t.Errorf("%s, %v", b, err)
	}
	r := approval("WebSearch", `{"query":"q"}`)
	b, err = json.Marshal(Request(&r))
	if err != nil || string(b) != `{"parts":[{"kind":"text","title":"query","html":"\u003cp\u003eq\u003c/p\u003e"}]}` {
		t.Errorf("%s, %v", b, err)
	}
}

func TestTurn(t *testing.T) {
	for _, c := range []struct {
		name string
		turn nod.Turn
		want string
	}{
		{"a reply is Markdown", nod.Turn{Role: nod.TurnAgent, Text: "**a**"}, "<p><strong>a</strong></p>\n"},
		{"what a person said stays as typed", nod.Turn{Role: nod.TurnPerson, Text: "**a** <b>\nc\n\n\nd\n"}, "<p>**a** &lt;b&gt;<br>c</p><p>d</p>"},
		{"a notice too", nod.Turn{Role: nod.TurnSystem, Text: "*a*\u200b"}, `<p>*a*<span class="hidden-char">⟨ZWSP⟩</span></p>`},
		{"a command that ran", nod.Turn{Role: nod.TurnTool, Tool: "Bash", Text: "ls"}, `<pre class="code command"><code><span class="c-fn">ls</span></code></pre>`},
		{"another tool", nod.Turn{Role: nod.TurnTool, Tool: "Edit", Text: "/a/b.go"}, `<pre class="code"><code>/a/b.go</code></pre>`},
		{"what was cut is told", nod.Turn{Role: nod.TurnPerson, Text: "a", Cut: 12}, `<p>a</p><p class="cut">⟨… +12 …⟩</p>`},
		{"nothing", nod.Turn{Role: nod.TurnPerson}, ""},
	} {
		if got := Turn(&c.turn); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
