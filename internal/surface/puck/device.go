package puck

import (
	"context"

	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
)

// Show sends the page everything that is seen. The light may be older than the
// memory for a moment: the next one is on its way then.
func (n *session) Show(ctx context.Context, l puck.Light) error {
	return n.send(ctx, scene(n.puck.Memory(), l))
}

// Beep is a short sound for what makes no sense now.
func (n *session) Beep(ctx context.Context) error { return n.send(ctx, Note{Beep: true}) }

// Say lets the page speak, and waits for it if it reports when it has.
func (n *session) Say(ctx context.Context, s puck.Speech, ask attend.Ask) error {
	number := n.said.Add(1)
	err := n.send(ctx, Note{Say: &Said{Number: number, Key: s.Key, Text: s.In(n.say), Ask: ask.Kind, Request: ask.Request}})
	for err == nil && n.hello.Speaks && n.heard.Load() < number {
		select {
		case <-n.spoken:
		case <-n.done:
			return nil
		case <-ctx.Done():
			err = ctx.Err()
			_ = n.send(context.Background(), Note{Hush: number})
		}
	}
	return err
}
