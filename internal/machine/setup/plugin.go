package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"nod/internal/agent/claude/settings"
	"nod/internal/machine/console"
	"nod/internal/present/words"
	"nod/internal/sys/replace"
)

// The plugin's texts are read by Claude Code and its plugin manager, which speak
// English.
const pluginAbout = "Lets you see and answer Claude Code from any device, through nod."

// pluginFiles is a whole plugin: a manifest, the hooks, the MCP server and a skill.
func (m *Setup) pluginFiles(binary string, hook hookProgram) (map[string][]byte, error) {
	manifest, err := pretty(struct {
		Name        string            `json:"name"`
		Version     string            `json:"version"`
		Description string            `json:"description"`
		Author      map[string]string `json:"author"`
	}{"nod", m.Version, pluginAbout, map[string]string{"name": "nod"}})
	if err != nil {
		return nil, err
	}
	hooks, err := pretty(struct {
		Description string                   `json:"description"`
		Hooks       map[string][]pluginGroup `json:"hooks"`
	}{pluginAbout, pluginHooks(hook.hooks())})
	if err != nil {
		return nil, err
	}
	servers, err := pretty(map[string]map[string]pluginServer{"mcpServers": {"nod": {binary, m.mcpArgs()}}})
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		filepath.Join(m.PluginDir(), ".claude-plugin", "plugin.json"):         manifest,
		filepath.Join(m.PluginDir(), "hooks", "hooks.json"):                   hooks,
		filepath.Join(m.PluginDir(), ".mcp.json"):                             servers,
		filepath.Join(m.PluginDir(), "skills", "asking-a-person", "SKILL.md"): []byte(pluginSkill),
	}, nil
}

// pluginServer is a program that speaks MCP on stdio.
type pluginServer struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// dataFlag names the data directory to `nod mcp`.
const dataFlag = "--data"

// mcpArgs start `nod mcp`. A data directory that only this terminal knows of goes
// with them, as with the hooks.
func (m *Setup) mcpArgs() []string {
	args := []string{"mcp"}
	if m.Getenv("NOD_DATA") != "" {
		args = append(args, dataFlag, m.DataDir)
	}
	return args
}

// pluginSkill teaches when to ask a person: too seldom is costly, too often too.
const pluginSkill = `---
name: asking-a-person
description: When and how to ask, notify or show progress to the person you work for, through nod's MCP tools (ask_person, notify_person, show_progress, get_decisions). Use it whenever you need a decision only they can make, or before you stop because something is unclear.
---

# Asking a person

The person may be away from this terminal. nod reaches them on their phone, watch, keyboard or by voice.

## Ask (ask_person) when

- you would otherwise guess about something that is costly to undo: data, money, published or shared things, another person's work;
- two or more sensible ways exist and the choice is a matter of their taste, plans or knowledge;
- you need a fact that is not in the project: a name, a date, which environment;
- you are about to end your turn only because something is unclear.

Do not ask what you can find out yourself, what you were told already (get_decisions lists what was decided), or for praise. Do not ask twice about the same thing.

## How

- One question at a time, in one or two sentences that make sense on a small screen, without this conversation.
- Offer two to four short options, the one you recommend first. Put what they need to know into details.
- It waits as long as it takes. If your program moves the call into the background, do other useful work that does not depend on the answer.
- "Nobody answered" and a refusal are no consent. Then do what is safe without an answer, or stop and say what you need.

## Tell

- notify_person: a result they wait for, a surprise, a risk. Set important only when they should come now.
- show_progress: in work of many steps, when a step is done.

You cannot approve anything yourself. Never try to answer your own question through nod's commands.
`

type pluginGroup struct {
	Hooks []pluginHandler `json:"hooks"`
}

type pluginHandler struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout"`
}

func pluginHooks(hooks []settings.Hook) map[string][]pluginGroup {
	groups := map[string][]pluginGroup{}
	for _, h := range hooks {
		groups[h.Event] = []pluginGroup{{[]pluginHandler{{"command", h.Command, h.Args, h.Timeout}}}}
	}
	return groups
}

func pretty(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

func (m *Setup) installPlugin(ctx context.Context, w wish) error {
	nod, err := m.program()
	if err != nil {
		return err
	}
	hook := m.hookProgram(ctx, nod)
	defer hook.cleanUp()
	files, err := m.pluginFiles(nod.path, hook)
	if err != nil {
		return err
	}
	p := m.Page()
	same := true
	for path, content := range files {
		have, err := os.ReadFile(path)
		same = same && err == nil && bytes.Equal(have, content)
	}
	switch {
	case w.dry && same:
		p.Print(0, m.Say(words.PluginAlready, m.PluginDir()))
		return nil
	case w.dry:
		p.Print(0, m.Say(words.PluginPlan, m.PluginDir()))
		return nil
	}
	if err := m.placePrograms(p, nod, hook); err != nil {
		return err
	}
	if err := writeFiles(files); err != nil {
		return m.Failed(words.NothingWritten, err)
	}
	text := words.PluginWrote
	if same {
		text = words.PluginAlready
	}
	p.Print(0, m.Say(text, m.PluginDir()))
	m.printSlowHook(p, nod, hook)
	m.printDoubled(p)
	p.Print(0, m.Say(words.PluginUse))
	p.Print(2, "claude --plugin-dir "+console.ShellWord(m.PluginDir()))
	return nil
}

func writeFiles(files map[string][]byte) error {
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := replace.File(path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// printDoubled reports that hooks of the settings run in addition to those of a plugin.
func (m *Setup) printDoubled(p console.Page) {
	paths, err := m.ClaudePaths()
	if err != nil {
		return
	}
	for _, f := range settings.Inspect(paths).Files {
		if len(f.Handlers) > 0 {
			p.Warn(m.Say(words.PluginDoubled, f.Path))
		}
	}
}

// removePlugin takes out what installPlugin wrote and no file more.
func (m *Setup) removePlugin(w wish) error {
	p, dir := m.Page(), m.PluginDir()
	files, err := m.pluginFiles("", hookProgram{})
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		p.Print(0, m.Say(words.PluginNone, dir))
		return nil
	}
	if w.dry {
		p.Print(0, m.Say(words.PluginRemovePlan, dir))
		return nil
	}
	for path := range files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for up := filepath.Dir(path); up != dir && os.Remove(up) == nil; up = filepath.Dir(up) {
			continue // a folder stays if the person put something there
		}
	}
	if err := os.Remove(dir); err != nil {
		return m.Failed(words.PluginKept, dir)
	}
	p.Print(0, m.Say(words.PluginRemoved, dir))
	return nil
}
