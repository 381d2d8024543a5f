package puck

import (
	"context"

	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
)

// Show sends the page everything that it shows. The light may be older than the memory
// for a moment; then the next one is on its way.
func (n *session) Show(ctx context.Context, l puck.Light) error {
	return n.send(ctx, scene(n.puck.Memory(), l))
}

// Beep plays a short sound for an input that makes no sense now.
func (n *session) Beep(ctx context.Context) error { return n.send(ctx, Note{Beep: true}) }

// Say has the page speak, and waits until it has if the page reports that.
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
