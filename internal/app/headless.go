package app

import (
	"os"
	"path/filepath"
	"time"

	"nod"
	"nod/internal/agent/headless"
	"nod/internal/net/httpd"
	"nod/internal/surface/ollama"
	"nod/internal/surface/openai"
	"nod/internal/talk"
)

// assistants are whom people can open a conversation with; a demo has nobody.
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

// conversations keeps the programs behind conversations without a terminal.
func (a *app) conversations() {
	a.use("headless", headless.New(a.Config.Headless, a.agentDeps(), headless.Needs{
		Environ: os.Environ(), Assistants: a.Config.Assistant, Phrases: a.rules.phrase, Files: a.files.Here,
	}))
}

// phrase judges something that a person said, before anybody hears it.
func (b *ruleFile) phrase(text string) (verdict, reason string) {
	j := b.Current().JudgePhrase(text)
	return string(j.Verdict), j.Reason
}

// chats are where other programs talk to assistants, in the ways of Ollama and OpenAI.
func (a *app) chats() []httpd.Route {
	chats := talk.NewChats(talk.ChatOptions{
		Asker:   a.asker(a.Config.Headless.Turn), // programs wait longer than voices
		Context: a.Config.Brain.Context, Rate: a.Config.Brain.Rate, Now: time.Now, While: httpd.WhileServing, Phrases: a.rules.phrase,
	})
	return append(a.use("ollama", ollama.New(a.deps(), ollama.Needs{Chats: chats, Started: a.started})),
		a.use("openai", openai.New(a.deps(), openai.Needs{Chats: chats, Started: a.started}))...)
}

// compatible reports whether a path belongs to another program's interface.
func compatible(path string) bool { return ollama.Serves(path) || openai.Serves(path) }
