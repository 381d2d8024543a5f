package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

// replies are what agents write.
var replies = []string{
	"Done! Here's what I changed:\n\n1. **`hub.go`**: the writer now *waits*\n   for followers.\n2. Tests:\n   - `TestA`\n   - `TestB` (was __flaky__)\n\n   They pass.\n\n## Next steps\n\n- [ ] docs\n- [x] code\n\n> Note: this is\n> a quote\nwith a lazy line.\n",
	"| File | Lines |\n|:-----|------:|\n| `a.go` | 12 |\n| b.go | **3** |\n\nTotal: 15\n\n---\n\n***Very*** important, ~~not~~.\n",
	"```go\nfunc main() {\n\tprintln(\"<hi>\")\n}\n```\n\nand then\n\n    indented\n\ttab\n\nend\n",
	"Title\n=====\n\nSub\n---\n\ntext  \nbreak\\\nagain\n\n* a\n\n  b\n\n      code\n* c\n+ d\n",
	"1. one\n\n   ```sh\n   ls\n   ```\n\n2. two\n10. ten\n\n- nested\n  1. x\n     - y\n       z\n\n  after\n- last\n",
	"*foo**bar**baz* **foo*bar*baz** ***a** b* ***a* b** *a `*` b* foo_bar_baz __a__b__ _(b)_ *(**a**)*\n",
	"`` ` `` `a  b` ` a ` `` `  \n\\* \\_ \\` \\# &amp; &copy; &nope; &#35;\n",
	"> a\n> - b\n>   c\n>\n> ```\n> d\n> ```\n> e\n\nf\n>g\n",
	"# A #\n#B\n### C ###\n#\n\n- \n- x\n-\n\n  y\n",
	"a\n# b\nc\n- d\ne\n\n1986\\. year\n\n14. start\n2) other\n",
	"text\n| a | b |\n| - | - |\n| c \\| d | e |\nmore | cells\n> quote\n",
	"**bold**text **bold** text** ** a** **b **c** d**\n*a*b*c* **a**b** _a_b_\n",
	"line one\nline two\n   indented three\n\n\n\n- a\n- b\n\n\n- c\n",
	"Fixed `a|b` and <T> generics: `Map<K, V>`; 5 < 6 && 7 > 3; C:\\dir\\file; snake_case_name; 2 * 3 * 4; ~/home\n",
}

// Our parsers, limits and renderer give the same result as goldmark alone.
func TestMarkdownAgreesWithPlainGoldmark(t *testing.T) {
	gm := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	for _, text := range replies {
		var b bytes.Buffer
		// Angle brackets would be HTML for goldmark and text for us.
		if err := gm.Convert([]byte(strings.ReplaceAll(text, "<T>", "\\<T>")), &b); err != nil {
			t.Fatal(err)
		}
		theirs, ours := skeleton(b.String()), skeleton(Markdown(text))
		if !slices.Equal(theirs, ours) {
			t.Errorf("%s\n ours %q\ntheirs %q", text, ours, theirs)
		}
	}
}

// skeleton is the tags and the words of a page, without what differs on purpose:
// levels of titles, boxes of tasks, colours.
func skeleton(out string) []string {
	var list []string
	pre, code := false, ""
	z := html.NewTokenizer(strings.NewReader(out))
	for {
		kind := z.Next()
		tok := z.Token()
		switch {
		case kind == html.ErrorToken:
			return list
		case kind == html.TextToken && pre:
			code += tok.Data
		case kind == html.TextToken:
			list = append(list, strings.Fields(strings.NewReplacer("☐", "", "☑", "").Replace(tok.Data))...)
		case tok.Data == "span" || tok.Data == "input" || tok.Data == "div":
		default:
			if code != "" {
				list, code = append(list, code), ""
			}
			pre = tok.Data == "pre" && kind == html.StartTagToken || pre && tok.Data != "pre"
			name := tok.Data
			if len(name) == 2 && name[0] == 'h' && name != "hr" {
				name = "title"
			}
			if kind == html.EndTagToken {
				name = "/" + name
			}
			list = append(list, "<"+name+">")
		}
	}
}
