package machine

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/app"
	"nod/internal/archive"
	"nod/internal/words"
)

func (m *Machine) storePrune() *cobra.Command {
	cmd := m.command("prune --keep SPAN [--export FILE]", words.TopicStorePrune)
	cmd.Args = cobra.NoArgs
	which := m.shelfFlags(cmd)
	keep := cmd.Flags().String("keep", "", m.say.Say(words.FlagStoreKeep))
	export := cmd.Flags().String("export", "", m.say.Say(words.FlagStoreExport))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		now := time.Now()
		before, ok := keepFrom(now, *keep)
		if !ok {
			return m.misused(words.StoreWrongKeep, nod.OneLine(*keep))
		}
		name, err := m.configured(which)
		if err != nil {
			return err
		}
		shelf, err := app.OpenShelf(cmd.Context(), which.data, name)
		if err != nil {
			return storeError(err)
		}
		defer shelf.Close()
		file := filepath.Join(which.data, "checkpoint.key")
		key, err := signingKey(file)
		if err != nil {
			return m.failed(words.StoreKeyFailed, file, nod.Visible(err.Error()))
		}
		progress := m.progress()
		p := archive.Pruning{Before: before, Now: now, Key: key, Progress: func(seq nod.Seq) { progress.tell(words.StoreLooking, seq) }}
		if *export != "" {
			p.Export = func(base nod.Checkpoint) (archive.Sink, error) { return archive.File(*export, base) }
		}
		done, err := archive.Prune(cmd.Context(), shelf, p)
		progress.end()
		if err != nil {
			return storeError(err)
		}
		m.tellPruned(done, before, file)
		return nil
	}
	return cmd
}

func (m *Machine) tellPruned(done archive.Pruned, before time.Time, file string) {
	p := m.paper()
	if done.Removed == 0 {
		p.say(0, m.say.Say(words.StoreNothingOld, day(before), done.Kept))
		return
	}
	p.say(0, m.say.Count(words.StorePruned, int(done.Removed), day(before), done.Kept))
	p.say(0, m.say.Say(words.StoreCheckpoint, done.Base.Seq, done.Base.Hash, done.Base.Signer(), file))
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
	*Machine
	shown bool
	last  time.Time
}

func (m *Machine) progress() *progress {
	return &progress{Machine: m, shown: m.paper().columns > 0, last: time.Now()}
}

func (p *progress) tell(text words.Message, args ...any) {
	if p.shown && time.Since(p.last) > 250*time.Millisecond {
		p.last = time.Now()
		fmt.Fprint(p.Stderr, "\r\x1b[K"+p.say.Say(text, args...))
	}
}

func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.Stderr, "\r\x1b[K")
	}
}
