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
	m := &commands{e}
	cmd := m.Command("store", words.TopicStore)
	cmd.AddCommand(m.storeStatus(), m.storeCopy(), m.storePrune())
	return cmd
}

// commands are those of `nod store`.
type commands struct{ *env.Env }

// shelfFlags are which store is meant: that of a data directory and its nod.toml.
type shelfFlags struct{ data, file string }

func (m *commands) shelfFlags(cmd *cobra.Command) *shelfFlags {
	var s shelfFlags
	cmd.Flags().StringVar(&s.data, "data", m.DataDir, m.Say(words.FlagData))
	cmd.Flags().StringVar(&s.file, "config", "", m.Say(words.FlagConfig))
	return &s
}

// configured is the store that nod.toml or the environment names.
func (m *commands) configured(s *shelfFlags) (string, error) {
	data, err := filepath.Abs(s.data)
	if err != nil {
		return "", err
	}
	s.data = data
	c, _, err := m.Load(s.data, s.file)
	if err != nil {
		return "", env.Visible(err)
	}
	return c.Store, nil
}

func (m *commands) storeStatus() *cobra.Command {
	cmd := m.Command("status [--json]", words.TopicStoreStatus)
	cmd.Args = cobra.NoArgs
	which := m.shelfFlags(cmd)
	asJSON := cmd.Flags().Bool("json", false, m.Say(words.FlagJSON))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		name, err := m.configured(which)
		if err != nil {
			return err
		}
		glass, err := app.LookAt(cmd.Context(), which.data, name)
		if err != nil {
			return env.Visible(err)
		}
		defer glass.Close()
		status, err := archive.Look(cmd.Context(), glass, time.Now)
		if err != nil {
			return env.Visible(err)
		}
		if *asJSON {
			return m.PrintJSON(status)
		}
		m.tellStatus(status)
		return nil
	}
	return cmd
}

func (m *commands) tellStatus(s archive.Status) {
	p := m.Page()
	var names, values []string
	row := func(name words.Message, value string) {
		names, values = append(names, m.Say(name)), append(values, value)
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
		text := m.Say(words.StoreBaseIs, b.Seq, day(b.At), b.Signer)
		if !b.Valid {
			text = p.Paint(console.Red, m.Say(words.StoreForged))
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

// bytesOf is a size that may be small.
func bytesOf(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", (n+1023)>>10)
	}
	return console.Size(uint64(n))
}

func (m *commands) storeCopy() *cobra.Command {
	cmd := m.Command("copy --from STORE --to STORE", words.TopicStoreCopy)
	cmd.Args = cobra.NoArgs
	which := m.shelfFlags(cmd)
	from := cmd.Flags().String("from", "", m.Say(words.FlagStoreFrom))
	to := cmd.Flags().String("to", "", m.Say(words.FlagStoreTo))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *from == "" || *to == "" {
			return m.Misused(words.StoreNeedsBoth)
		}
		if same, err := m.sameStore(which, *from, *to); err != nil {
			return err
		} else if same {
			return m.Misused(words.StoreSame)
		}
		source, err := m.openNamed(cmd, which, *from)
		if err != nil {
			return err
		}
		defer source.Close()
		target, err := m.openNamed(cmd, which, *to)
		if err != nil {
			return err
		}
		defer target.Close()
		progress := m.progress()
		done, err := archive.Copy(cmd.Context(), source, target, func(seq, total nod.Seq) { progress.tell(words.StoreCopying, seq, total) })
		progress.end()
		if err != nil {
			return env.Visible(err)
		}
		p := m.Page()
		p.Print(0, m.Say(words.StoreCopied, nod.OneLine(source.Place()), nod.OneLine(target.Place()), done.Seq, done.Tokens, done.Passkeys))
		p.Print(0, m.Say(words.StoreCopyNext))
		return nil
	}
	return cmd
}

// openNamed opens a store as a person calls it.
func (m *commands) openNamed(cmd *cobra.Command, which *shelfFlags, name string) (app.ArchiveStore, error) {
	name, err := m.storeName(which, name)
	if err != nil {
		return nil, err
	}
	s, err := app.OpenShelf(cmd.Context(), which.data, name)
	if err != nil {
		return nil, env.Visible(err)
	}
	return s, nil
}

// storeName resolves "postgres", which keeps passwords out of command lines.
func (m *commands) storeName(which *shelfFlags, name string) (string, error) {
	configured, err := m.configured(which)
	if err != nil || name != "postgres" {
		return name, err
	}
	if !app.Postgres(configured) {
		return "", m.Misused(words.StoreNoServer)
	}
	return configured, nil
}

func (m *commands) sameStore(which *shelfFlags, from, to string) (bool, error) {
	a, err := m.storeName(which, from)
	if err != nil {
		return false, err
	}
	b, err := m.storeName(which, to)
	return a == b, err
}
