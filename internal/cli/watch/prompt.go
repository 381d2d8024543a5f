package watch

import (
	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// prompt is a question to the person: yes or no, or one of several.
type prompt struct {
	question string
	options  []nod.Option     // shown with their exact text
	answers  []nod.Answer     // what each choice sends
	acts     []func() tea.Cmd // or what each choice does, independent of a card
}

func (q prompt) choices() int { return max(len(q.answers), len(q.acts)) }

// confirm opens a prompt. Its answer belongs to the chosen card: if that is settled
// meanwhile, the answer is refused and never given to another card.
func (k keys) confirm(q prompt) { k.showPrompt(confirming, q) }

func (k keys) typeLine(question, text string, send func(string) tea.Cmd) {
	k.showPrompt(typing, prompt{question: question})
	k.typed, k.onEnter = term.NewInput(text), send
}

// showPrompt opens a prompt over the list or the text that is being read.
func (k keys) showPrompt(m mode, q prompt) {
	if k.mode == listing || k.mode == reading {
		k.beneath = k.mode
	}
	k.mode, k.prompt = m, q
}

func (k keys) keyConfirming(key string) tea.Cmd {
	pick := -1
	switch {
	case key == "esc" || key == "n" || key == "q":
		k.mode = k.beneath
		return nil
	case key == "y" && k.prompt.choices() == 1:
		pick = 0
	case len(key) == 1 && key[0] >= '1' && key[0] <= '9':
		pick = int(key[0] - '1')
	}
	if pick < 0 || pick >= k.prompt.choices() {
		return nil
	}
	k.mode = k.beneath
	if len(k.prompt.acts) > 0 {
		return k.prompt.acts[pick]()
	}
	c := k.current()
	if c == nil {
		return nil
	}
	return k.send(c, k.prompt.answers[pick])
}

func (k keys) keyTyping(key string, msg tea.KeyPressMsg) tea.Cmd {
	switch key {
	case "esc":
		k.mode = k.beneath
	case "enter":
		k.mode = k.beneath
		return k.onEnter(k.typed.String())
	default:
		k.typed.Key(msg)
	}
	return nil
}

// promptKeys explains the keys of the prompt.
func (v view) promptKeys() words.Message {
	switch {
	case v.mode == typing:
		return words.KeysLine
	case v.prompt.choices() > 1:
		return words.KeysPick
	}
	return words.KeysYes
}
