package app

import (
	"os"
	"path/filepath"
	"time"

	"nod"
	"nod/internal/agent/headless"
	"nod/internal/net/httpd"
	"nod/internal/surface/brain"
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
	d := a.deps()
	d.Now = a.hub.Now
	a.use("headless", headless.New(a.Config.Headless, d, headless.Needs{
		Environ: os.Environ(), Assistants: a.Config.Assistant, Phrases: a.rules.phrase, Files: a.files.Here,
	}))
}

// phrase judges something that a person said, before anybody hears it.
func (b *rulebook) phrase(text string) (verdict, reason string) {
	j := b.Current().JudgePhrase(text)
	return string(j.Verdict), j.Reason
}

// brain is where voices and other programs ask assistants: nod's own way, and
// those of Ollama and OpenAI for whatever speaks them already.
func (a *app) brain() []httpd.Route {
	c := a.Config.Brain
	asker := a.asker(c.Wait)
	patient := a.asker(a.Config.Headless.Turn) // programs wait longer than voices
	chats := talk.NewChats(talk.ChatOptions{Asker: patient, Context: c.Context, Rate: c.Rate, Now: time.Now, While: httpd.WhileServing, Phrases: a.rules.phrase})
	routes := brain.Routes(brain.Options{
		Hub: a.hub, Asker: asker, Assistant: c.Assistant, Context: c.Context, Rate: c.Rate, Now: time.Now, Log: a.Log,
	})
	routes = append(routes, ollama.Routes(ollama.Options{Hub: a.hub, Chats: chats, Version: a.Version, Started: a.started, Log: a.Log, Now: time.Now})...)
	return append(routes, openai.Routes(openai.Options{Hub: a.hub, Chats: chats, Started: a.started, Log: a.Log, Now: time.Now})...)
}

// compatible reports whether a path is a door of another program's interface.
func compatible(path string) bool { return ollama.Door(path) || openai.Door(path) }
