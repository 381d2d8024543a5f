package voicebridge

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// userIntent is what a person's words are for: to an agent that asked they are an
// answer, and so is a bare confirmation while it works; anything else is a command.
func userIntent(at state, text string) intent {
	if at == awaitingInput || at == processing && confirms(text) {
		return answer
	}
	return command
}

func confirms(text string) bool {
	switch bare(text) {
	case "yes", "yeah", "yep", "y", "ok", "okay", "sure", "go", "go ahead", "proceed", "continue", "do it", "lgtm", "sounds good", "looks good", "approved",
		"tak", "dobrze", "jasne", "dalej", "kontynuuj", "zgoda", "rób", "zrób to",
		"はい", "うん", "いいよ", "お願いします", "続けて", "進めて", "了解":
		return true
	}
	return false
}

// bare is a text in lower case without punctuation around it.
func bare(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// replyIntent is what the last words of an agent's turn are for. It looks at the end,
// where agents ask, and not at code.
func replyIntent(text string) intent {
	last := lastLine(text)
	switch {
	case closes(last):
		return endOfCommand // "Anything else?" ends the work, it asks nothing
	case asks(last):
		return question
	}
	return completion
}

// lastLine is the last line with words in it outside of code blocks.
func lastLine(text string) string {
	last, fenced := "", false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		if !fenced && strings.ContainsFunc(line, unicode.IsLetter) {
			last = line
		}
	}
	return last
}

func asks(line string) bool {
	line = strings.TrimRight(line, " *_`\")」』\uff09")
	end, _ := utf8.DecodeLastRuneInString(line)
	if end == '?' || end == '\uff1f' {
		address := line[strings.LastIndexAny(line, " (")+1:]
		return !strings.Contains(address, "://")
	}
	for _, ending := range []string{"ますか。", "ですか。", "でしょうか。", "ませんか。"} {
		if strings.HasSuffix(line, ending) {
			return true
		}
	}
	return false
}

// closes reports whether a line ends the work although it may look like a question.
func closes(line string) bool {
	line = strings.ToLower(line)
	for _, phrase := range []string{
		"let me know if", "anything else", "is there anything", "feel free to", "happy to help",
		"daj znać", "coś jeszcze", "czy mogę pomóc w czymś",
		"他に何か", "ほかに何か", "お知らせください", "お気軽に",
	} {
		if strings.Contains(line, phrase) {
			return true
		}
	}
	return false
}

// internalPrompt reports whether a prompt is one that agents send to themselves.
func internalPrompt(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt == "" || strings.HasPrefix(prompt, "<task-notification>") || strings.HasPrefix(prompt, "<system-reminder>") ||
		strings.HasPrefix(prompt, "[Request interrupted by user")
}
