package talk

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// Description is an approval as text to be read out; long is true when it is too long
// to be heard, or omits part of what will be done.
func Description(say words.Printer, r *nod.Request) (text string, long bool) {
	return describe(say, r), TooLong(r)
}

func describe(say words.Printer, r *nod.Request) string {
	speaker := ear.In(say)
	switch {
	case r.Kind == nod.KindPlan:
		return say.Say(words.BrainPlan)
	case r.Kind == nod.KindElicitation:
		return say.Say(words.BrainForm)
	case r.Kind == nod.KindQuestion:
		return speaker.Text(r.Title)
	case r.Tool == confirm: // a sentence already
		return capital(say, strings.TrimRight(speaker.Line(r.Title), ".。?\uff1f "))
	}
	fields := fieldsOf(r)
	command, isCommand := fields["command"].(string)
	name, foreign := strings.CutPrefix(r.Tool, "mcp__")
	var text string
	switch {
	case isCommand && !foreign:
		text = say.Say(words.BrainRun, speaker.Command(command))
	case foreign:
		_, name, _ = strings.Cut(name, "__")
		text = strings.TrimSpace(toolWords(name) + " " + strings.Join(values(speaker, "", fields), ", "))
	default:
		text = say.Say(words.BrainUse, ear.Name(r.Tool), speaker.Line(r.Title))
	}
	return capital(say, strings.TrimRight(text, ".。 "))
}

// fieldsOf is a request's input by field name.
func fieldsOf(r *nod.Request) map[string]any {
	fields := map[string]any{}
	_ = json.Unmarshal(r.Input, &fields) // input that is no object has no fields to read out
	return fields
}

// confirm is the tool of a request about a sentence: a person's message that a rule
// holds back, or an action that a model described in words.
const confirm = "Confirm"

// toolWords makes words of a tool's name: HassTurnOff is "turn off".
func toolWords(name string) string {
	var b strings.Builder
	runes := []rune(strings.TrimPrefix(name, "Hass"))
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(ear.Name(b.String()))
}

// keysOf is the field names in order, with "name" first.
func keysOf(fields map[string]any) []string {
	keys := slices.Sorted(maps.Keys(fields))
	if i := slices.Index(keys, "name"); i > 0 {
		keys = slices.Concat([]string{"name"}, keys[:i], keys[i+1:])
	}
	return keys
}

// capital makes the first letter of a sentence upper case, in languages that have it.
func capital(say words.Printer, text string) string {
	if say.Lang() == words.Japanese {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// values are all values of an input, its name first, so that the description omits
// nothing.
func values(speaker ear.Speaker, name string, value any) (list []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range keysOf(v) {
			list = append(list, values(speaker, key, v[key])...)
		}
	case []any:
		for _, item := range v {
			list = append(list, values(speaker, name, item)...)
		}
	case string:
		if v = speaker.Line(v); v != "" {
			list = append(list, v)
		}
	case nil:
	default:
		text, _ := json.Marshal(v)
		list = append(list, strings.TrimSpace(ear.Name(name)+" "+string(text)))
	}
	return list
}

// Aloud is a request as a spoken question, which ends by saying how to answer it.
func Aloud(say words.Printer, r *nod.Request) string {
	if r.Kind == nod.KindQuestion && len(r.Questions) == 1 {
		return askedAloud(say, r.Questions[0])
	}
	text, long := Description(say, r)
	switch {
	case r.Kind == nod.KindQuestion:
		return say.Say(words.BrainOnScreen, say.Say(words.BrainForm))
	case long && r.Kind == nod.KindApproval:
		return say.Say(words.BrainOnScreen, say.Say(words.BrainTooLong))
	case OnScreen(r, nod.Answer{Verdict: nod.VerdictAllow}):
		return say.Say(words.BrainOnScreen, text)
	}
	return say.Say(words.BrainYesNo, text)
}

// askedAloud reads a question with its choices.
func askedAloud(say words.Printer, q nod.Question) string {
	speaker := ear.In(say)
	parts := []string{speaker.Text(q.Text)}
	for i, c := range q.Choices {
		parts = append(parts, say.Say(words.VoiceOption, i+1, strings.TrimRight(speaker.Line(c.Label), ".。 ")))
	}
	how := words.BrainPick
	if len(q.Choices) == 0 {
		how = words.BrainReply
	}
	return strings.Join(append(parts, say.Say(how)), " ")
}

// TroubleText explains to a person why an outcome has no answer.
func TroubleText(say words.Printer, o Outcome, now time.Time) string {
	text := say.SpokenTrouble(o.Trouble)
	if o.Trouble == nod.TroubleLimit && o.Agent != nil && o.Agent.Until != nil && o.Agent.Until.After(now) {
		text += " " + say.Say(words.BrainUntil, say.SpokenSpan(o.Agent.Until.Sub(now).Round(time.Minute)))
	}
	return text
}
