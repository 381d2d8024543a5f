package keyboard

import (
	"strings"
	"time"

	"nod"
)

// buttons are keys that a hook, a program or an agent asked for. They can decide
// nothing: what is on them is said, and nothing else.
type buttons struct {
	context, detail string
	labels          [count]string
	actions         [count]string
	emojis          [count]string
	images          [count]string // as the caller named them, for get_keyboard_status
	trusted         bool          // the caller may answer
	at              time.Time
}

// standard are the original's keys when no program has set any.
func standard() *buttons {
	return &buttons{
		context: "default", labels: [count]string{"Yes", "No", "Proceed", "Help"}, emojis: [count]string{"✅", "❌", "▶️", "❓"},
		images: [count]string{"yes.rgb", "no.rgb", "proceed.rgb", "help.rgb"},
	}
}

// emojiOf are the pictures of the original by name.
func emojiOf(image string) string {
	return map[string]string{
		"yes": "✅", "no": "❌", "stop": "🛑", "continue": "▶️", "proceed": "▶️", "more": "➕", "help": "❓", "thinking": "💭",
		"approve": "👍", "reject": "👎", "test": "🧪", "refactor": "🔧", "background": "⏬",
	}[strings.TrimSuffix(image, ".rgb")]
}

// newButtons makes the keys that a caller asks for. If the caller may not answer, a
// key says exactly what it shows: otherwise a program could make a person say
// something that they never read.
func newButtons(by nod.Actor, labels, actions, images []string, now time.Time) *buttons {
	b := &buttons{context: "custom", detail: "manually set", trusted: by.Can(nod.Answering), at: now}
	for i := range count {
		b.labels[i] = clip(at(labels, i), 2*longestLabel)
		b.images[i] = clip(at(images, i), longestName)
		b.emojis[i] = emojiOf(b.images[i])
		if b.trusted {
			b.actions[i] = clip(at(actions, i), longestAction)
		}
	}
	return b
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// orStandard is b, or the standard keys if no program has set any.
func (b *buttons) orStandard() *buttons {
	if b == nil {
		return standard()
	}
	return b
}

// text is what a key says.
func (b *buttons) text(i int) string {
	if b.actions[i] != "" {
		return b.actions[i]
	}
	return b.labels[i]
}

// keys send what they say to the program that reads /inputs.
func (b *buttons) keys() [count]Key {
	var keys [count]Key
	for i, label := range b.labels {
		keys[i] = Key{Label: clip(label, longestLabel), Emoji: b.emojis[i]}
		if label != "" {
			keys[i].Do.Input = b.text(i)
		}
	}
	return keys
}

// keysFor act on an agent of the hub. What it cannot be told is left to the program
// that reads /inputs.
func (b *buttons) keysFor(a *nod.Agent) [count]Key {
	keys := b.keys()
	for i := range keys {
		text := keys[i].Do.Input
		switch {
		case text == "":
		case text == "STOP" && a.Able(nod.CanInterrupt):
			keys[i].ID, keys[i].Do = text, Act{Stop: true}
		case text == "BACKGROUND" && a.Able(nod.CanBackground):
			keys[i].ID, keys[i].Do = text, Act{Background: true}
		case a.Able(nod.CanSay):
			keys[i].ID, keys[i].Do = text, Act{Say: text}
		}
	}
	return keys
}
