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
	*location
	keep, export string
	yes, dry     bool
}

func (c *commands) prune() *cobra.Command {
	cmd := c.Command("prune --keep SPAN [--export FILE] [--yes] [--dry-run]", words.TopicStorePrune)
	cmd.Args = cobra.NoArgs
	o := pruneFlags{location: c.location(cmd)}
	f := cmd.Flags()
	f.StringVar(&o.keep, "keep", "", c.Say(words.FlagStoreKeep))
	f.StringVar(&o.export, "export", "", c.Say(words.FlagStoreExport))
	f.BoolVar(&o.yes, "yes", false, c.Say(words.FlagStoreYes))
	f.BoolVar(&o.dry, "dry-run", false, c.Say(words.FlagStoreDryRun))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		before, ok := keepFrom(time.Now(), o.keep)
		switch {
		case !ok:
			return c.Misused(words.StoreWrongKeep, nod.OneLine(o.keep))
		case !o.yes && !o.dry && !c.Attended():
			return c.Misused(words.StoreUnattended, asTyped(cmd)+" --yes", asTyped(cmd)+" --dry-run")
		}
		return c.runPrune(cmd.Context(), o, before)
	}
	return cmd
}

func (c *commands) runPrune(ctx context.Context, o pruneFlags, before time.Time) error {
	name, err := c.configured(o.location)
	if err != nil {
		return err
	}
	progress := c.progress()
	p := archive.Pruning{Before: before, Now: time.Now(), Progress: func(seq nod.Seq) { progress.show(words.StoreLooking, seq) }}
	if o.dry {
		return c.dryRun(ctx, o, name, p, progress)
	}
	log, err := app.OpenArchive(ctx, o.data, name)
	if err != nil {
		return env.Visible(err)
	}
	defer log.Close()
	file := filepath.Join(o.data, "checkpoint.key")
	if p.Key, err = signingKey(file); err != nil {
		return c.Failed(words.StoreKeyFailed, file, nod.Visible(err.Error()))
	}
	if o.export != "" {
		p.Export = func(base nod.Checkpoint) (archive.Sink, error) { return archive.File(o.export, base) }
	}
	refused := false
	if !o.yes {
		p.Agree = func(plan archive.Pruned) (bool, error) {
			progress.end()
			c.printPlan(o, plan)
			yes, err := c.confirm(ctx)
			refused = !yes
			return yes, err
		}
	}
	done, err := archive.Prune(ctx, log, p)
	progress.end()
	switch {
	case err != nil:
		return env.Visible(err)
	case refused:
		c.Page().Print(0, c.Say(words.StoreUntouched))
	default:
		c.printPruned(done, before, file)
	}
	return nil
}

// dryRun only reads, so it works while a hub uses the store.
func (c *commands) dryRun(ctx context.Context, o pruneFlags, name string, p archive.Pruning, progress *progress) error {
	view, err := app.OpenStoreReader(ctx, o.data, name)
	if err != nil {
		return env.Visible(err)
	}
	defer view.Close()
	plan, err := archive.Plan(ctx, view, p)
	progress.end()
	switch {
	case err != nil:
		return env.Visible(err)
	case plan.Removed == 0:
		c.printPruned(plan, p.Before, "")
	default:
		c.printPlan(o, plan)
		c.Page().Print(0, c.Say(words.StoreUntouched))
	}
	return nil
}

// printPlan says what would be deleted, and whether it is exported first.
func (c *commands) printPlan(o pruneFlags, plan archive.Pruned) {
	p := c.Page()
	p.Print(0, c.Count(words.StorePlan, int(plan.Removed), day(plan.Upto), plan.Kept))
	if o.export != "" {
		p.Print(0, c.Say(words.StorePlanExport, nod.OneLine(o.export)))
		return
	}
	p.Print(0, c.Say(words.StorePlanLost))
}

// confirm asks the person at the terminal. No answer is a no.
func (c *commands) confirm(ctx context.Context) (bool, error) {
	p := c.Page()
	fmt.Fprint(p, p.Paint(console.Bold, c.Say(words.StoreSure))+" ")
	answer := make(chan string, 1)
	go func() { // a read cannot be cancelled, and Ctrl-C must not wait for it
		line, _ := bufio.NewReader(c.Stdin).ReadString('\n')
		answer <- line
	}()
	select {
	case line := <-answer:
		return slices.Contains([]string{"y", "yes", "t", "tak", "はい"}, strings.ToLower(strings.TrimSpace(line))), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// asTyped is the command line as it was given, quoted for a shell.
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

func (c *commands) printPruned(done archive.Pruned, before time.Time, file string) {
	p := c.Page()
	if done.Removed == 0 {
		p.Print(0, c.Say(words.StoreNothingOld, day(before), done.Kept))
		return
	}
	p.Print(0, c.Count(words.StorePruned, int(done.Removed), day(before), done.Kept))
	p.Print(0, c.Say(words.StoreCheckpoint, done.Base.Seq, done.Base.Hash, done.Base.Signer(), file))
}

// keepFrom is the time before which events may be deleted.
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

// signingKey is kept outside of the store, so that write access to the database
// is not enough to forge the beginning of a log.
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

// progress shows on a terminal how far something is, a few times a second at most.
type progress struct {
	*env.Env
	shown bool
	last  time.Time
}

func (c *commands) progress() *progress {
	return &progress{Env: c.Env, shown: c.Page().Columns > 0, last: time.Now()}
}

func (p *progress) show(text words.Message, args ...any) {
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
