package render

import (
	"strings"
	"testing"

	"nod"
)

// samples are one text for each way of reading, with the words that must have
// their colour.
var samples = []struct{ name, text, want string }{
	{"main.go", "package x // c\nvar s = `a\nb`\nfunc f(n int) string { return \"q\" + 0x1F }", `<span class="c-kw">func</span> <span class="c-fn">f</span>(n <span class="c-type">int</span>)`},
	{"a.tsx", "const x: string = `a${b}` /* c */\nclass A extends B {}", `<span class="c-kw">class</span> <span class="c-type">A</span>`},
	{"a.py", "@dec\ndef f(self):\n    '''doc\n    '''\n    return None # c", `<span class="c-kw">@dec</span>`},
	{"lib.rs", "fn main() { let x: u8 = 1; } // c", `<span class="c-type">u8</span>`},
	{"A.java", "@Override public void f() { \"\"\"\nx\"\"\"; }", `<span class="c-kw">@Override</span>`},
	{"q.sql", "SELECT id FROM t WHERE name = 'it''s' -- c", `<span class="c-kw">SELECT</span>`},
	{"a.rb", "def f\n  @x = :y\nend", `<span class="c-kw">@x</span>`},
	{"a.c", "#include <x.h>\nint main(void) { return 'a'; }", `<span class="c-kw">#include</span>`},
	{"a.json", `{"a": [1, -2.5e3, true, "b"]}`, `<span class="c-key">&#34;a&#34;</span>: [<span class="c-num">1</span>`},
	{"a.yaml", "# c\na: b\n- c: \"d\" # e\n  on: true\n", `<span class="c-key">c</span><span class="c-op">:</span> <span class="c-str">&#34;d&#34;</span>`},
	{"a.toml", "[x.y]\nk = \"v\" # c\nn = 1", `<span class="c-head">[x.y]</span>`},
	{".env", "A=1\n# c", `<span class="c-key">A</span><span class="c-op">=</span><span class="c-num">1</span>`},
	{"a.css", "@media x { a:hover { color: #fff; --x: 1px } } /* c */", `<span class="c-key">color</span>: <span class="c-num">#fff</span>`},
	{"a.html", `<!-- c --><a href="x">y &amp; z</a>`, `<span class="c-key">href</span>=<span class="c-str">&#34;x&#34;</span>`},
	{"README.md", "# T\n- `a`\n```\nx\n```\n> q", `<span class="c-head"># T</span>`},
	{"a.patch", "diff --git\n@@ -1 +1 @@\n-a\n+b\n c", `<span class="c-del">-a`},
	{"Dockerfile", "FROM x AS y\nRUN $A", `<span class="c-kw">FROM</span>`},
	{"Makefile", "all: b # c\n\tgo build $@", `<span class="c-com"># c</span>`},
	{"a.ps1", "foreach ($x in 1) { Get-Item 'y' } # c", `<span class="c-var">$x</span>`},
	{"go.mod", "module x\n\nrequire y v1 // indirect", `<span class="c-kw">module</span>`},
}

func TestCodeColours(t *testing.T) {
	for _, s := range samples {
		got := Code(s.name, s.text)
		if !strings.Contains(got, s.want) {
			t.Errorf("%s: no %s in\n%s", s.name, s.want, got)
		}
	}
	for _, name := range []string{"", "nosuch", "a.nosuch", "some words", "/etc/", "."} {
		if got := Code(name, "if x := 1 // y"); strings.Contains(got, "<span") {
			t.Errorf("%q is no language: %s", name, got)
		}
	}
	for _, name := range []string{"go", "GO", "x.go", `C:\x\y.Go`, "/a/b/c.go", "golang"} {
		if find(name) != find("go") {
			t.Errorf("%q is Go", name)
		}
	}
}

func TestCommandColours(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`git push -f origin`, `[fn git] push [key -f] origin`},
		{`A=1 B="x y" rm -rf /`, `[var A][op =]1 [var B][op =][str "x y"] [fn rm] [key -rf] /`},
		{`echo "a $(rm "b c") d"`, `[fn echo] [str "a ][op $(][fn rm] [str "b c"][op )][str  d"]`},
		{`a|b&&c;d`, `[fn a][op |][fn b][op &&][fn c][op ;][fn d]`},
		{`x=$(date) ls`, `[var x][op =$(][fn date][op )] [fn ls]`},
		{"echo `rm x` y", "[fn echo] [op `][fn rm] x[op `] y"},
		{`ls >/dev/null 2>&1 & rm`, `[fn ls] [op >]/dev/null [num 2][op >&][num 1] [op &] [fn rm]`},
		{`for f in a b; do rm $f; done`, `[kw for] f [kw in] a b[op ;] [kw do] [fn rm] [var $f][op ;] [kw done]`},
		{"cat <<'EOF' | sh\nrm -rf\nEOF\nls", "[fn cat] [op <<'EOF'] [op |] [fn sh]\n[str rm -rf\n][op EOF]\n[fn ls]"},
		{`echo ${a:-"$(rm)"} $'x\'y' # c`, `[fn echo] [var ${a:-][str "][op $(][fn rm][op )][str "][var }] [str $'x\'y'] [com # c]`},
		{`(cd x && rm) ; a#b`, `[op (][fn cd] x [op &&] [fn rm][op )] [op ;] [fn a#b]`},
		{`case $x in a) rm ;; esac`, `[kw case] [var $x] [kw in] a[op )] [fn rm] [op ;;] [kw esac]`},
		{`'rm' x; $y z; $'a' b; $1 c`, `[str 'rm'] x[op ;] [var $y] z[op ;] [str $'a'] b[op ;] [var $1] c`},
		{`grep '"' f`, `[fn grep] [str '"'] f`},
		{`ls \` + "\n -l", "[fn ls] \\\n [key -l]"},
	} {
		got := Command(c.in)
		got = strings.NewReplacer(`<pre class="code command"><code>`, "", "</code></pre>", "", `<span class="c-`, "[", `">`, " ", "</span>", "]",
			"&#34;", `"`, "&#39;", "'", "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(got)
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// Every text comes out as nod.Visible draws it, whatever it is taken for.
func TestCodeKeepsEveryCharacter(t *testing.T) {
	texts := append([]string{
		"", "\n", "\n\n\nx\n", "\t\tx", "a\r\nb", "\"", "'", "`", "\"\\", "'''", "/*", "<!--", "<#", "$(", "${", "\"$(\"", "<<EOF", "<<EOF\nx", "#", "@", "$", "<a", "<a b=\"", "-", "0x", "1e+", "&", "a\\",
		strings.Repeat(" ", 30) + "x" + strings.Repeat("\t", 25), "# c" + strings.Repeat(" ", 40) + "\nx", "\"a" + strings.Repeat(" ", 12) + "\"" + strings.Repeat(" ", 12) + "b",
		"日本語 \u200b\u202e é e\u0301 👩\u200d👩 \U000e0041 \xff\xfe \x00\x1b[31m \u2028 \u3000",
	}, attacks...)
	for _, s := range samples {
		texts = append(texts, s.text)
	}
	for i := range languages {
		name, _, _ := strings.Cut(languages[i].names, " ")
		if find(name) != &languages[i] {
			t.Errorf("%s is hidden by another language", name)
		}
		for _, text := range texts {
			keeps(t, name, Code(name, text), text)
		}
	}
	for _, text := range texts {
		keeps(t, "command", Command(text), text)
	}
}

func keeps(t testing.TB, name, out, text string) {
	t.Helper()
	if got, want := textOf(out), nod.Visible(text); got != want {
		t.Errorf("%s: %.300q\n got %.300q\nwant %.300q", name, text, got, want)
	}
}

// A megabyte of anything is shown in full; what is short enough to be coloured
// is read once. A quadratic scanner would be noticed here.
func TestCodeIsNeverSlow(t *testing.T) {
	units := []string{"a", " ", "\n", "\"", "'", "`", "\\", "/*", "*/", "//", "<", "<a ", "<!--", "$(", "${", "\"$(", "`\"", "<<A ", "<<A\n", "#", "{", "(", ")", "@", "$", "0", "-", ": ", "a: ", "=", "```\n", "&", "\x00", "\u202e", "\xff", "あ", "\"\"\"", "a\\\n"}
	for _, unit := range units {
		text := strings.Repeat(unit, longestHighlight/8/len(unit))
		for _, name := range []string{"bash", "go", "python", "html", "yaml", "json", "css", "markdown", "toml", "diff"} {
			if got := Code(name, text); !strings.HasSuffix(got, "</code></pre>") {
				t.Errorf("%s %q is cut", name, unit)
			}
		}
		keeps(t, "command", Command(text), text)
	}
	big := strings.Repeat("if true; then echo \"$HOME\"; fi\n", 1<<20/31)
	got := Command(big)
	keeps(t, "a megabyte", got, big)
	if strings.Contains(got, "<span") {
		t.Error("a megabyte is coloured")
	}
}
