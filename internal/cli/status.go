package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func statusCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("status [--json]", words.TopicStatus)
	asJSON := c.JSONFlag(cmd)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		h, err := cl.Health(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return c.PrintJSON(struct {
				Hub string `json:"hub"`
				*v1.Health
			}{cl.Where(), h})
		}
		rows := statusRows(c.Page(), cl.Where(), h)
		return c.Println(strings.TrimRight(term.TwoColumns(rows), "\n"))
	})
	return cmd
}

func statusRows(p show.Page, where string, h *v1.Health) [][2]string {
	var rows [][2]string
	add := func(m words.Message, value string) {
		if value != "" {
			rows = append(rows, [2]string{p.Say(m), nod.OneLine(value)})
		}
	}
	add(words.HubAt, where)
	add(words.ListensAt, h.Listen)
	add(words.VersionIs, h.Version)
	add(words.RunsFor, p.Span(h.Now.Sub(h.Started)))
	add(words.DataIn, h.Data)
	head := p.Count(words.EventsInLog, int(h.Head))
	if h.Hash != (nod.Hash{}) {
		head = term.Join(head, h.Hash.String())
	}
	add(words.LogIs, head)
	add(words.WaitingCount, strconv.Itoa(h.Pending))
	add(words.AgentsCount, strconv.Itoa(h.Agents))
	add(words.ViewersCount, strconv.Itoa(h.Viewers))
	add(words.YouAre, actorText(p, h.You))
	add(words.YouMay, rightsText(p, h.Rights))
	return rows
}

func actorText(p show.Page, you *nod.Actor) string {
	if you == nil || you.Name == "" {
		return p.Say(words.Nobody)
	}
	return term.Join(you.Name, you.Via)
}

func rightsText(p show.Page, rs nod.Rights) string {
	if rs == 0 {
		return p.Say(words.Nothing)
	}
	return strings.Join(rs.Names(), ", ")
}

func agentsCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("agents [--all] [--json]", words.TopicAgents)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagEnded))
	asJSON := c.JSONFlag(cmd)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		snap, err := cl.State(ctx)
		if err != nil {
			return err
		}
		list := snap.Agents
		if !*all {
			list = show.Alive(list)
		}
		switch {
		case *asJSON:
			return c.PrintJSON(console.OrEmpty(list))
		case len(list) == 0:
			return c.Println(c.Say(words.NoAgents))
		}
		_, err = fmt.Fprint(c.Stdout, show.AgentList(c.Page().With(snap), list))
		return err
	})
	return cmd
}
