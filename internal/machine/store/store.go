// Package store holds the commands that look after the log as a whole.
package store

import (
	"fmt"
	"path/filepath"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/app"
	"nod/internal/hub/archive"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// Command is `nod store`.
func Command(e *env.Env) *cobra.Command {
	c := &commands{e}
	cmd := c.Command("store", words.TopicStore)
	cmd.AddCommand(c.status(), c.copy(), c.prune())
	return cmd
}

// commands are those of `nod store`.
type commands struct{ *env.Env }

// location is which store is meant: that of a data directory and its nod.toml.
type location struct{ data, file string }

// location adds the flags.
func (c *commands) location(cmd *cobra.Command) *location {
	var s location
	cmd.Flags().StringVar(&s.data, "data", c.DataDir, c.Say(words.FlagData))
	cmd.Flags().StringVar(&s.file, "config", "", c.Say(words.FlagConfig))
	return &s
}

// configured is the store that nod.toml or the environment names.
func (c *commands) configured(s *location) (string, error) {
	data, err := filepath.Abs(s.data)
	if err != nil {
		return "", err
	}
	s.data = data
	conf, _, err := c.Load(s.data, s.file)
	if err != nil {
		return "", env.Visible(err)
	}
	return conf.Store, nil
}

func (c *commands) status() *cobra.Command {
	cmd := c.Command("status [--json]", words.TopicStoreStatus)
	cmd.Args = cobra.NoArgs
	which := c.location(cmd)
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		name, err := c.configured(which)
		if err != nil {
			return err
		}
		view, err := app.OpenStoreReader(cmd.Context(), which.data, name)
		if err != nil {
			return env.Visible(err)
		}
		defer view.Close()
		status, err := archive.Look(cmd.Context(), view, time.Now)
		if err != nil {
			return env.Visible(err)
		}
		if *asJSON {
			return c.PrintJSON(status)
		}
		c.printStatus(status)
		return nil
	}
	return cmd
}

func (c *commands) printStatus(s archive.Status) {
	p := c.Page()
	var names, values []string
	row := func(name words.Message, value string) {
		names, values = append(names, c.Say(name)), append(values, value)
	}
	row(words.StorePlace, nod.OneLine(s.Place))
	if s.Server != "" {
		row(words.StoreServer, nod.OneLine(s.Server))
		row(words.StoreHubs, fmt.Sprint(s.Hubs))
	}
	row(words.StoreEvents, fmt.Sprint(s.Events))
	if s.Oldest != nil && s.Newest != nil {
		row(words.StoreSpan, day(*s.Oldest)+" – "+day(*s.Newest))
	}
	row(words.StoreHead, fmt.Sprintf("%d, %s", s.Head, s.Hash))
	row(words.StoreSize, bytesOf(s.Bytes))
	if s.Server != "" {
		row(words.StoreTrip, s.RoundTrip.Round(10*time.Microsecond).String())
	}
	if b := s.Pruned; b != nil {
		text := c.Say(words.StoreBaseIs, b.Seq, day(b.At), b.Signer)
		if !b.Valid {
			text = p.Paint(console.Red, c.Say(words.StoreForged))
		}
		row(words.StoreBase, text)
	}
	width := 0
	for _, n := range names {
		width = max(width, lipgloss.Width(n))
	}
	for i, n := range names {
		fmt.Fprintf(p, "%s  %s\n", p.Paint(console.Faint, console.Padded(n, width)), values[i])
	}
}

func day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// bytesOf is for sizes that may be below a megabyte.
func bytesOf(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", (n+1023)>>10)
	}
	return console.Size(uint64(n))
}

func (c *commands) copy() *cobra.Command {
	cmd := c.Command("copy --from STORE --to STORE", words.TopicStoreCopy)
	cmd.Args = cobra.NoArgs
	which := c.location(cmd)
	from := cmd.Flags().String("from", "", c.Say(words.FlagStoreFrom))
	to := cmd.Flags().String("to", "", c.Say(words.FlagStoreTo))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *from == "" || *to == "" {
			return c.Misused(words.StoreNeedsBoth)
		}
		for _, typed := range []*string{from, to} {
			var err error
			if *typed, err = c.name(which, *typed); err != nil {
				return err
			}
		}
		if *from == *to {
			return c.Misused(words.StoreSame)
		}
		source, err := app.OpenArchive(cmd.Context(), which.data, *from)
		if err != nil {
			return env.Visible(err)
		}
		defer source.Close()
		target, err := app.OpenArchive(cmd.Context(), which.data, *to)
		if err != nil {
			return env.Visible(err)
		}
		defer target.Close()
		progress := c.progress()
		done, err := archive.Copy(cmd.Context(), source, target, func(seq, total nod.Seq) { progress.show(words.StoreCopying, seq, total) })
		progress.end()
		if err != nil {
			return env.Visible(err)
		}
		p := c.Page()
		p.Print(0, c.Say(words.StoreCopied, nod.OneLine(source.Place()), nod.OneLine(target.Place()), done.Seq, done.Tokens, done.Passkeys))
		p.Print(0, c.Say(words.StoreCopyNext))
		return nil
	}
	return cmd
}

// name resolves "postgres", which stands for the configured server, so that its
// password does not have to be on a command line.
func (c *commands) name(which *location, typed string) (string, error) {
	configured, err := c.configured(which)
	if err != nil || typed != "postgres" {
		return typed, err
	}
	if !app.Postgres(configured) {
		return "", c.Misused(words.StoreNoServer)
	}
	return configured, nil
}
