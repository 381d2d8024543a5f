package policy

import "strings"

// PhraseRule is a rule about what a person said. Its words are compared whole
// and without regard to accents or case; a word may end in * for any ending
// ("wszystk*"), and a gap of up to a few words is written as "…".
type PhraseRule struct {
	Verdict Verdict
	Text    string
	Reason  string
}

// builtInPhrases are dangerous things to say to a house, in Polish and English.
func builtInPhrases() []PhraseRule {
	return []PhraseRule{
		{Ask, "wylacz … wszystk*", "turns everything off"},
		{Ask, "wszystk* … wylacz", "turns everything off"},
		{Ask, "zgas … wszystk*", "turns everything off"},
		{Ask, "turn off … all", "turns everything off"},
		{Ask, "turn all … off", "turns everything off"},
		{Ask, "turn off … everything", "turns everything off"},
		{Ask, "turn everything off", "turns everything off"},
		{Ask, "switch off … everything", "turns everything off"},
		{Ask, "switch off … all", "turns everything off"},
		{Ask, "zamknij … dom", "locks the house"},
		{Ask, "lock … house", "locks the house"},
		{Ask, "lock … doors", "locks the house"},
		{Ask, "otworz … drzwi", "opens the doors"},
		{Ask, "otworz … brame", "opens the gate"},
		{Ask, "unlock … door*", "opens the doors"},
		{Ask, "wylacz … alarm", "turns the alarm off"},
		{Ask, "disarm … alarm", "turns the alarm off"},
		{Ask, "usun … wszystk*", "deletes everything"},
		{Ask, "delete … all", "deletes everything"},
		{Ask, "delete … everything", "deletes everything"},
	}
}

// widestGap is how many words "…" stands for at most.
const widestGap = 4

// JudgePhrase judges a spoken request by the built-in rules and some more. What
// no rule speaks of is allowed to go on to the agent: there, every tool it uses
// is judged again.
func JudgePhrase(text string, rules []PhraseRule) Judgement {
	said := words(text)
	out := finding{verdict: Allow, rule: "no phrase rule", reason: "nothing dangerous was said", level: Unknown}.judgement()
	worst := -1
	note := func(v Verdict, rule, reason string) {
		level := Destructive
		if v == Allow {
			level = Unknown
		}
		if rank(v) > worst {
			worst = rank(v)
			out = finding{verdict: v, rule: rule, reason: reason, level: level}.judgement()
		}
	}
	for _, r := range rules {
		if says(said, words(r.Text)) {
			note(r.Verdict, "your phrase rule "+r.Text, first2(r.Reason, "you made a rule for this"))
		}
	}
	for _, r := range builtInPhrases() {
		if says(said, words(r.Text)) {
			note(r.Verdict, "phrase: "+r.Text, r.Reason)
		}
	}
	if cold(said) {
		note(Ask, "phrase: temperature", "sets the temperature to 15 or less")
	}
	return out
}

// JudgePhrase judges a spoken request by this policy's own rules too.
func (p *Policy) JudgePhrase(text string) Judgement { return JudgePhrase(text, p.phrases) }

// says reports whether the words of a rule are said in their order.
func says(said, rule []string) bool {
	for i := range said {
		if startsWith(said[i:], rule) {
			return true
		}
	}
	return false
}

func startsWith(said, rule []string) bool {
	switch {
	case len(rule) == 0:
		return true
	case rule[0] == "…":
		for gap := 0; gap <= widestGap && gap <= len(said); gap++ {
			if startsWith(said[gap:], rule[1:]) {
				return true
			}
		}
		return false
	case len(said) == 0:
		return false
	}
	stem, open := strings.CutSuffix(rule[0], "*")
	if said[0] != rule[0] && !(open && strings.HasPrefix(said[0], stem)) {
		return false
	}
	return startsWith(said[1:], rule[1:])
}

// cold finds a temperature of 15 or less: "ustaw temperaturę na 12", "set the
// temperature to five".
func cold(said []string) bool {
	about := false
	for _, w := range said {
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

// spokenCold names the numbers up to 15 as people say them.
func spokenCold(w string) bool {
	switch w {
	case "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
		"jeden", "dwa", "trzy", "cztery", "piec", "szesc", "siedem", "osiem", "dziewiec", "dziesiec", "jedenascie", "dwanascie", "trzynascie", "czternascie", "pietnascie",
		"zera", "pieciu", "dziesieciu", "dwunastu", "pietnastu", "minus":
		return true
	}
	return false
}
