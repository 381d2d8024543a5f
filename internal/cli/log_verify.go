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
	"nod/internal/client"
	"nod/internal/words"
)

func (c *console) logVerify() *cobra.Command {
	cmd := c.command("verify [FILE] [--head HASH]", words.TopicLogVerify)
	head := cmd.Flags().String("head", "", c.say.Say(words.FlagHead))
	cmd.Args = c.arguments(0, 1, "FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v := &verifier{console: c}
		if *head != "" {
			wanted, err := nod.ParseHash(*head)
			if err != nil {
				return c.misuse(cmd, c.say.Say(words.WrongUse, nod.MessageOf(err)))
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

// verifier walks a log from its start and checks every link of the chain.
type verifier struct {
	*console
	wanted  *nod.Hash // a head that was kept, to be found on the way
	found   nod.Seq
	seq     nod.Seq
	hash    nod.Hash
	total   nod.Seq // 0: unknown
	written time.Time
}

func (v *verifier) hub(ctx context.Context) error {
	cl, err := v.Client("terminal")
	if err != nil {
		return err
	}
	v.total = headOf(ctx, cl)
	return v.walk(entriesOf(ctx, cl))
}

func (v *verifier) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return v.walk(entriesIn(f))
}

// entriesOf reads the whole log of a hub.
func entriesOf(ctx context.Context, cl *client.Client) iter.Seq2[client.LogEntry, error] {
	return func(yield func(client.LogEntry, error) bool) {
		for after := nod.Seq(0); ; {
			entries, err := cl.Log(ctx, after, logPage)
			if err != nil {
				yield(client.LogEntry{}, err)
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
		}
	}
}

// entriesIn reads an export.
func entriesIn(r io.Reader) iter.Seq2[client.LogEntry, error] {
	return func(yield func(client.LogEntry, error) bool) {
		dec := json.NewDecoder(r)
		for {
			var entry client.LogEntry
			err := dec.Decode(&entry)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

func (v *verifier) walk(entries iter.Seq2[client.LogEntry, error]) error {
	for entry, err := range entries {
		if err != nil {
			v.endProgress()
			return v.unreadable(err)
		}
		if fault := v.check(entry); fault != "" {
			v.endProgress()
			return fail(exitFailed, v.say.Say(words.Broken, v.seq, fault))
		}
		v.progress()
	}
	v.endProgress()
	return v.conclude()
}

// check takes one more event into the chain, or says what is wrong with it.
func (v *verifier) check(entry client.LogEntry) string {
	e, err := nod.Unseal(entry.Event, entry.Hash)
	if err != nil {
		return v.say.Say(words.BadShape, v.seq+1)
	}
	if e.Verify(v.seq, v.hash) != nil {
		if e.Seq != v.seq+1 {
			return v.say.Say(words.BadMissing, v.seq+1, e.Seq)
		}
		return v.say.Say(words.BadChanged, e.Seq, nod.OneLine(string(e.Kind)), e.At.Format(time.RFC3339))
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
		return fail(exitFailed, v.say.Say(words.Broken, v.seq, v.say.Say(words.BadShape, v.seq+1)))
	}
	return v.logError(err)
}

func (v *verifier) conclude() error {
	if v.wanted != nil && v.found == 0 {
		return fail(exitFailed, v.say.Say(words.HeadMissing, *v.wanted))
	}
	if v.seq == 0 {
		return v.println(v.say.Say(words.LogEmpty))
	}
	p := v.page()
	text := p.ink.paint(good, shapeDone) + " " + v.say.Count(words.Verified, int(v.seq)) + "\n"
	if v.found > 0 {
		text += v.say.Say(words.HeadFound, v.found) + "\n"
	}
	text += v.say.Say(words.HeadIs, v.seq, v.hash) + "\n" + p.flow(v.say.Say(words.KeepHead))
	return v.println(text)
}

// progress tells on a terminal how far it is, a few times a second at most.
func (v *verifier) progress() {
	if _, ok := v.terminal(); !ok || v.Now().Sub(v.written) < 250*time.Millisecond {
		return
	}
	text := v.say.Say(words.VerifyingAny, v.seq)
	if v.total > 0 {
		text = v.say.Say(words.Verifying, v.seq, v.total)
	}
	if !v.written.IsZero() {
		fmt.Fprint(v.Stderr, "\r\x1b[K"+text)
	}
	v.written = v.Now()
}

func (v *verifier) endProgress() {
	if _, ok := v.terminal(); ok && !v.written.IsZero() {
		fmt.Fprint(v.Stderr, "\r\x1b[K")
	}
}
