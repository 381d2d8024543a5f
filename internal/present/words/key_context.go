package words

// ContextKey is a key that fits what an agent says it is doing.
type ContextKey struct {
	Label Message
	Emoji string
}

// KeysFor are the keys for a context of update_keyboard_context: STOP is first while
// something runs, help is last. Other names have the usual ones.
func KeysFor(context string) [4]ContextKey {
	stop, help, proceed := ContextKey{AdviseStop, "🛑"}, replyKey("help"), ContextKey{KeyboardProceed, "▶️"}
	switch context {
	case "git_operations":
		return [4]ContextKey{stop, replyKey("commit"), replyKey("diff"), help}
	case "debugging":
		return [4]ContextKey{stop, replyKey("debug"), replyKey("retry"), help}
	case "testing":
		return [4]ContextKey{stop, replyKey("test"), replyKey("fix"), help}
	case "file_operations":
		return [4]ContextKey{stop, proceed, replyKey("diff"), help}
	case "question_yesno":
		return [4]ContextKey{replyKey("yes"), replyKey("no"), replyKey("explain"), help}
	case "question_choice":
		return [4]ContextKey{{Message{EN: "1", PL: "1", JA: "1"}, "1️⃣"}, {Message{EN: "2", PL: "2", JA: "2"}, "2️⃣"}, {Message{EN: "3", PL: "3", JA: "3"}, "3️⃣"}, {Message{EN: "4", PL: "4", JA: "4"}, "4️⃣"}}
	}
	return [4]ContextKey{replyKey("yes"), replyKey("no"), proceed, help}
}

// replyKey is one of QuickReplies as a key.
func replyKey(name string) ContextKey {
	for i := range QuickReplies {
		if q := &QuickReplies[i]; q.Name == name {
			return ContextKey{q.Label, q.Emoji}
		}
	}
	return ContextKey{}
}
