package hasskit

import (
	"slices"
	"strings"

	"nod/internal/present/words"
)

// vocabulary is what a person may say. No sentence is in two lists: Home
// Assistant would take it for both.
type vocabulary struct {
	ask, yes, no, cancel, stop, option, numbers []string
}

func vocabularyOf(say words.Printer) vocabulary {
	list := func(m words.Message) []string { return strings.Split(say.Say(m), "|") }
	without := func(all []string, others ...[]string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(slices.Concat(others...), s) })
	}
	v := vocabulary{
		ask: list(words.HomeAssistantAsk), yes: list(words.HomeAssistantYes), stop: list(words.HasskitStop), numbers: list(words.HasskitNumbers),
		option: []string{strings.ReplaceAll(say.Say(words.HomeAssistantOption), "%d", "{option}")},
	}
	no := list(words.HomeAssistantNo)
	v.cancel = without(list(words.HomeAssistantCancel), no[:1], v.stop)
	v.no = without(no, v.cancel, v.stop)
	return v
}
