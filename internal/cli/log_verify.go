package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func logVerifyCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("verify [FILE] [--head HASH]", words.TopicLogVerify)
	head := cmd.Flags().String("head", "", c.Say(words.FlagHead))
	cmd.Args = c.Arguments(0, 1, "FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v := &verifier{Console: c}
		if *head != "" {
			wanted, err := nod.ParseHash(*head)
			if err != nil {
				return c.Misuse(cmd, c.Say(words.WrongUse, nod.MessageOf(err)))
			}
			v.wanted = &wanted
		}
		if len(args) == 1 {
			return v.file(args[0])
		}
		return v.hub(cmd.Context())
	}
	return cmd
}

// verifier reads a log from its start or its checkpoint and checks the hash chain.
type verifier struct {
	*console.Console
	base    nod.Checkpoint
	wanted  *nod.Hash // a hash that the person kept, to be found in the log
	found   nod.Seq
	seq     nod.Seq
	hash    nod.Hash
	total   nod.Seq // 0: unknown
	written time.Time
}

func (v *verifier) hub(ctx context.Context) error {
	cl, err := v.Hub()
	if err != nil {
		return err
	}
	v.total = console.HeadOf(ctx, cl)
	return v.walk(entriesOf(ctx, cl, v.begin))
}

// begin starts at the checkpoint, if there is one with a valid signature.
func (v *verifier) begin(base nod.Checkpoint) error {
	if base.IsZero() {
		return nil
	}
	if base.Verify() != nil {
		return console.Fail(console.ExitFailed, v.Say(words.BadCheckpoint, base.Seq))
	}
	v.base, v.seq, v.hash = base, base.Seq, base.Hash
	if v.wanted != nil && *v.wanted == base.Hash {
		v.found = base.Seq
	}
	return nil
}

func (v *verifier) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return v.walk(entriesIn(f, v.begin))
}

// entriesOf reads the whole log that a hub has.
func entriesOf(ctx context.Context, cl *client.Client, begin func(nod.Checkpoint) error) iter.Seq2[v1.LogEntry, error] {
	return func(yield func(v1.LogEntry, error) bool) {
		base, entries, err := cl.LogStart(ctx, logPage)
		if err == nil {
			err = begin(base)
		}
		for after := base.Seq; ; {
			if err != nil {
				yield(v1.LogEntry{}, err)
				return
			}
			if len(entries) == 0 {
				return
			}
			for _, entry := range entries {
				if !yield(entry, nil) {
					return
				}
			}
			after += nod.Seq(len(entries))
			entries, err = cl.Log(ctx, after, logPage)
		}
	}
}

// entriesIn reads an export. Only its first line can be a checkpoint, if the log was
// pruned.
func entriesIn(r io.Reader, begin func(nod.Checkpoint) error) iter.Seq2[v1.LogEntry, error] {
	return func(yield func(v1.LogEntry, error) bool) {
		dec := json.NewDecoder(r)
		for first := true; ; first = false {
			var line struct {
				v1.LogEntry
				Checkpoint *nod.Checkpoint `json:"checkpoint"`
			}
			err := dec.Decode(&line)
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil && first && line.Checkpoint != nil {
				if err = begin(*line.Checkpoint); err == nil {
					continue
				}
			}
			if !yield(line.LogEntry, err) || err != nil {
				return
			}
		}
	}
}

func (v *verifier) walk(entries iter.Seq2[v1.LogEntry, error]) error {
	for entry, err := range entries {
		if err != nil {
			v.endProgress()
			return v.unreadable(err)
		}
		if fault := v.check(entry); fault != "" {
			v.endProgress()
			return console.Fail(console.ExitFailed, v.Say(words.Broken, v.seq, fault))
		}
		v.progress()
	}
	v.endProgress()
	return v.conclude()
}

// check verifies the next event, and says what is wrong with it.
func (v *verifier) check(entry v1.LogEntry) string {
	e, err := nod.Unseal(entry.Event, entry.Hash)
	if err != nil {
		return v.Say(words.BadShape, v.seq+1)
	}
	if e.Verify(v.seq, v.hash) != nil {
		if e.Seq != v.seq+1 {
			return v.Say(words.BadMissing, v.seq+1, e.Seq)
		}
		return v.Say(words.BadChanged, e.Seq, nod.OneLine(string(e.Kind)), e.At.Format(time.RFC3339))
	}
	v.seq, v.hash = e.Seq, e.Hash
	if v.wanted != nil && *v.wanted == e.Hash {
		v.found = e.Seq
	}
	return ""
}

func (v *verifier) unreadable(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || nod.CodeOf(err) == nod.Invalid {
		return console.Fail(console.ExitFailed, v.Say(words.Broken, v.seq, v.Say(words.BadShape, v.seq+1)))
	}
	return logError(v.Console, err)
}

func (v *verifier) conclude() error {
	if v.wanted != nil && v.found == 0 {
		missing := words.HeadMissing
		if !v.base.IsZero() {
			missing = words.HeadPruned
		}
		return console.Fail(console.ExitFailed, v.Say(missing, *v.wanted))
	}
	if v.seq == 0 {
		return v.Println(v.Say(words.LogEmpty))
	}
	p := v.Page()
	text := p.Paint(term.Good, term.SymbolDone) + " " + v.Count(words.Verified, int(v.seq-v.base.Seq)) + "\n"
	if !v.base.IsZero() {
		text += p.Wrap(v.Say(words.VerifiedFrom, v.base.Seq, v.base.At.Local().Format(time.DateOnly), v.base.Signer())) + "\n"
	}
	if v.found > 0 {
		text += v.Say(words.HeadFound, v.found) + "\n"
	}
	text += v.Say(words.HeadIs, v.seq, v.hash) + "\n" + p.Wrap(v.Say(words.KeepHead))
	return v.Println(text)
}

// progress shows on a terminal how far it is, a few times a second.
func (v *verifier) progress() {
	if _, ok := v.Width(); !ok || v.Now().Sub(v.written) < 250*time.Millisecond {
		return
	}
	text := v.Say(words.VerifyingAny, v.seq)
	if v.total > 0 {
		text = v.Say(words.Verifying, v.seq, v.total)
	}
	if !v.written.IsZero() {
		fmt.Fprint(v.Stderr, "\r\x1b[K"+text)
	}
	v.written = v.Now()
}

func (v *verifier) endProgress() {
	if _, ok := v.Width(); ok && !v.written.IsZero() {
		fmt.Fprint(v.Stderr, "\r\x1b[K")
	}
}
