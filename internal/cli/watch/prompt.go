package watch

import (
	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// prompt is what the live view asks back: yes or no, or one of several.
type prompt struct {
	question string
	options  []nod.Option     // shown in their exact words
	answers  []nod.Answer     // what each choice would send
	acts     []func() tea.Cmd // or what each choice would do, whatever card there is
}

func (q prompt) choices() int { return max(len(q.answers), len(q.acts)) }

// confirm asks. It stays bound to the chosen card: if that is settled meanwhile,
// the answer is refused in words, never given to another card.
func (w *watch) confirm(q prompt) { w.over(confirming, q) }

func (w *watch) typeLine(question, text string, send func(string) tea.Cmd) {
	w.over(typing, prompt{question: question})
	w.typed, w.toSend = term.NewInput(text), send
}

// over lays a question over the list or the text that is being read.
func (w *watch) over(m mode, q prompt) {
	if w.mode == listing || w.mode == reading {
		w.under = w.mode
	}
	w.mode, w.asked = m, q
}

func (w *watch) keyConfirming(key string) tea.Cmd {
	pick := -1
	switch {
	case key == "esc" || key == "n" || key == "q":
		w.mode = w.under
		return nil
	case key == "y" && w.asked.choices() == 1:
		pick = 0
	case len(key) == 1 && key[0] >= '1' && key[0] <= '9':
		pick = int(key[0] - '1')
	}
	if pick < 0 || pick >= w.asked.choices() {
		return nil
	}
	w.mode = w.under
	if len(w.asked.acts) > 0 {
		return w.asked.acts[pick]()
	}
	c := w.current()
	if c == nil {
		return nil
	}
	return w.send(c, w.asked.answers[pick])
}

func (w *watch) keyTyping(key string, msg tea.KeyPressMsg) tea.Cmd {
	switch key {
	case "esc":
		w.mode = w.under
	case "enter":
		w.mode = w.under
		return w.toSend(w.typed.String())
	default:
		w.typed.Key(msg)
	}
	return nil
}

// askedKeys are the keys that answer.
func (w *watch) askedKeys() words.Message {
	switch {
	case w.mode == typing:
		return words.KeysLine
	case w.asked.choices() > 1:
		return words.KeysPick
	}
	return words.KeysYes
}
