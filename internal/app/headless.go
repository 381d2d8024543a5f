package app

import (
	"path/filepath"

	"nod"
	"nod/internal/surface/ollama"
	"nod/internal/surface/openai"
)

// assistants are those that people can open a conversation with; a demo has none.
func (o *Options) assistants() []nod.Assistant {
	if o.Demo {
		return nil
	}
	var list []nod.Assistant
	for _, a := range o.Config.Assistant.OrUsual() {
		cwd := a.Cwd
		if cwd == "" {
			cwd = filepath.Join(o.Data, "assistants", a.Name)
		}
		list = append(list, nod.Assistant{
			Name: a.Name, About: a.About, Kind: "claude", Model: a.Model, Host: hostname(), Cwd: cwd,
			Language: a.Language, Context: a.Context,
		})
	}
	return list
}

// phrase judges what a person said before it reaches an agent.
func (b *ruleFile) phrase(text string) (verdict, reason string) {
	j := b.Current().JudgePhrase(text)
	return string(j.Verdict), j.Reason
}

// compatible reports whether a path belongs to another program's interface.
func compatible(path string) bool { return ollama.Serves(path) || openai.Serves(path) }
