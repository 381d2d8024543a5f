package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"nod"
)

// attacks are texts that try to become markup.
var attacks = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
	`<img src=x onerror=alert(1)>`,
	`<img/src="x"/onerror="alert(1)">`,
	`<svg onload=alert(1)>`,
	`<svg><script>alert(1)</script></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<object data="data:text/html,<script>alert(1)</script>">`,
	`<embed src="javascript:alert(1)">`,
	`<body onload=alert(1)>`,
	`<details open ontoggle=alert(1)>`,
	`<form action="javascript:alert(1)"><button>x`,
	`<a href="javascript:alert(1)">x</a>`,
	`<base href="https://evil.example/">`,
	`<link rel=stylesheet href=//evil.example>`,
	`<meta http-equiv=refresh content="0;url=https://evil.example">`,
	`<style>@import 'https://evil.example'</style>`,
	`<!--<img src="--><img src=x onerror=alert(1)>">`,
	`<![CDATA[<script>alert(1)</script>]]>`,
	`<?xml version="1.0"?><x onload=alert(1)>`,
	`</code></pre></div></body><script>alert(1)</script>`,
	`</textarea></title><script>alert(1)</script>`,
	`<<script>script>alert(1)</</script>script>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`[x](javascript:alert(1))`,
	`[x](JaVaScRiPt:alert(1))`,
	"[x](java\tscript:alert(1))",
	"[x](java\nscript:alert(1))",
	"[x](\x01javascript:alert(1))",
	`[x](&#106;avascript:alert(1))`,
	`[x](&#x6A;&#x61;vascript&colon;alert(1))`,
	`[x](javascript&#58;alert(1))`,
	`[x](\javascript:alert(1))`,
	`[x](<javascript:alert(1)>)`,
	`[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
	`[x](vbscript:msgbox(1))`,
	`[x](javascript://a.example/%0aalert(1))`,
	`<javascript://a.example/%0aalert(1)>`,
	`[x](file:///etc/passwd)`,
	`[x](//evil.example)`,
	`[x](/v1/stop)`,
	`[x](https:evil.example)`,
	`[x](http://)`,
	`[x](https://a.[x) https://a:b/ https://[::1]:8/ https://a%2eb/ https://a/%zz`,
	`[x](https://good.example@evil.example/)`,
	`[x](https://good.example\@evil.example/)`,
	`[x](https://a.example/" onmouseover="alert(1))`,
	`[x](https://a.example/' onmouseover='alert(1))`,
	`[x](<https://a.example/ onclick=alert(1)>)`,
	`[x](https://a.example/&quot;onclick=alert(1))`,
	`[x](https://a.example "t\" onclick=\"alert(1)")`,
	`[x](https://a.example '"><script>alert(1)</script>')`,
	`[<img src=x onerror=alert(1)>](https://a.example)`,
	`[![x](javascript:alert(1))](javascript:alert(2))`,
	`[[x](https://a.example)](https://b.example)`,
	`[x *y](https://a.example) z*`,
	`*[x*](https://a.example)`,
	`![x](https://evil.example/pixel.gif)`,
	`![x](data:image/svg+xml,<svg onload=alert(1)>)`,
	`![" onerror="alert(1)](https://a.example/x.png)`,
	"[x]: javascript:alert(1)\n\n[x]",
	`<javascript:alert(1)>`,
	`<https://a.example/"onclick="alert(1)>`,
	`<https://a.example/<script>>`,
	`<a@b.example"onclick="alert(1)>`,
	`<mailto:a@b.example?body=<script>>`,
	`https://a.example/"onclick="alert(1)`,
	`https://a.example/<script>alert(1)</script>`,
	`www.a.example"><script>alert(1)</script>`,
	"https://a.example/`x`&lt;script&gt;",
	"```\"><script>alert(1)</script>\nx\n```",
	"```html' onclick='alert(1)\n<script>alert(1)</script>\n```",
	"~~~ </code><script>alert(1)</script>\n</code></pre><script>\n~~~",
	"```go\n</span></code></pre><img src=x onerror=alert(1)>\n```",
	"``<script>`` `</code><script>`",
	"    </code></pre><script>alert(1)</script>",
	"| <script> | b |\n|---|---|\n| </td></table><script>alert(1)</script> | \"><x |",
	"- [x] <input onfocus=alert(1) autofocus>",
	"999999999. <b onclick=alert(1)>",
	"# <script>alert(1)</script>\n===",
	"> > > <script>alert(1)</script>",
	"&lt;script&gt;alert(1)&lt;/script&gt;",
	"&#60;script&#62;alert(1)&#60;/script&#62;",
	"&amp;lt;script&amp;gt;",
	"&LT;script&GT; &nbsp; &#0; &#x202e; &#8203; &zwj;",
	"\\<script>alert(1)\\</script>",
	"\u202escript\u202c \u2066x\u2069 \u200b \ufeff \u00ad",
	"＜script＞alert(1)＜/script＞",
	"<\u200bscript>alert(1)</script>",
	"<scr\x00ipt>alert(1)</scr\x00ipt>",
	"\xff\xfe<script>\xc0\xbcscript\xc0\xbe",
	"\x1b[2J\x1b]8;;https://evil.example\x07x\x1b]8;;\x07",
	"<span class=\"hidden-char\">⟨ZWSP⟩</span>",
	"**<b>** __</strong>__ ~~</del>~~ *</em>*",
	"${alert(1)} {{constructor.constructor('alert(1)')()}}",
	strings.Repeat("<div>", 300) + "x",
	strings.Repeat("*a _b ", 300) + strings.Repeat("_ *", 300),
	strings.Repeat("[", 100) + "x" + strings.Repeat("](https://a.example)", 100),
}

func TestNothingBecomesMarkup(t *testing.T) {
	if len(attacks) < 60 {
		t.Fatal("the corpus has shrunk")
	}
	for i, attack := range attacks {
		for wrapped, text := range map[string]string{
			"alone": attack, "quoted": "> " + attack, "item": "1. x\n   - " + attack, "cell": "|a|b|\n|-|-|\n|" + attack + "|x|",
			"strong": "**" + attack + "**", "label": "[" + attack + "](https://ok.example)", "title": "# " + attack,
			"fence": "```" + attack + "\n" + attack + "\n```", "tick": "`" + attack + "`",
		} {
			name := fmt.Sprintf("%d %s %q", i, wrapped, attack)
			judge(t, "not sanitized: "+name, markdown(text))
			out := Markdown(text)
			judge(t, name, out)
			secondOpinion(t, name, out)
		}
		for _, lang := range []string{"x.html", "md", "bash", "json", "yaml", "css", "js", "toml", "diff", attack} {
			judge(t, lang+" "+attack, Code(lang, attack))
		}
		judge(t, attack, Command(attack))
		judge(t, attack, fragmentDiff(attack, attack, attack+"x"))
		judge(t, attack, fragmentDiff("a.html", "a\n"+attack, attack+"\nb"))
		judgeCards(t, attack)
	}
}

func judgeCards(t *testing.T, attack string) {
	t.Helper()
	quoted, err := json.Marshal(attack)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"Bash", "Edit", "Write", "WebFetch", "ExitPlanMode", "mcp__x__y", attack} {
		input := fmt.Sprintf(`{"command":%[1]s,"description":%[1]s,"file_path":%[1]s,"content":%[1]s,"old_string":%[1]s,`+
			`"new_string":"x","url":%[1]s,"prompt":%[1]s,"plan":%[1]s,%[1]s:%[1]s}`, quoted)
		r := &nod.Request{Kind: nod.KindApproval, Tool: tool, Display: attack, Input: json.RawMessage(input)}
		for _, p := range Request(r).Parts {
			judge(t, tool+" "+attack, p.HTML)
		}
	}
	for _, kind := range []nod.RequestKind{nod.KindQuestion, nod.KindElicitation, nod.KindPlan, nod.KindApproval} {
		r := &nod.Request{Kind: kind, Display: attack, Input: json.RawMessage(attack), Questions: []nod.Question{{Choices: []nod.Choice{{Preview: attack}}}}}
		for _, p := range Request(r).Parts {
			judge(t, string(kind)+attack, p.HTML)
		}
	}
	for _, role := range []nod.Role{nod.TurnPerson, nod.TurnAgent, nod.TurnTool, nod.TurnSystem} {
		judge(t, string(role)+attack, Turn(&nod.Turn{Role: role, Text: attack, Tool: "Bash", Cut: 7}))
	}
}

// Even if everything before it failed, sanitize lets nothing through.
func TestSanitizeAlone(t *testing.T) {
	for _, attack := range attacks {
		judge(t, attack, sanitize(strings.ToValidUTF8(plainText(attack), "")))
	}
	for in, want := range map[string]string{
		`<p>a</p>`:                       `<p>a</p>`,
		`<p>a`:                           `<p>a</p>`,
		`a</p></div>`:                    `a`,
		`<p onclick="x">a</p>`:           `&lt;p onclick="x">a`,
		`<p class="a" class=x>a`:         `&lt;p class="a" class=x>a`,
		`<P>a`:                           `&lt;P>a`,
		`<p >a`:                          `&lt;p >a`,
		`<p class="A">`:                  `&lt;p class="A">`,
		`<em><strong>a</em></strong>`:    `<em><strong>a</strong></em>`,
		`<a href="javascript:x">a</a>`:   `&lt;a href="javascript:x">a`,
		`<a href="https://x&#9;y">a</a>`: `&lt;a href="https://x&amp;#9;y">a`,
		`<a href="https://x">a</a>`:      `&lt;a href="https://x">a`,
		`<a href="https://x/?a&amp;b" rel="noreferrer noopener" target="_blank">a</a>`: `<a href="https://x/?a&amp;b" rel="noreferrer noopener" target="_blank">a</a>`,
		`<a href="https://x" onclick="y" rel="noreferrer noopener" target="_blank">a`:  `&lt;a href="https://x" onclick="y" rel="noreferrer noopener" target="_blank">a`,
		`<p class="a" class="b">`: `&lt;p class="a" class="b">`,
		`<ol start="x">`:          `&lt;ol start="x">`,
		`&copy; & &lt;`:           `&amp;copy; &amp; &lt;`,
		`<a href="https://x" rel="noreferrer noopener" target="_blank">a<a href="https://y" rel="noreferrer noopener" target="_blank">b</a>c</a>`: `<a href="https://x" rel="noreferrer noopener" target="_blank">abc</a>`,
		`<br><hr></br>`: `<br><hr>`,
		`<`:             `&lt;`,
	} {
		if got := sanitize(in); got != want {
			t.Errorf("sanitize(%s)\n got %s\nwant %s", in, got, want)
		}
	}
	if got := sanitize(strings.Repeat("<em>", 100) + "x" + strings.Repeat("</em>", 100)); strings.Count(got, "<em>") != deepest || strings.Count(got, "</em>") != deepest {
		t.Errorf("nested: %s", got)
	}
}

// plainText leaves out the characters that draw has already made visible before
// anything is sanitized.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && nod.Visible(string(r)) != string(r) {
			return -1
		}
		return r
	}, s)
}
