// Package watch is `nod watch`: the live view of everything that waits.
package watch

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/follow"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

// decideLimit is how long the live view waits for the hub to take an answer.
const decideLimit = 10 * time.Second

func Command(c *console.Console) *cobra.Command {
	cmd := c.Command("watch", words.TopicWatch)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if _, ok := c.Width(); !ok {
			return c.Misuse(cmd, c.Say(words.NeedsTerminal))
		}
		return runWatch(cmd.Context(), c)
	}
	return cmd
}

// runWatch connects the log of the hub, the model and the terminal.
func runWatch(ctx context.Context, c *console.Console) error {
	cl, err := c.Client("watch")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	program := tea.NewProgram(newModel(c, cl.Where(), callsTo(ctx, cl)),
		tea.WithContext(ctx), tea.WithInput(c.Stdin), tea.WithOutput(c.Stdout))
	f := &follow.Follower{
		Hub:          cl,
		OnSnapshot:   func(s nod.Snapshot) { program.Send(snapshotMsg{s}) },
		OnEvent:      func(e nod.Event) { program.Send(eventMsg{e}) },
		OnDisconnect: func(err error) { program.Send(disconnectedMsg{err}) },
		OnConnect:    func() { program.Send(connectedMsg{}) },
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.Run(ctx)
	}()
	_, err = program.Run()
	stop()
	<-done
	if errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}

func newModel(c *console.Console, where string, hub hubCalls) *model {
	w := &model{
		Printer: c.Printer, now: c.Now, hub: hub, where: where, colours: c.Colours(),
		state: nod.NewState(), width: term.PipeColumns, height: 24,
		explain: func(err error) string { text, _ := c.Explain(err); return text },
	}
	if w.colours {
		w.Palette = term.TerminalPalette()
	}
	return w
}

// hubCalls are what the live view does at the hub.
type hubCalls struct {
	decide func(nod.RequestID, nod.Answer) error
	shown  func(nod.RequestID) error
	revoke func(nod.LeaseID) (*nod.Lease, error)
	stop   func() (v1.Stopped, error)
}

func callsTo(ctx context.Context, cl *client.Client) hubCalls {
	limited := func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, decideLimit) }
	return hubCalls{
		decide: func(id nod.RequestID, a nod.Answer) error {
			ctx, cancel := limited()
			defer cancel()
			_, err := cl.Decide(ctx, id, a)
			return err
		},
		shown: func(id nod.RequestID) error {
			ctx, cancel := limited()
			defer cancel()
			return cl.Shown(ctx, id)
		},
		revoke: func(id nod.LeaseID) (*nod.Lease, error) {
			ctx, cancel := limited()
			defer cancel()
			return cl.RevokeLease(ctx, id)
		},
		stop: func() (v1.Stopped, error) {
			ctx, cancel := limited()
			defer cancel()
			return cl.StopAll(ctx)
		},
	}
}
