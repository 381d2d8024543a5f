package render

import "strings"

// colour is a custom property with its values on white and on near-black.
type colour struct{ name, light, dark string }

// colours keep 7:1 against #ffffff and #0f1216, and 4.5:1 on every ground of a
// diff; a test measures them.
var colours = [...]colour{
	{"--c-kw", "#7d1a8c", "#e3a8ff"},
	{"--c-type", "#0b5563", "#7fd6e6"},
	{"--c-const", "#8a2d00", "#ffb38a"},
	{"--c-str", "#14532d", "#9be3ae"},
	{"--c-num", "#8a2d00", "#ffb38a"},
	{"--c-com", "#464d58", "#a9b3c0"},
	{"--c-fn", "#163f9e", "#9dbcff"},
	{"--c-var", "#7a3300", "#ffc48a"},
	{"--c-op", "#3b424c", "#c3cad4"},
	{"--c-key", "#0b4a8f", "#8ecbff"},
	{"--c-tag", "#8c1d3f", "#ff9fb5"},
	{"--c-add", "#14532d", "#9be3ae"},
	{"--c-del", "#8f1414", "#ffa8a1"},
	{"--c-head", "#163f9e", "#9dbcff"},
}

// grounds are backgrounds of text within code.
var grounds = [...]colour{
	{"--d-add-bg", "#e9f7ed", "#10241a"},
	{"--d-del-bg", "#fdeeee", "#2b1618"},
	{"--d-ins-bg", "#c4ead0", "#1b4a2d"},
	{"--d-cut-bg", "#f8cfcf", "#5c2428"},
}

// tagColours are of the tags that stand for hidden characters.
var tagColours = [...]colour{
	{"--hidden-fg", "#5c3b00", "#ffe08a"},
	{"--hidden-bg", "#ffe8a3", "#4a3600"},
}

const rules = `
.code, .diff { font-family: var(--mono, ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace); tab-size: 4; }
.code { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.code code { font: inherit; }
.code-info, .link-to, .cut { color: var(--c-com); }
.code-info, .link-to { font-size: 0.875em; overflow-wrap: anywhere; }
.hidden-char { color: var(--hidden-fg); background: var(--hidden-bg); border-radius: 3px; padding: 0 2px; font-size: 0.875em; font-style: normal; font-weight: normal; }
li.task { list-style: none; }
.task-box { margin-inline-start: -1.4em; }
.a-center { text-align: center; }
.a-right { text-align: right; }
.diff { border-collapse: collapse; width: 100%; }
.diff td { padding: 0 4px; vertical-align: top; }
.diff pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.d-num { width: 1%; color: var(--c-com); text-align: end; user-select: none; font-variant-numeric: tabular-nums; }
.d-sign { width: 1%; user-select: none; }
.d-text { white-space: pre-wrap; overflow-wrap: anywhere; }
.d-hunk { color: var(--c-com); }
.d-add { background: var(--d-add-bg); }
.d-del { background: var(--d-del-bg); }
.d-add ins { background: var(--d-ins-bg); text-decoration: underline; text-underline-offset: 3px; }
.d-del del { background: var(--d-cut-bg); text-decoration: underline dotted; text-underline-offset: 3px; }
`

// stylesheet is the CSS of everything this package writes. It follows the
// system, and an explicit data-theme="light" or "dark" on the root.
func stylesheet() string {
	var b strings.Builder
	b.WriteString("/* Written by internal/present/render: go test ./internal/present/render -update */\n")
	set := func(indent, selector string, value func(colour) string) {
		b.WriteString(indent + selector + " {\n")
		for _, list := range [][]colour{colours[:], grounds[:], tagColours[:]} {
			for _, c := range list {
				b.WriteString(indent + "  " + c.name + ": " + value(c) + ";\n")
			}
		}
		b.WriteString(indent + "}\n")
	}
	dark := func(c colour) string { return c.dark }
	set("", ":root", func(c colour) string { return c.light })
	b.WriteString("@media (prefers-color-scheme: dark) {\n")
	set("  ", `:root:not([data-theme="light"])`, dark)
	b.WriteString("}\n")
	set("", `:root[data-theme="dark"]`, dark)
	b.WriteString(rules)
	for _, c := range colours {
		class := strings.TrimPrefix(c.name, "--")
		b.WriteString("." + class + " { color: var(" + c.name + "); }\n")
	}
	b.WriteString(".c-kw, .c-head { font-weight: 600; }\n.c-com { font-style: italic; }\n")
	return b.String()
}
