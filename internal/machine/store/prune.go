package store

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nod"
	"nod/internal/app"
	"nod/internal/hub/archive"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// pruneFlags are how `nod store prune` was called.
type pruneFlags struct {
	*shelfFlags
	keep, export string
	yes, dry     bool
}

func (m *commands) storePrune() *cobra.Command {
	cmd := m.Command("prune --keep SPAN [--export FILE] [--yes] [--dry-run]", words.TopicStorePrune)
	cmd.Args = cobra.NoArgs
	o := pruneFlags{shelfFlags: m.shelfFlags(cmd)}
	f := cmd.Flags()
	f.StringVar(&o.keep, "keep", "", m.Say(words.FlagStoreKeep))
	f.StringVar(&o.export, "export", "", m.Say(words.FlagStoreExport))
	f.BoolVar(&o.yes, "yes", false, m.Say(words.FlagStoreYes))
	f.BoolVar(&o.dry, "dry-run", false, m.Say(words.FlagStoreDryRun))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		before, ok := keepFrom(time.Now(), o.keep)
		switch {
		case !ok:
			return m.Misused(words.StoreWrongKeep, nod.OneLine(o.keep))
		case !o.yes && !o.dry && !m.Attended():
			return m.Misused(words.StoreUnattended, asTyped(cmd)+" --yes", asTyped(cmd)+" --dry-run")
		}
		return m.prune(cmd.Context(), o, before)
	}
	return cmd
}

func (m *commands) prune(ctx context.Context, o pruneFlags, before time.Time) error {
	name, err := m.configured(o.shelfFlags)
	if err != nil {
		return err
	}
	progress := m.progress()
	p := archive.Pruning{Before: before, Now: time.Now(), Progress: func(seq nod.Seq) { progress.tell(words.StoreLooking, seq) }}
	if o.dry {
		return m.wouldPrune(ctx, o, name, p, progress)
	}
	shelf, err := app.OpenShelf(ctx, o.data, name)
	if err != nil {
		return env.Visible(err)
	}
	defer shelf.Close()
	file := filepath.Join(o.data, "checkpoint.key")
	if p.Key, err = signingKey(file); err != nil {
		return m.Failed(words.StoreKeyFailed, file, nod.Visible(err.Error()))
	}
	if o.export != "" {
		p.Export = func(base nod.Checkpoint) (archive.Sink, error) { return archive.File(o.export, base) }
	}
	refused := false
	if !o.yes {
		p.Agree = func(plan archive.Pruned) (bool, error) {
			progress.end()
			m.tellPlan(o, plan)
			yes, err := m.sure(ctx)
			refused = !yes
			return yes, err
		}
	}
	done, err := archive.Prune(ctx, shelf, p)
	progress.end()
	switch {
	case err != nil:
		return env.Visible(err)
	case refused:
		m.Page().Print(0, m.Say(words.StoreUntouched))
	default:
		m.tellPruned(done, before, file)
	}
	return nil
}

// wouldPrune looks and touches nothing, also while a hub uses the store.
func (m *commands) wouldPrune(ctx context.Context, o pruneFlags, name string, p archive.Pruning, progress *progress) error {
	glass, err := app.LookAt(ctx, o.data, name)
	if err != nil {
		return env.Visible(err)
	}
	defer glass.Close()
	plan, err := archive.Plan(ctx, glass, p)
	progress.end()
	switch {
	case err != nil:
		return env.Visible(err)
	case plan.Removed == 0:
		m.tellPruned(plan, p.Before, "")
	default:
		m.tellPlan(o, plan)
		m.Page().Print(0, m.Say(words.StoreUntouched))
	}
	return nil
}

// tellPlan says what goes, and whether anything keeps it.
func (m *commands) tellPlan(o pruneFlags, plan archive.Pruned) {
	p := m.Page()
	p.Print(0, m.Count(words.StorePlan, int(plan.Removed), day(plan.Upto), plan.Kept))
	if o.export != "" {
		p.Print(0, m.Say(words.StorePlanExport, nod.OneLine(o.export)))
		return
	}
	p.Print(0, m.Say(words.StorePlanLost))
}

// sure asks whoever is there. Silence is a no.
func (m *commands) sure(ctx context.Context) (bool, error) {
	p := m.Page()
	fmt.Fprint(p, p.Paint(console.Bold, m.Say(words.StoreSure))+" ")
	answer := make(chan string, 1)
	go func() { // a read cannot be ended; whoever gives up must not wait for it
		line, _ := bufio.NewReader(m.Stdin).ReadString('\n')
		answer <- line
	}()
	select {
	case line := <-answer:
		return slices.Contains([]string{"y", "yes", "t", "tak", "はい"}, strings.ToLower(strings.TrimSpace(line))), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// asTyped is the command line that was given, for a shell.
func asTyped(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		line += " --" + f.Name
		if f.Value.Type() != "bool" {
			line += " " + console.ShellWord(nod.OneLine(f.Value.String()))
		}
	})
	return line
}

func (m *commands) tellPruned(done archive.Pruned, before time.Time, file string) {
	p := m.Page()
	if done.Removed == 0 {
		p.Print(0, m.Say(words.StoreNothingOld, day(before), done.Kept))
		return
	}
	p.Print(0, m.Count(words.StorePruned, int(done.Removed), day(before), done.Kept))
	p.Print(0, m.Say(words.StoreCheckpoint, done.Base.Seq, done.Base.Hash, done.Base.Signer(), file))
}

// keepFrom is the time before which events may go.
func keepFrom(now time.Time, text string) (time.Time, bool) {
	if len(text) < 2 {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || n < 1 || n > 100_000 {
		return time.Time{}, false
	}
	switch text[len(text)-1] {
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'w':
		return now.AddDate(0, 0, -7*n), true
	case 'y':
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}

// signingKey is not in the store that it vouches for: whoever can change the
// log in a database cannot sign another beginning for it.
func signingKey(file string) (ed25519.PrivateKey, error) {
	const kind = "NOD CHECKPOINT KEY"
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		_, err = f.Write(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: key.Seed()}))
		return key, errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind || len(block.Bytes) != ed25519.SeedSize {
		return nil, fmt.Errorf("it is no key of nod")
	}
	return ed25519.NewKeyFromSeed(block.Bytes), nil
}

// progress tells on a terminal how far something is, a few times a second at
// most.
type progress struct {
	*commands
	shown bool
	last  time.Time
}

func (m *commands) progress() *progress {
	return &progress{commands: m, shown: m.Page().Columns > 0, last: time.Now()}
}

func (p *progress) tell(text words.Message, args ...any) {
	if p.shown && time.Since(p.last) > 250*time.Millisecond {
		p.last = time.Now()
		fmt.Fprint(p.Stderr, "\r\x1b[K"+p.Say(text, args...))
	}
}

func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.Stderr, "\r\x1b[K")
	}
}
