package policy

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// PhraseRule is a rule about a person's spoken words. Words are compared whole, ignoring accents and case; a word may
// end in * for any ending ("wszystk*"), and "…" stands for a gap of up to a few words.
//
// Its verdict is ask or deny. There is no allow: what no rule matches goes on to the agent anyway, where every tool
// call is judged by itself, and an allow that outweighed a built-in rule would be consent to a sentence not yet
// spoken.
type PhraseRule struct {
	Text    string  `toml:"text"`
	Verdict Verdict `toml:"verdict"`
	Reason  string  `toml:"reason"` // shown to the person; may be empty
}

// phrase is a PhraseRule with its words split in advance.
type phrase struct {
	words        []string
	verdict      Verdict
	rule, reason string
}

// mostGaps bounds the cost of a rule: every gap tries several lengths.
const mostGaps = 3

func newPhrase(r PhraseRule) (phrase, error) {
	out := phrase{words(r.Text), r.Verdict, "your phrase rule " + r.Text, first2(r.Reason, "you made a rule for this")}
	gaps, fixed := 0, 0
	for _, w := range out.words {
		switch strings.Trim(w, "*…") {
		case "":
			gaps++
		default:
			fixed++
		}
	}
	switch {
	case r.Verdict == Allow:
		return out, errors.New("a phrase cannot allow; what is said is passed on anyway. Write ask or deny, or leave the rule out")
	case r.Verdict != Ask && r.Verdict != Deny:
		return out, fmt.Errorf("its verdict is %q; write ask or deny", r.Verdict)
	case fixed == 0:
		return out, errors.New("it has no words")
	case gaps > mostGaps:
		return out, fmt.Errorf("it has more than %d gaps", mostGaps)
	}
	return out, nil
}

// builtInPhrases are dangerous things to say to a home, in Polish and English.
//
// They are parsed at first use: most runs of nod never hear speech.
var builtInPhrases = sync.OnceValue(func() []phrase {
	var out []phrase
	for _, r := range [...]struct{ text, reason string }{
		{"wylacz … wszystk*", "turns everything off"},
		{"wszystk* … wylacz", "turns everything off"},
		{"zgas … wszystk*", "turns everything off"},
		{"turn off … all", "turns everything off"},
		{"turn all … off", "turns everything off"},
		{"turn off … everything", "turns everything off"},
		{"turn everything off", "turns everything off"},
		{"switch off … everything", "turns everything off"},
		{"switch off … all", "turns everything off"},
		{"zamknij … dom", "locks the house"},
		{"lock … house", "locks the house"},
		{"lock … doors", "locks the house"},
		{"otworz … drzwi", "opens the doors"},
		{"otworz … brame", "opens the gate"},
		{"unlock … door*", "opens the doors"},
		{"wylacz … alarm", "turns the alarm off"},
		{"disarm … alarm", "turns the alarm off"},
		{"usun … wszystk*", "deletes everything"},
		{"delete … all", "deletes everything"},
		{"delete … everything", "deletes everything"},
	} {
		out = append(out, phrase{words(r.text), Ask, "phrase: " + r.text, r.reason})
	}
	return out
})

// widestGap is how many words "…" stands for at most.
const widestGap = 4

// JudgePhrase judges a spoken request by the built-in rules and the user's own. What no rule matches goes on to the
// agent: there, every tool it uses is judged again.
func (p *Policy) JudgePhrase(text string) Judgement {
	spoken := words(text)
	out := finding{verdict: Allow, rule: "no phrase rule", reason: "nothing dangerous was said", level: Unknown}
	note := func(v Verdict, rule, reason string) {
		if rank(v) > rank(out.verdict) {
			out = finding{verdict: v, rule: rule, reason: reason, level: Destructive}
		}
	}
	for _, list := range [...][]phrase{p.phrases, builtInPhrases()} {
		for i := range list {
			if r := &list[i]; says(spoken, r.words) {
				note(r.verdict, r.rule, r.reason)
			}
		}
	}
	if cold(spoken) {
		note(Ask, "phrase: temperature", "sets the temperature to 15 or less")
	}
	return out.judgement()
}

// says reports whether the words of a rule occur in order.
func says(spoken, rule []string) bool {
	for i := range spoken {
		if startsWith(spoken[i:], rule) {
			return true
		}
	}
	return false
}

func startsWith(spoken, rule []string) bool {
	switch {
	case len(rule) == 0:
		return true
	case rule[0] == "…":
		for gap := 0; gap <= widestGap && gap <= len(spoken); gap++ {
			if startsWith(spoken[gap:], rule[1:]) {
				return true
			}
		}
		return false
	case len(spoken) == 0:
		return false
	}
	stem, open := strings.CutSuffix(rule[0], "*")
	if spoken[0] != rule[0] && !(open && strings.HasPrefix(spoken[0], stem)) {
		return false
	}
	return startsWith(spoken[1:], rule[1:])
}

// cold finds a temperature of 15 or less: "ustaw temperaturę na 12", "set the
// temperature to five".
func cold(spoken []string) bool {
	about := false
	for _, w := range spoken {
		switch {
		case strings.HasPrefix(w, "temperatur") || strings.HasPrefix(w, "ogrzewani") || w == "thermostat" || w == "termostat" || w == "heating":
			about = true
		case about && digits(w) && (len(w) == 1 || len(w) == 2 && w <= "15"):
			return true
		case about && spokenCold(w):
			return true
		}
	}
	return false
}

// spokenCold are the numbers up to 15 in words.
func spokenCold(w string) bool {
	switch w {
	case "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
		"jeden", "dwa", "trzy", "cztery", "piec", "szesc", "siedem", "osiem", "dziewiec", "dziesiec", "jedenascie", "dwanascie", "trzynascie", "czternascie", "pietnascie",
		"zera", "pieciu", "dziesieciu", "dwunastu", "pietnastu", "minus":
		return true
	}
	return false
}
