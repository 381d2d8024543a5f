package machine

import (
	"fmt"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/config"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// config prints every setting and where its value comes from.
func (m *Machine) config() *cobra.Command {
	var asJSON bool
	var data, file string
	cmd := m.Command("config [--json]", words.TopicConfig)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&data, "data", m.DataDir, m.Say(words.FlagData))
	f.StringVar(&file, "config", "", m.Say(words.FlagConfig))
	f.BoolVar(&asJSON, "json", false, m.Say(words.FlagJSON))
	cmd.RunE = func(*cobra.Command, []string) error {
		_, list, err := m.Load(data, file)
		if err != nil {
			return err
		}
		for i := range list {
			list[i].Value = console.MaskValue(list[i].Key, list[i].Value)
		}
		if asJSON {
			return m.PrintJSON(list)
		}
		m.printSettings(list)
		return nil
	}
	return cmd
}

func (m *Machine) printSettings(list []config.Setting) {
	p := m.Page()
	keys, values := 0, 0
	for _, s := range list {
		keys, values = max(keys, lipgloss.Width(s.Key)), max(values, lipgloss.Width(shown(s.Value)))
	}
	for _, s := range list {
		origin := nod.OneLine(s.Origin)
		if s.Origin == "default" {
			origin = m.Say(words.ConfigDefault)
		}
		fmt.Fprintf(p, "%s  %s  %s\n", console.Padded(s.Key, keys), console.Padded(shown(s.Value), values), p.Paint(console.Faint, origin))
	}
}

func shown(value string) string {
	if value == "" {
		return "–"
	}
	return nod.OneLine(value)
}
