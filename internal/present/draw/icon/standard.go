package icon

import "sync"

// Standard is a picture that hooks and scripts request by a fixed name, without an announcement. Keyboards keep what
// they got under such a name for ever, so announce the Spec's name instead where you can.
func Standard(name string) (Spec, bool) {
	s, ok := standard()[name]
	return s, ok
}

var standard = sync.OnceValue(func() map[string]Spec {
	return map[string]Spec{
		"yes.rgb":        {Emoji: "✅", Label: "Yes", Ink: green},
		"no.rgb":         {Emoji: "❌", Label: "No", Ink: red},
		"stop.rgb":       {Emoji: "🛑", Label: "STOP", Ink: red},
		"continue.rgb":   {Emoji: "▶️", Label: "Continue", Ink: blue},
		"proceed.rgb":    {Emoji: "▶️", Label: "Proceed", Ink: blue},
		"more.rgb":       {Emoji: "➕", Label: "More"},
		"help.rgb":       {Emoji: "❓", Label: "Help", Ink: gold},
		"thinking.rgb":   {Emoji: "💭", Label: "Thinking"},
		"approve.rgb":    {Emoji: "👍", Label: "Approve", Ink: green},
		"reject.rgb":     {Emoji: "👎", Label: "Reject", Ink: red},
		"test.rgb":       {Emoji: "🧪", Label: "Test"},
		"refactor.rgb":   {Emoji: "🔧", Label: "Refactor"},
		"always.rgb":     {Emoji: "♾️", Label: "Always", Ink: green},
		"debug.rgb":      {Emoji: "🐞", Label: "Debug", Ink: red},
		"retry.rgb":      {Emoji: "🔁", Label: "Retry", Ink: blue},
		"skip.rgb":       {Emoji: "⏭️", Label: "Skip"},
		"background.rgb": {Emoji: "🌙", Label: "Background"},
	}
})
