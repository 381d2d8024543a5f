package machine

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"nod/internal/app"
	"nod/internal/present/words"
)

// link runs a hub for agents whose people use a hub elsewhere. Requests are answered
// there, and here while there is no connection.
func (m *Machine) link() *cobra.Command {
	var there struct{ Hub, TokenFile, CA string }
	cmd := m.hub("link --hub URL --token-file FILE [--ca FILE] [--data DIR]", words.TopicLink, func(c *app.Config) error {
		if there.Hub != "" {
			c.Link.Hub = there.Hub
		}
		for _, file := range []struct{ given, into *string }{{&there.TokenFile, &c.Link.TokenFile}, {&there.CA, &c.Link.CA}} {
			if *file.given == "" {
				continue
			}
			path, err := filepath.Abs(*file.given)
			if err != nil {
				return err
			}
			*file.into = path
		}
		if c.Link.Hub == "" {
			return m.Failed(words.LinkWhere)
		}
		return c.Link.Check()
	})
	f := cmd.Flags()
	f.StringVar(&there.Hub, "hub", "", m.Say(words.FlagHub))
	f.StringVar(&there.TokenFile, "token-file", "", m.Say(words.FlagTokenFile))
	f.StringVar(&there.CA, "ca", "", m.Say(words.FlagLinkCA))
	return cmd
}
