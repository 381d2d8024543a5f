package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nod/internal/claudecode/settings"
	"nod/internal/words"
)

// The plugin's texts are read by Claude Code and its plugin manager, which speak
// English.
const pluginAbout = "Lets you see and answer Claude Code from any device, through nod."

func (m *Machine) pluginDir() string { return filepath.Join(m.DataDir, "claude-plugin") }

// pluginFiles is a whole plugin: a manifest and the hooks.
func (m *Machine) pluginFiles(binary string) (map[string][]byte, error) {
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
	}{pluginAbout, pluginHooks(m.hooks(binary))})
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		filepath.Join(m.pluginDir(), ".claude-plugin", "plugin.json"): manifest,
		filepath.Join(m.pluginDir(), "hooks", "hooks.json"):           hooks,
	}, nil
}

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

func (m *Machine) installPlugin(w wish) error {
	nod, err := m.program()
	if err != nil {
		return err
	}
	files, err := m.pluginFiles(nod.path)
	if err != nil {
		return err
	}
	p := m.paper()
	same := true
	for path, content := range files {
		have, err := os.ReadFile(path)
		same = same && err == nil && bytes.Equal(have, content)
	}
	switch {
	case w.dry && same:
		p.say(0, m.say.Say(words.PluginAlready, m.pluginDir()))
		return nil
	case w.dry:
		p.say(0, m.say.Say(words.PluginPlan, m.pluginDir()))
		return nil
	}
	if err := m.placeProgram(p, nod); err != nil {
		return err
	}
	if err := writeFiles(files); err != nil {
		return m.failed(words.NothingWritten, err)
	}
	text := words.PluginWrote
	if same {
		text = words.PluginAlready
	}
	p.say(0, m.say.Say(text, m.pluginDir()))
	m.tellDoubled(p)
	p.say(0, m.say.Say(words.PluginUse))
	p.say(2, "claude --plugin-dir "+shellWord(m.pluginDir()))
	return nil
}

func writeFiles(files map[string][]byte) error {
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := replaceFile(path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// tellDoubled: hooks of the settings run beside those of a plugin.
func (m *Machine) tellDoubled(p paper) {
	paths, err := m.claudePaths()
	if err != nil {
		return
	}
	for _, f := range settings.Inspect(paths).Files {
		if len(f.Handlers) > 0 {
			m.caution(p, m.say.Say(words.PluginDoubled, f.Path))
		}
	}
}

// removePlugin takes out what installPlugin wrote and no file more.
func (m *Machine) removePlugin(w wish) error {
	p, dir := m.paper(), m.pluginDir()
	files, err := m.pluginFiles("")
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		p.say(0, m.say.Say(words.PluginNone, dir))
		return nil
	}
	if w.dry {
		p.say(0, m.say.Say(words.PluginRemovePlan, dir))
		return nil
	}
	for path := range files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_ = os.Remove(filepath.Dir(path)) // stays if the person put something there
	}
	if err := os.Remove(dir); err != nil {
		return m.failed(words.PluginKept, dir)
	}
	p.say(0, m.say.Say(words.PluginRemoved, dir))
	return nil
}

// shellWord quotes a path for copying into a shell.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
