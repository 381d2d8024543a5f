package puck

import (
	"strings"
	"time"

	"nod/internal/present/words"
)

// Say is the key of something a puck says.
type Say string

// The keys. Rows name only SayPrompt; which prompt it is follows from the question.
const (
	SayAsking     Say = "asking_claude"
	SayAnswer     Say = "answer"
	SayPrompt     Say = "approval_prompt"
	SayPromptOf   Say = "approval_prompt_of"
	SayScreenOnly Say = "approval_on_screen" // a prompt that can only be refused
	SayTwice      Say = "approval_twice"     // the reply to a first yes where two are needed
	SayOnScreen   Say = "on_screen"          // the reply to a yes that is not enough
	SayCancelled  Say = "cancelled"
	SayWarning    Say = "timeout_warning"
	SayTimeout    Say = "timeout"
	SayOption     Say = "option"
	SayChoices    Say = "choice_prompt"
	SayOnboarding Say = "onboarding" // only if it was not said before
	SayStopping   Say = "stopping"
	SayElsewhere  Say = "done_elsewhere"
	SayResumed    Say = "resumed"
	SayError      Say = "error"
)

// The error codes.
const (
	MQTTTimeout     = "MQTT_TIMEOUT"
	NoResponseCode  = "NO_RESPONSE"
	MQTTDisconnect  = "MQTT_DISCONNECT"
	AutomationError = "AUTOMATION_ERROR"
	ParseError      = "PARSE_ERROR"
	HTTPError       = "HTTP_ERROR"
)

// Sentence is one line of the catalogue: a text, and its arguments in order.
type Sentence struct {
	Key  Say
	Text words.Message
	Args []string
}

// Sentences are what a puck says, without the errors. An answer is said verbatim.
func Sentences() []Sentence {
	return []Sentence{
		{SayAsking, words.PuckAsking, nil},
		{SayPrompt, words.PuckRun, []string{"command"}},
		{SayPromptOf, words.PuckRunOf, []string{"index", "total", "command"}},
		{SayScreenOnly, words.PuckRunOnScreen, []string{"command"}},
		{SayTwice, words.PuckTwice, []string{"command"}},
		{SayOnScreen, words.PuckOnScreen, nil},
		{SayCancelled, words.PuckCancelled, nil},
		{SayWarning, words.PuckStillThere, nil},
		{SayTimeout, words.PuckNeverMind, nil},
		{SayOption, words.PuckOption, []string{"option"}},
		{SayChoices, words.PuckChoices, []string{"question", "options"}},
		{SayOnboarding, words.PuckOnboarding, nil},
		{SayStopping, words.PuckStopping, nil},
		{SayElsewhere, words.PuckElsewhere, nil},
		{SayResumed, words.PuckResumed, []string{"text"}},
	}
}

// Errors are the sentences of the error codes; each takes the detail.
func Errors() []Sentence {
	detail := []string{"detail"}
	return []Sentence{
		{MQTTTimeout, words.PuckMQTTTimeout, detail},
		{NoResponseCode, words.PuckNoResponse, detail},
		{MQTTDisconnect, words.PuckMQTTDisconnect, detail},
		{AutomationError, words.PuckAutomation, detail},
		{ParseError, words.PuckParse, detail},
		{HTTPError, words.PuckHTTP, detail},
	}
}

// In is the text to say, in a language.
func (s Speech) In(say words.Printer) string {
	switch s.Key {
	case SayAnswer:
		return s.Text
	case SayPrompt, SayPromptOf, SayScreenOnly, SayTwice:
		return s.prompt(say)
	case SayOption:
		return say.Say(words.PuckOption, ended(s.Option))
	case SayChoices:
		list := make([]string, len(s.Options))
		for i, option := range s.Options {
			list[i] = say.Say(words.PuckNumbered, i+1, ended(option))
		}
		return strings.TrimSpace(say.Say(words.PuckChoices, s.Question, strings.Join(list, " ")))
	case SayResumed:
		return say.Say(words.PuckResumed, ended(s.Text))
	case SayError:
		return s.failure(say)
	}
	for _, one := range Sentences() {
		if one.Key == s.Key {
			return say.Say(one.Text)
		}
	}
	return s.Text
}

// prompt: what is not a command is already a sentence, in Text.
func (s Speech) prompt(say words.Printer) string {
	plain, several, task, screen, what := words.PuckRun, words.PuckRunOf, words.PuckRunTask, words.PuckRunOnScreen, s.Command
	if s.Text != "" {
		plain, several, task, screen, what = words.PuckDo, words.PuckDoOf, words.PuckDoTask, words.PuckDoOnScreen, s.Text
	}
	what = ended(what)
	switch {
	case s.Key == SayTwice:
		return say.Say(words.PuckTwice, what)
	case s.Key == SayScreenOnly:
		return say.Say(screen, what)
	case s.Key == SayPromptOf && s.Ongoing:
		return say.Say(task, ordinal(say, s.Index), what)
	case s.Key == SayPromptOf:
		return say.Say(several, s.Index, s.Total, what)
	}
	return say.Say(plain, what)
}

// ordinal is a place in a row, from the second on.
func ordinal(say words.Printer, n int) string {
	if names := strings.Split(say.Say(words.PuckOrdinals), "|"); n >= 2 && n-2 < len(names) {
		return names[n-2]
	}
	return say.Say(words.PuckOrdinal, n)
}

func (s Speech) failure(say words.Printer) string {
	detail := ended(s.Detail)
	if span, err := time.ParseDuration(detail); err == nil {
		detail = say.SpokenSpan(span)
	}
	for _, one := range Errors() {
		if string(one.Key) == s.Code {
			return strings.TrimSpace(say.Say(one.Text, detail))
		}
	}
	if s.Detail != "" { // a sentence of its own
		return s.Detail
	}
	return say.Say(words.PuckTrouble)
}

// ended is a text without its end mark: the sentence around it has its own.
func ended(text string) string {
	return strings.TrimRight(strings.TrimSpace(text), ".。?!\uff1f\uff01 ")
}
