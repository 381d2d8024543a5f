// Package talk is `nod ask` and `nod chat`: conversations in a terminal or a pipe.
package talk

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/follow"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// conversation is one conversation in a terminal or a pipe.
type conversation struct {
	*console.Console
	hub         *client.Client
	agent       *nod.Agent
	interactive bool // a person can be asked
	lines       lineSource
	screen      *screen
	signals     <-chan os.Signal
}

// target is which conversation the flags mean.
type target struct {
	assistant, session string
	continues          bool
}

func targetFlags(c *console.Console, cmd *cobra.Command) *target {
	w := &target{}
	cmd.Flags().StringVar(&w.assistant, "assistant", "", c.Say(words.FlagAssistant))
	cmd.Flags().StringVar(&w.session, "session", "", c.Say(words.FlagSession))
	cmd.Flags().BoolVar(&w.continues, "continue", false, c.Say(words.FlagContinue))
	cmd.Annotations = map[string]string{"asks": "yes"}
	return w
}

// checkTarget refuses flags that contradict each other.
func checkTarget(c *console.Console, cmd *cobra.Command, w *target) error {
	if w.session != "" && (w.continues || w.assistant != "") {
		return c.Misuse(cmd, c.Say(words.TalkOneOf))
	}
	return nil
}

// openConversation finds or opens the conversation. From here on Ctrl+C does not
// cancel ctx but comes as a signal, because the first one only stops the answer.
func openConversation(ctx context.Context, c *console.Console, w *target) (context.Context, *conversation, func(), error) {
	ctx = context.WithoutCancel(ctx)
	cl, err := c.Client("terminal")
	if err != nil {
		return ctx, nil, nil, err
	}
	t := &conversation{Console: c, hub: cl}
	if t.agent, err = t.find(ctx, w); err != nil {
		return ctx, nil, nil, err
	}
	var columns int
	columns, t.interactive = c.AtKeyboard()
	t.lines, t.screen = newLineSource(c, t.interactive), newScreen(c, columns, t.interactive)
	signals, stop := signals(c)
	t.signals = signals
	return ctx, t, stop, nil
}

func signals(c *console.Console) (<-chan os.Signal, func()) {
	if c.Signals != nil {
		return c.Signals()
	}
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	return heard, func() { signal.Stop(heard) }
}

func (t *conversation) find(ctx context.Context, w *target) (*nod.Agent, error) {
	switch {
	case w.session != "":
		return t.byName(ctx, w.session)
	case w.continues:
		return t.newest(ctx, w.assistant)
	}
	return t.open(ctx, w.assistant)
}

// byName finds a conversation by its id, its name or the first letters of either.
func (t *conversation) byName(ctx context.Context, text string) (*nod.Agent, error) {
	a, err := t.FindAgent(ctx, t.hub, text)
	switch {
	case err != nil:
		return nil, err
	case a.Talk == nil:
		return nil, console.Fail(console.ExitFailed, t.Say(words.TalkTerminal, nod.OneLine(a.Name), nod.OneLine(text)))
	case !a.Alive():
		return nil, console.Fail(console.ExitGone, t.Say(words.TalkOver))
	}
	return a, nil
}

// newest is the last conversation of a person at a keyboard. One with a room, or
// one that ends after a silence, belongs to a speaker.
func (t *conversation) newest(ctx context.Context, assistant string) (*nod.Agent, error) {
	list, err := t.hub.Agents(ctx)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(a *nod.Agent) bool {
		return !a.Alive() || a.Talk == nil || a.Talk.Room != "" || a.Talk.Context > 0 || assistant != "" && a.Talk.Assistant != assistant
	})
	if len(list) == 0 {
		return nil, console.Fail(console.ExitGone, t.Say(words.TalkNone))
	}
	return slices.MaxFunc(list, func(a, b *nod.Agent) int {
		return cmp.Or(a.Seen.Compare(b.Seen), a.Since.Compare(b.Since), a.Started.Compare(b.Started))
	}), nil
}

// open starts a conversation. We choose the id, so that a retry does not open a
// second one.
func (t *conversation) open(ctx context.Context, assistant string) (*nod.Agent, error) {
	n := v1.NewConversation{ID: nod.AgentID("c-" + strings.ToLower(rand.Text())), Assistant: assistant}
	var a *nod.Agent
	err := retry(ctx, func() (err error) {
		a, err = t.hub.Open(ctx, n)
		return err
	})
	switch nod.CodeOf(err) {
	case nod.NotFound:
		return nil, t.noAssistantError(ctx, assistant, err)
	case nod.Unavailable:
		if !errors.Is(err, client.ErrNoHub) {
			return nil, t.noAssistantError(ctx, assistant, err)
		}
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// noAssistantError lists the assistants, or says how to configure one.
func (t *conversation) noAssistantError(ctx context.Context, wanted string, err error) error {
	list, askErr := t.hub.Assistants(ctx)
	switch {
	case askErr != nil:
		return err
	case len(list) == 0:
		return console.Fail(console.ExitFailed, t.Say(words.TalkNobody)+"\n\n  [[assistant]]\n  name = \"helper\"")
	}
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = nod.OneLine(a.Name)
	}
	return console.Fail(console.ExitGone, t.Say(words.TalkWho, wanted, strings.Join(names, ", ")))
}

func (t *conversation) noteError(err error) {
	text, _ := t.Explain(err)
	t.screen.note(term.Bad, text)
}

// shortID is the part of the conversation's id that people type.
func (t *conversation) shortID() string {
	id := string(t.agent.ID)
	return nod.OneLine(id[:min(8, len(id))])
}

// mostTries is how often a request that carries its own id is sent.
const mostTries = 6

// retry repeats what may be repeated after the connection broke. If the hub was
// never reached it gives up at once.
func retry(ctx context.Context, do func() error) error {
	var err error
	for try, wait := 0, time.Duration(0); try < mostTries; try++ {
		if err = do(); err == nil || !errors.Is(err, client.ErrNoHub) || try == 0 && console.NeverReached(err) {
			return err
		}
		pause.For(ctx, wait)
		wait = max(follow.FirstDelay, 2*wait)
	}
	return err
}
