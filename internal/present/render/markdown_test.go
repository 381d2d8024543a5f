package render

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func link(href, label string) string {
	return `<a href="` + href + `" rel="noreferrer noopener" target="_blank">` + label + `</a>`
}

func hint(to string) string { return ` <span class="link-to">(` + to + `)</span>` }

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"paragraphs", "a\nb\n\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
		{"windows line ends", "a\r\n\r\nb", "<p>a</p>\n<p>b</p>\n"},
		{"hard breaks", "a  \nb\\\nc", "<p>a<br>\nb<br>\nc</p>\n"},
		{"titles leave h1 and h2 to the page", "# a\n## b\n### c\n#### d ##\n###### e", "<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h6>d</h6>\n<h6>e</h6>\n"},
		{"underlined titles", "a\n===\n\nb\n---", "<h3>a</h3>\n<h4>b</h4>\n"},
		{"no title", "#a\n\n####### b", "<p>#a</p>\n<p>####### b</p>\n"},
		{"rules", "---\n* * *\n___", "<hr>\n<hr>\n<hr>\n"},
		{"emphasis", "*a* _b_ **c** __d__ ***e*** *a**b**c*", "<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <em><strong>e</strong></em> <em>a<strong>b</strong>c</em></p>\n"},
		{"no emphasis", "a_b_c 2*3*4 * x * ** **", "<p>a_b_c 2<em>3</em>4 * x * ** **</p>\n"},
		{"emphasis beside Japanese", "これは**「重要」**です", "<p>これは<strong>「重要」</strong>です</p>\n"},
		{"strikethrough", "~~a~~ ~b~ ~/x", "<p><del>a</del> ~b~ ~/x</p>\n"},
		{"code spans", "`a<b>` ``c`d`` ` `` `e", "<p><code>a&lt;b&gt;</code> <code>c`d</code> <code>``</code>e</p>\n"},
		{"escapes", `\*a\* \<b> \q`, "<p>*a* &lt;b&gt; \\q</p>\n"},
		{"entities", "&copy; &lt;b&gt; &nosuch; &#65;&#x42; a&b", "<p>© &lt;b&gt; &amp;nosuch; AB a&amp;b</p>\n"},
		{"HTML is text", "<b>a</b> <!-- c -->\n\n<div>\n*d*\n</div>", "<p>&lt;b&gt;a&lt;/b&gt; &lt;!-- c --&gt;</p>\n<p>&lt;div&gt;\n<em>d</em>\n&lt;/div&gt;</p>\n"},
		{"links say where they lead", "[a *b*](https://x.example/y?a=1&b)", "<p>" + link("https://x.example/y?a=1&amp;b", "a <em>b</em>") + hint("x.example") + "</p>\n"},
		{"a link with a title", `[a](https://x.example "t")`, "<p>" + link("https://x.example", "a") + hint("x.example – t") + "</p>\n"},
		{"a label that is the address", "[https://x.example/](https://x.example/)", "<p>" + link("https://x.example/", "https://x.example/") + "</p>\n"},
		{"a label that is another address", "[https://good.example](https://evil.example)", "<p>" + link("https://evil.example", "https://good.example") + hint("evil.example") + "</p>\n"},
		{"mail", "[a](mailto:a@x.example)", "<p>" + link("mailto:a@x.example", "a") + hint("a@x.example") + "</p>\n"},
		{"paths are no links", "[a](src/a.go)", "<p>a" + hint("src/a.go") + "</p>\n"},
		{"scripts are no links", "[a](javascript:x)", "<p>a" + hint("javascript:x") + "</p>\n"},
		{"who is before an @", "[a](https://good.example@evil.example)", "<p>a" + hint("https://good.example@evil.example") + "</p>\n"},
		{"images are links", "![a](https://x.example/i.png)", "<p>" + link("https://x.example/i.png", "▣ a") + hint("x.example") + "</p>\n"},
		{"an image in a link", "[![a](https://x.example/i)](https://y.example)", "<p>" + link("https://y.example", "▣ a"+hint("https://x.example/i")) + hint("y.example") + "</p>\n"},
		{"autolinks", "<https://x.example/a> <a@x.example> <b>", "<p>" + link("https://x.example/a", "https://x.example/a") + " " + link("mailto:a@x.example", "a@x.example") + " &lt;b&gt;</p>\n"},
		{"bare links", "(see https://x.example/a_(b)_c, www.y.example.)", "<p>(see " + link("https://x.example/a_(b)_c", "https://x.example/a_(b)_c") + ", " + link("https://www.y.example", "www.y.example") + ".)</p>\n"},
		{"a bare link in Japanese", "詳細はhttps://x.example/aを参照。", "<p>詳細は" + link("https://x.example/a", "https://x.example/a") + "を参照。</p>\n"},
		{"definitions stay to be read", "[//]: # (hidden)", "<p>[//]: # (hidden)</p>\n"},
		{"quotes", "> a\nb\n>\n> > c\n\nd", "<blockquote>\n<p>a\nb</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>\n<p>d</p>\n"},
		{"a tight list", "- a\n- b\n  - c\n- d", "<ul>\n<li>a\n</li>\n<li>b\n<ul>\n<li>c\n</li>\n</ul>\n</li>\n<li>d\n</li>\n</ul>\n"},
		{"a loose list", "- a\n\n- b", "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ul>\n"},
		{"numbers", "3) a\n4) b", "<ol start=\"3\">\n<li>a\n</li>\n<li>b\n</li>\n</ol>\n"},
		{"another sign, another list", "- a\n* b", "<ul>\n<li>a\n</li>\n</ul>\n<ul>\n<li>b\n</li>\n</ul>\n"},
		{"a list after words", "x\n- a\n2. b", "<p>x</p>\n<ul>\n<li>a\n</li>\n</ul>\n<ol start=\"2\">\n<li>b\n</li>\n</ol>\n"},
		{"code in a list", "1. a\n   ```\n   x\n     y\n   ```\n2. b", "<ol>\n<li>a\n<pre class=\"code\"><code>x\n  y\n</code></pre>\n</li>\n<li>b\n</li>\n</ol>\n"},
		{"tasks", "- [ ] a\n- [x] b", "<ul>\n<li class=\"task\"><span class=\"task-box\">☐</span> a\n</li>\n<li class=\"task\"><span class=\"task-box\">☑</span> b\n</li>\n</ul>\n"},
		{"a table", "a | b\n:-: | -:\n1 | `x\\|y` | z\n\nend", "<table>\n<thead>\n<tr><th class=\"a-center\">a</th><th class=\"a-right\">b</th></tr>\n</thead>\n<tbody>\n<tr><td class=\"a-center\">1</td><td class=\"a-right\"><code>x|y</code></td><td>z</td></tr>\n</tbody>\n</table>\n<p>end</p>\n"},
		{"no table", "a | b\n-|-|-\n", "<p>a | b\n-|-|-</p>\n"},
		{"fences", "~~~\n<b>\n```\n~~~~\nx", "<pre class=\"code\"><code>&lt;b&gt;\n```\n</code></pre>\n<p>x</p>\n"},
		{"coloured code", "```go\nvar x = 1\n```", "<pre class=\"code\"><code><span class=\"c-kw\">var</span> x <span class=\"c-op\">=</span> <span class=\"c-num\">1</span>\n</code></pre>\n"},
		{"what stands after a fence is read too", "```sh rm -rf /\nls\n```", "<div class=\"code-info\">sh rm -rf /</div>\n<pre class=\"code\"><code><span class=\"c-fn\">ls</span>\n</code></pre>\n"},
		{"a fence without an end", "```\na", "<pre class=\"code\"><code>a\n</code></pre>\n"},
		{"indented code", "    a\n\n      b\n\nc", "<pre class=\"code\"><code>a\n\n  b\n</code></pre>\n<p>c</p>\n"},
		{"hidden characters", "a\u200bb `c\u202ed` [e\u2066](https://x.example)", "<p>a<span class=\"hidden-char\">⟨ZWSP⟩</span>b <code>c<span class=\"hidden-char\">⟨RLO⟩</span>d</code> " + link("https://x.example", "e<span class=\"hidden-char\">⟨LRI⟩</span>") + hint("x.example") + "</p>\n"},
		{"padding", "a" + strings.Repeat(" ", 30) + "b", "<p>a<span class=\"hidden-char\"> ⟨30 blanks⟩ </span>b</p>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Markdown(c.in); got != c.want {
				t.Errorf("%q\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

// A reply is shown while it is being written, so unclosed markup is shown as text, or as
// what it is so far.
func TestMarkdownWhileItIsWritten(t *testing.T) {
	for in, want := range map[string]string{
		"**a":                   "<p>**a</p>\n",
		"*a* **b":               "<p><em>a</em> **b</p>\n",
		"~~a":                   "<p>~~a</p>\n",
		"`a *b*":                "<p>`a <em>b</em></p>\n",
		"[a](https://x.example": "<p>[a](" + link("https://x.example", "https://x.example") + "</p>\n",
		"[a":                    "<p>[a</p>\n",
		"<https://x.example":    "<p>&lt;" + link("https://x.example", "https://x.example") + "</p>\n",
		"http:/":                "<p>http:/</p>\n",
		"```":                   "<pre class=\"code\"><code></code></pre>\n",
		"```g":                  "<div class=\"code-info\">g</div>\n<pre class=\"code\"><code></code></pre>\n",
		"```go\nx":              "<pre class=\"code\"><code>x\n</code></pre>\n",
		"- a\n  ```\n  x\n":     "<ul>\n<li>a\n<pre class=\"code\"><code>x\n</code></pre>\n</li>\n</ul>\n",
		"a | b":                 "<p>a | b</p>\n",
		"a | b\n--|":            "<p>a | b\n--|</p>\n",
		"a | b\n--|-":           "<table>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n</tbody>\n</table>\n",
		"- [ ]":                 "<ul>\n<li>[ ]\n</li>\n</ul>\n",
		"- a\n-":                "<ul>\n<li>a\n</li>\n<li></li>\n</ul>\n",
		"a\n\n>":                "<p>a</p>\n<blockquote>\n</blockquote>\n",
	} {
		if got := Markdown(in); got != want {
			t.Errorf("%q\n got %s\nwant %s", in, got, want)
		}
	}
	for _, text := range replies {
		for end := range text {
			judge(t, text[:end], Markdown(text[:end]))
		}
	}
}

// Whatever markup surrounds it, every word of a text is shown.
func TestMarkdownHidesNoWord(t *testing.T) {
	signs := strings.Split("*|**|_|~~|`|``|```|[|]|](|)|![|<|>|<https://|<a@|\n|\n\n|\n> |\n- |\n1. |\n2) |  |    |\t|\n===\n|\n---\n|\n# | #|\\|\\\n|&amp;|&|;|"+
		"://|http://|www.|\"|[x] |]: |<!--|-->|<div>|\n[|あ|「|\u200b|\x00|\f|\r|\n  - |\n      |\n```|\n~~~ ", "|")
	signs = append(signs, "|", "\n|-|-|\n", "\n-|-\n")
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var b strings.Builder
		var words []string
		for i := range 3 + r.IntN(25) {
			b.WriteString(signs[r.IntN(len(signs))])
			if r.IntN(2) == 0 {
				words = append(words, "w"+strconv.Itoa(i)+"q")
				b.WriteString(words[len(words)-1])
			}
		}
		out := Markdown(b.String())
		judge(t, b.String(), out)
		secondOpinion(t, b.String(), out)
		for _, w := range words {
			if !strings.Contains(out, w) { // the path of a link is only in its address
				t.Errorf("%s of %q is not in %s", w, b.String(), out)
			}
		}
	}
}

// Texts made to be slow. A quadratic parser would be noticed here.
func TestMarkdownIsNeverSlow(t *testing.T) {
	for _, unit := range []string{
		"*a ", "**a*", "_a__b_", "*a_", "~~a", "[", "[a](", "[a](<b", "![", "](x)", "[a](https://b) ", "`", "``a", "`a```b", "<", "<a", "<https://a", "&", "&amp", "\\",
		"http", "https://", "https://a.b/(", "www.", ">", "> ", "- ", "-\n", "1. ", " - a\n", "  ", "\t", "|", "|a", "|-|\n", "a|b\n-|-\n", "#", "# a\n", "=\n", "a\n=\n", "---\n", "```\n", "``` a\n", "~~~", "    a\n", "    \n",
		"\n", "\r", "\x00", "\u202e", "\xff", "あ", "*あ*", "- a\n\n", "> - ", "- > ", "  - a\n", "|\n",
	} {
		text := strings.Repeat(unit, longestMarkdown/4/len(unit))
		judge(t, unit, Markdown(text))
	}
	tricky := []string{
		strings.Repeat("|a", widestTable) + "\n" + strings.Repeat("|-", widestTable) + "\n" + strings.Repeat("|\n", 60_000),
		strings.Repeat("a **b ", 20_000) + strings.Repeat("c* ", 20_000),
		strings.Repeat("*a _b ~~c ", 10_000) + strings.Repeat("_ * ~~", 10_000),
		strings.Repeat(strings.Repeat("*a _b ", 250)+"\n\n", 160),
		strings.Repeat("[", 60_000) + strings.Repeat("](https://a.example)", 9_000),
		nested(200, func(i int) string { return strings.Repeat(" ", 2*i) + "- a\n" }),
		nested(400, func(i int) string { return strings.Repeat("`", i) + "a" }),
		nested(600, func(i int) string { return strings.Repeat(">", i%300) + "a\n" }),
	}
	for _, text := range tricky {
		judge(t, text[:20], Markdown(text))
	}
}

func nested(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func TestMarkdownBeyondItsBoundIsPlain(t *testing.T) {
	text := strings.Repeat("**a** <b>\n", longestMarkdown/10+1)
	got := Markdown(text)
	if textOf(got) != text {
		t.Error("the text has changed")
	}
	if strings.Contains(got, "<strong>") {
		t.Error("not plain")
	}
}
