package hasskit

import (
	"strconv"
	"strings"
)

// literal is a text in a template.
func literal(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}

// literals is a list of them.
func literals(list []string) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = literal(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// pieces cuts a message: what is filled in is a number from 1, what is not is 0.
func pieces(format string) (list []piece) {
	next := 1
	for format != "" {
		text, rest, verb := strings.Cut(format, "%")
		if text != "" {
			list = append(list, piece{text: text})
		}
		if !verb {
			break
		}
		if strings.HasPrefix(rest, "%") {
			list, format = append(list, piece{text: "%"}), rest[1:]
			continue
		}
		at := next
		if number, after, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]"); strings.HasPrefix(rest, "[") && ok {
			at, _ = strconv.Atoi(number) // the catalogue is ours
			rest = after
		}
		next = at + 1
		list, format = append(list, piece{arg: at}), rest[1:]
	}
	return list
}

type piece struct {
	text string
	arg  int
}

// sentence is a message as text with what is filled in by a template.
func sentence(format string, args ...string) string {
	var b strings.Builder
	for _, p := range pieces(format) {
		if p.arg > 0 {
			b.WriteString("{{ " + args[p.arg-1] + " }}")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// expression is a message as a part of a template.
func expression(format string, args ...string) string {
	var parts []string
	for _, p := range pieces(format) {
		if p.arg > 0 {
			parts = append(parts, args[p.arg-1])
		} else {
			parts = append(parts, literal(p.text))
		}
	}
	return "(" + strings.Join(parts, " ~ ") + ")"
}
