package headless

import "strings"

// A model that has no tool for it can ask for permission in its text: a line
//
//	PERMISSION_REQUIRED: what it wants to do | COMMANDS: how
//
// in its answer. Such a line is never shown.
const (
	markerWord   = "PERMISSION_REQUIRED:"
	commandsWord = "COMMANDS:"
	decoration   = " \t*_`>#-" // what models put before a line
)

// mostMarkers is how often one turn may ask this way.
const mostMarkers = 5

// marker is what a model asks in its text.
type marker struct{ what, commands string }

// findMarker looks for the line in an answer.
func findMarker(text string) (marker, bool) {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, decoration), markerWord)
		if !ok {
			continue
		}
		what, commands, _ := strings.Cut(rest, "|")
		commands = strings.TrimSpace(commands)
		commands = strings.TrimSpace(strings.TrimPrefix(commands, commandsWord))
		k := marker{what: strings.Trim(what, decoration+"\n"), commands: strings.Trim(commands, "*_` \n")}
		if k.what == "" {
			k.what = k.commands
		}
		return k, k.what != ""
	}
	return marker{}, false
}

// flow is an answer while it is streamed, without markers: a line that may become one
// is held back until it is clear that it is none.
type flow struct {
	held  string // the beginning of a line that is not clear yet
	clear bool   // the rest of this line may be shown
	mute  bool   // the rest of this line is a marker's
	any   bool   // something was shown
	gap   bool   // what comes next stands apart
}

// paragraph separates what comes next.
func (f *flow) paragraph() { f.gap = true }

// add takes more of the answer and returns what can be shown of it now.
func (f *flow) add(text string) string {
	var out strings.Builder
	if f.gap && text != "" {
		if f.any {
			out.WriteString(f.release() + "\n\n")
		}
		f.gap, f.clear, f.mute = false, false, false
	}
	for line := range strings.Lines(text) {
		out.WriteString(f.line(line))
	}
	if out.Len() > 0 {
		f.any = true
	}
	return out.String()
}

// release returns what was held back, when its line cannot continue.
func (f *flow) release() string {
	held := f.held
	f.held = ""
	return held
}

// line takes a line or the beginning of one.
func (f *flow) line(part string) string {
	ends := strings.HasSuffix(part, "\n")
	defer func() {
		if ends {
			f.clear, f.mute = false, false
		}
	}()
	switch {
	case f.mute:
		return ""
	case f.clear:
		return part
	}
	f.held += part
	bare := strings.TrimLeft(f.held, decoration)
	switch {
	case strings.HasPrefix(bare, markerWord):
		f.held, f.mute = "", true
		return ""
	case strings.HasPrefix(markerWord, bare) && !ends && len(f.held) < 200:
		return "" // not clear yet
	}
	f.clear = true
	return f.release()
}
