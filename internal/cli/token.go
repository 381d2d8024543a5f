package cli

import (
	"context"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func tokenCommand(c *console.Console) *cobra.Command {
	return c.Group("token create|list|revoke", words.TopicToken, "token ", tokenCreateCommand(c), tokenListCommand(c), tokenRevokeCommand(c))
}

func tokenCreateCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("create --name NAME --rights RIGHTS [--room ROOM]", words.TopicTokenCreate)
	name := cmd.Flags().String("name", "", c.Say(words.FlagName))
	rights := cmd.Flags().String("rights", "", c.Say(words.FlagRights))
	room := cmd.Flags().String("room", "", c.Say(words.FlagRoom))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *name == "" {
			return c.Misuse(cmd, c.Say(words.FlagNeeded, "name"))
		}
		set, err := parseRights(c, cmd, *rights)
		if err != nil {
			return err
		}
		cl, err := c.Hub()
		if err != nil {
			return err
		}
		return createToken(cmd.Context(), c, cl, v1.NewToken{Name: *name, Rights: set, Room: *room})
	}
	return cmd
}

func parseRights(c *console.Console, cmd *cobra.Command, list string) (nod.Rights, error) {
	if list == "" {
		return 0, c.Misuse(cmd, c.Say(words.FlagNeeded, "rights"))
	}
	set, err := nod.ParseRights(list)
	if err != nil {
		return 0, c.Misuse(cmd, c.Say(words.UnknownRight, list))
	}
	return set, nil
}

// createToken prints only the token on stdout, so that $(…) catches nothing else.
func createToken(ctx context.Context, c *console.Console, cl *client.Client, n v1.NewToken) error {
	t, err := cl.CreateToken(ctx, n)
	if err != nil {
		return err
	}
	if err := c.Println(t.Secret); err != nil {
		return err
	}
	return c.Warn(c.Say(words.TokenOnce, strings.Join(t.Rights.Names(), ", ")))
}

func tokenListCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("list [--json]", words.TopicTokenList)
	asJSON := c.JSONFlag(cmd)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		list, err := cl.Tokens(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return c.PrintJSON(console.OrEmpty(list))
		}
		return c.Println(tokenList(c.Page(), list))
	})
	return cmd
}

func tokenList(p show.Page, list []v1.Token) string {
	if len(list) == 0 {
		return p.Say(words.NoTokens)
	}
	widest := 0
	for _, t := range list {
		widest = max(widest, lipgloss.Width(nod.OneLine(t.ID)))
	}
	lines := make([]string, len(list))
	for i, t := range list {
		room := ""
		if t.Room != "" {
			room = p.Say(words.TokenRoom, t.Room)
		}
		id := term.Pad(nod.OneLine(t.ID), widest)
		rest := term.Join(t.Name, t.Rights.String(), room, tokenUse(p, t))
		lines[i] = p.Paint(term.Strong, id) + "  " + p.OneLine(rest, p.Columns-widest-2)
	}
	return strings.Join(lines, "\n")
}

func tokenUse(p show.Page, t v1.Token) string {
	used := p.Say(words.TokenUnused)
	if t.Used != nil {
		used = p.Say(words.TokenUsed, p.Ago(p.Now.Sub(*t.Used)))
	}
	switch {
	case t.Expires == nil:
		return used
	case !t.Expires.After(p.Now):
		return term.Join(used, p.Say(words.TokenOver))
	}
	return term.Join(used, p.Say(words.TokenEnds, p.Left(t.Expires.Sub(p.Now))))
}

func tokenRevokeCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("revoke ID", words.TopicTokenRevoke)
	cmd.Args = c.Arguments(1, 1, "ID")
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error {
		err := cl.RevokeToken(ctx, args[0])
		if err != nil && nod.CodeOf(err) == nod.NotFound {
			return console.Fail(console.ExitGone, c.Say(words.NoSuchToken, args[0]))
		}
		if err != nil {
			return err
		}
		return c.Println(c.Say(words.TokenRevoked, nod.OneLine(args[0])))
	})
	return cmd
}
