package machine

import (
	"encoding/json"
	"fmt"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/config"
	"nod/internal/present/words"
)

// config prints what holds and where each value came from.
func (m *Machine) config() *cobra.Command {
	var asJSON bool
	var data, file string
	cmd := m.command("config [--json]", words.TopicConfig)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&data, "data", m.DataDir, m.say.Say(words.FlagData))
	f.StringVar(&file, "config", "", m.say.Say(words.FlagConfig))
	f.BoolVar(&asJSON, "json", false, m.say.Say(words.FlagJSON))
	cmd.RunE = func(*cobra.Command, []string) error {
		_, list, err := m.load(data, file)
		if err != nil {
			return err
		}
		for i := range list {
			list[i].Value = maskValue(list[i].Key, list[i].Value)
		}
		if asJSON {
			return m.printJSON(list)
		}
		m.printSettings(list)
		return nil
	}
	return cmd
}

func (m *Machine) printSettings(list []config.Setting) {
	p := m.paper()
	keys, values := 0, 0
	for _, s := range list {
		keys, values = max(keys, lipgloss.Width(s.Key)), max(values, lipgloss.Width(m.shown(s.Value)))
	}
	for _, s := range list {
		origin := nod.OneLine(s.Origin)
		if s.Origin == "default" {
			origin = m.say.Say(words.ConfigDefault)
		}
		fmt.Fprintf(p, "%s  %s  %s\n", padded(s.Key, keys), padded(m.shown(s.Value), values), p.paint(faint, origin))
	}
}

func (m *Machine) shown(value string) string {
	if value == "" {
		return "–"
	}
	return nod.OneLine(value)
}

func (m *Machine) printJSON(v any) error {
	enc := json.NewEncoder(m.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
