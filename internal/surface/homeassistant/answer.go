package homeassistant

import (
	"strconv"
	"strings"

	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// choice is one answer that Home Assistant should recognise.
type choice struct {
	ID        string   `json:"id"`
	Sentences []string `json:"sentences"`
}

// The ids of answers.
const (
	idYes    = "yes"
	idNo     = "no"
	idCancel = "cancel"
	idOption = "option_"
)

// choices are what a person may say. Anything else comes back as it was heard, and is
// interpreted here.
func choices(say words.Printer, ask attend.Ask) []choice {
	switch ask.Kind {
	case attend.AskYesNo:
		return []choice{
			{idYes, split(say.Say(words.HomeAssistantYes))},
			{idNo, split(say.Say(words.HomeAssistantNo))},
		}
	case attend.AskOption:
		list := []choice{{idCancel, split(say.Say(words.HomeAssistantCancel))}}
		taken := map[string]bool{}
		for _, s := range list[0].Sentences {
			taken[s] = true
		}
		for i, option := range ask.Options {
			c := choice{ID: idOption + strconv.Itoa(i+1)}
			// Names come from agents. Bare removes everything that templates are made of.
			for _, s := range []string{ear.Bare(option), strconv.Itoa(i + 1), say.Say(words.HomeAssistantOption, i+1)} {
				if s = strings.ToLower(s); s != "" && !taken[s] {
					taken[s] = true
					c.Sentences = append(c.Sentences, s)
				}
			}
			if len(c.Sentences) > 0 {
				list = append(list, c)
			}
		}
		return list
	}
	return nil
}

func split(list string) []string { return strings.Split(list, "|") }

// heard is what came back from a question.
type heard struct {
	ID       string `json:"id"`
	Sentence string `json:"sentence"`
}

// understand turns an answer into an input; ok is false if it means nothing here. The
// words decide: an id alone is no consent.
func understand(say words.Printer, ask attend.Ask, h heard) (in puck.Input, ok bool) {
	in.Request = ask.Request
	yes, no := ear.Assent(say.Lang(), h.Sentence)
	switch {
	case ear.Bare(h.Sentence) == "":
		return in, false
	case ask.Kind == attend.AskOption:
		if in.Option = option(ask.Options, h); in.Option > 0 {
			in.Event = puck.VoiceOption
			return in, true
		}
		if no || h.ID == idCancel {
			in.Event = puck.VoiceCancel
			return in, true
		}
	case ask.Kind == attend.AskYesNo:
		if no || h.ID == idNo {
			in.Event = puck.VoiceNo
			return in, true
		}
		if yes {
			in.Event = puck.VoiceYes
			return in, true
		}
	}
	return in, false
}

// option is the number of the option that was said. Names are tried first, because a
// name may be a number.
func option(options []string, h heard) int {
	said, found := ear.Bare(h.Sentence), 0
	for i, o := range options {
		if ear.Bare(o) == said {
			if found > 0 {
				return 0 // two are called alike
			}
			found = i + 1
		}
	}
	if found > 0 {
		return found
	}
	if n, ok := ear.Number(h.Sentence); ok && n <= len(options) {
		return n
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(h.ID, idOption)); err == nil && strings.HasPrefix(h.ID, idOption) && n >= 1 && n <= len(options) {
		return n
	}
	return 0
}
