package keyboard

import (
	"strings"
	"time"

	"nod"
	"nod/internal/present/words"
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
		"always": "♾️", "debug": "🐞", "retry": "🔁", "skip": "⏭️",
	}[strings.TrimSuffix(image, ".rgb")]
}

// newButtons makes the keys that a caller asks for.
func newButtons(by nod.Actor, labels, actions, images []string, now time.Time) *buttons {
	b := &buttons{context: "custom", detail: "manually set", trusted: by.Can(nod.Answering), at: now}
	for i := range count {
		b.labels[i] = clip(at(labels, i), 2*longestLabel)
		b.images[i] = clip(at(images, i), longestName)
		b.emojis[i] = emojiOf(b.images[i])
		b.actions[i] = clip(at(actions, i), longestAction)
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

// keys act on an agent of the hub; nil: on whatever the program that reads /inputs
// drives.
func (b *buttons) keys(a *nod.Agent, say words.Printer, fits func(string) bool) []Key {
	keys := make([]Key, count)
	for i, label := range b.labels {
		keys[i] = wished(Key{Label: label, Emoji: b.emojis[i], Do: Act{Say: b.actions[i]}}, a, b.trusted, say, fits)
	}
	return keys
}
