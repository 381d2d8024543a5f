package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/follow"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// logPage is how many events are read from the hub at once.
const logPage = 500

func logCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("log [--follow] [--json] [-n N]", words.TopicLog)
	follow := cmd.Flags().BoolP("follow", "f", false, c.Say(words.FlagFollow))
	asJSON := c.JSONFlag(cmd)
	count := cmd.Flags().IntP("lines", "n", 20, c.Say(words.FlagCount))
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		return readLog(ctx, c, cl, max(0, *count), *follow, *asJSON)
	})
	cmd.AddCommand(logVerifyCommand(c), logExportCommand(c))
	return cmd
}

func readLog(ctx context.Context, c *console.Console, cl *client.Client, count int, follow, asJSON bool) error {
	health, err := cl.Health(ctx)
	if err != nil {
		return err
	}
	out := &logPrinter{Console: c, asJSON: asJSON, events: show.NewEventPrinter()}
	if !asJSON {
		if snap, err := cl.State(ctx); err == nil { // without it agents are shown by their ids
			out.events.Learn(snap)
		}
	}
	after := health.Head - min(health.Head, nod.Seq(count))
	for after < health.Head {
		entries, err := cl.Log(ctx, after, int(min(logPage, health.Head-after)))
		if err != nil {
			return logError(c, err)
		}
		if len(entries) == 0 {
			break
		}
		for _, entry := range entries {
			e, err := nod.Unseal(entry.Event, entry.Hash)
			if err != nil {
				return err
			}
			after = e.Seq
			out.print(e, entry.Event)
		}
	}
	if follow {
		out.follow(ctx, cl, max(after, health.Head))
		return out.err
	}
	if health.Head == 0 && !asJSON {
		return c.Println(c.Say(words.LogEmpty))
	}
	return out.err
}

func logError(c *console.Console, err error) error {
	if nod.CodeOf(err) == nod.Gone {
		return console.Fail(console.ExitGone, c.Say(words.LogTooShort, nod.Visible(console.PlainMessage(err))))
	}
	return err
}

// logPrinter prints events for people or for scripts.
type logPrinter struct {
	*console.Console
	events show.EventPrinter
	asJSON bool
	err    error // the first failed write, such as a closed pipe
}

func (l *logPrinter) print(e nod.Event, raw []byte) {
	if l.err != nil {
		return
	}
	if l.asJSON {
		l.err = console.PrintJSONLine(l.Stdout, raw)
		return
	}
	if line := l.events.Line(l.Page(), &e); line != "" {
		_, l.err = fmt.Fprintln(l.Stdout, line)
	}
}

// follow prints new events, and says on stderr when the hub is away.
func (l *logPrinter) follow(ctx context.Context, cl *client.Client, after nod.Seq) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lost := false
	f := &follow.Follower{
		Hub: cl, After: after, Known: true,
		OnEvent: func(e nod.Event) {
			raw, err := json.Marshal(e)
			if err == nil {
				l.print(e, raw)
			}
			if l.err != nil {
				stop()
			}
		},
		OnDisconnect: func(error) {
			if !lost {
				_ = l.Warn(l.Say(words.WatchAway, cl.Where()))
			}
			lost = true
		},
		OnConnect: func() { lost = false },
	}
	f.Run(ctx)
}

func logExportCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("export [FILE]", words.TopicLogExport)
	cmd.Args = c.Arguments(0, 1, "FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return exportFile(cmd.Context(), c, args[0])
		}
		if _, ok := c.Width(); ok {
			return c.Misuse(cmd, c.Say(words.ExportToTerminal))
		}
		_, err := exportLog(cmd.Context(), c, c.Stdout)
		return err
	}
	return cmd
}

// exportFile writes a new file that only its owner can read: the log has everything
// that agents were told.
func exportFile(ctx context.Context, c *console.Console, name string) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return console.Fail(console.ExitFailed, c.Say(words.FileExists, nod.OneLine(name)))
	}
	if err != nil {
		return err
	}
	n, err := exportLog(ctx, c, f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(name) // half an export could be mistaken for a whole one
		return err
	}
	return c.Println(c.Count(words.Exported, n, nod.OneLine(name)))
}

// exportLog writes lines of {"hash":…,"event":{…}} with the exact bytes of the
// event, because the hash covers those.
func exportLog(ctx context.Context, c *console.Console, w io.Writer) (int, error) {
	cl, err := c.Hub()
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	begin := func(base nod.Checkpoint) error {
		if base.IsZero() {
			return nil
		}
		return json.NewEncoder(out).Encode(map[string]nod.Checkpoint{"checkpoint": base})
	}
	n := 0
	for entry, err := range entriesOf(ctx, cl, begin) {
		if err != nil {
			return n, logError(c, err)
		}
		if _, err := fmt.Fprintf(out, `{"hash":"%s","event":%s}`+"\n", entry.Hash, entry.Event); err != nil {
			return n, err
		}
		n++
	}
	return n, out.Flush()
}
