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
	"nod/internal/present/words"
)

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
