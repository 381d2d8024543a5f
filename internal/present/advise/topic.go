package advise

import (
	"strings"
	"unicode/utf8"

	"nod"
)

// Topic is what a moment is about.
type Topic string

const (
	YesNo     Topic = "yesno"     // a question for yes or no
	Either    Topic = "either"    // this or that?
	Choice    Topic = "choice"    // one of a list
	Asked     Topic = "question"  // any other question
	Error     Topic = "error"     // something went wrong
	Refused   Topic = "refused"   // a person or a rule said no
	Tests     Topic = "tests"     // it is about tests
	Passed    Topic = "passed"    // tests that pass
	Git       Topic = "git"       // it is about commits and branches
	Committed Topic = "committed" // a commit that was made
	Steps     Topic = "steps"     // one step of several
	Review    Topic = "review"    // something was changed
	Files     Topic = "files"     // files are worked on
	Halted    Topic = "stopped"   // a person stopped it
	Limit     Topic = "limit"     // the provider's usage limit
	Resting   Topic = "idle"      // nothing in particular
)

// Reading is the interpretation of a moment.
type Reading struct {
	Topic   Topic
	Options int  // with Choice: how many there are
	Letters bool // and they are A, B, C
	Grave   bool // a yes could be irreversible
}

// How much of a message is read: questions come at its end.
const (
	readBytes  = 3000
	topicBytes = 900
)

// Reading interprets the moment: the agent's state first, then its last words.
func (s Situation) Reading() Reading {
	switch {
	case s.Agent.State == nod.AgentLimited:
		return Reading{Topic: Limit}
	case s.Stopped:
		return Reading{Topic: Halted}
	case s.Last != nil && s.Last.Role == nod.TurnSystem:
		return Reading{Topic: troubled(s.Last.Trouble)}
	case s.Agent.State == nod.AgentError:
		return Reading{Topic: Error}
	case s.Last == nil || s.Last.Role != nod.TurnAgent:
		return Reading{Topic: Resting}
	}
	return Read(s.Last.Text)
}

func troubled(t nod.Trouble) Topic {
	switch t {
	case nod.TroubleStopped:
		return Halted
	case nod.TroubleLimit:
		return Limit
	case nod.TroubleRefused:
		return Refused
	case "":
		return Resting
	}
	return Error
}

// Read interprets an agent's last message. It only chooses among nod's own replies, so a misleading message does no
// harm.
func Read(message string) Reading {
	text := strings.ToLower(strings.ToValidUTF8(lastBytes(message, readBytes), ""))
	prose, options, letters := listed(uncoded(text))
	if r, ok := asking(lastSentences(prose, 2), options, letters); ok {
		return r
	}
	return Reading{Topic: about(lastBytes(text, topicBytes), options)}
}

// asking interprets a question, if the last sentences are one.
func asking(last []string, options int, letters bool) (Reading, bool) {
	grave := hasAny(strings.Join(last, " "), grave)
	for i := len(last) - 1; i >= 0; i-- {
		q := strings.TrimLeft(last[i], " *_`>-#\"'(„“「")
		switch {
		case hasAny(q, closings):
			return Reading{Topic: Resting}, true
		case isQuestion(q):
			r := sortOf(q, options)
			r.Grave, r.Letters = grave, r.Topic == Choice && letters
			return r, true
		case hasAny(q, offers):
			return Reading{Topic: YesNo, Grave: grave}, true
		}
	}
	return Reading{}, false
}

func isQuestion(q string) bool {
	q = strings.TrimRight(q, " *_`\"')”」。.:")
	if strings.HasSuffix(q, "?") || strings.HasSuffix(q, "？") {
		return true
	}
	return strings.HasSuffix(q, "ますか") || strings.HasSuffix(q, "ですか") || strings.HasSuffix(q, "しょうか") || strings.HasSuffix(q, "ませんか")
}

// sortOf says which kind of answer a question wants.
func sortOf(q string, options int) Reading {
	for _, f := range fillers {
		q = strings.ReplaceAll(q, f, "")
	}
	if options >= 2 && hasWord(q, picks) {
		return Reading{Topic: Choice, Options: options}
	}
	body := strings.TrimPrefix(q, "czy ") // "czy … czy …": this or that
	alternatives := hasAny(body, either) && !hasAny(body, neither)
	switch {
	case alternatives && !startsWith(q, asks):
		return Reading{Topic: Either}
	case startsWith(q, wants):
		return Reading{Topic: YesNo}
	case hasWord(q, asks):
		return Reading{Topic: Asked}
	}
	return Reading{Topic: YesNo}
}

// about interprets a message that asks nothing.
func about(text string, options int) Topic {
	healed := text
	for _, m := range mended {
		healed = strings.ReplaceAll(healed, m, " ")
	}
	switch {
	case hasAny(healed, failures) && !hasAny(healed, fixed):
		return Error
	case hasAny(text, pushed):
		return Resting
	case hasAny(text, committed):
		return Committed
	case hasAny(text, tests) && hasAny(text, passed):
		return Passed
	case hasAny(text, steps) || options >= 3 && !hasAny(text, changes):
		return Steps
	case hasAny(text, gits):
		return Git
	case hasAny(text, tests):
		return Tests
	case hasAny(text, changes):
		return Review
	}
	return Resting
}

func hasAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// hasWord matches at the beginning of a word: "co" is not in "commit" nor "how" in "show". A word with a trailing
// blank must end there too. Japanese has no blanks, so there it matches anywhere.
func hasWord(text string, list []string) bool {
	for _, w := range list {
		bare := strings.TrimSuffix(w, " ")
		for from := 0; ; {
			i := strings.Index(text[from:], bare)
			if i < 0 {
				break
			}
			i += from
			from = i + len(bare)
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[from:])
			if w[0] >= 0xE3 || !isLetter(before) && (bare == w || !isLetter(after)) {
				return true
			}
		}
	}
	return false
}

func startsWith(text string, list []string) bool {
	for _, w := range list {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}
