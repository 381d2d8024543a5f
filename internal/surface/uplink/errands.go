package uplink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// How often fetching a file is tried, and the wait in between: a broken connection is
// usually back soon.
const (
	mostTries = 3
	tryWait   = 2 * time.Second
)

// fetchLater notes a message with files. They are fetched in another goroutine, so that
// an order to stop does not wait for a photo.
func (o *orders) fetchLater(e *nod.Event) error {
	err := o.notes.change(func(n *notes) {
		n.Orders = e.Seq
		if n.errand(e.Message.ID) == nil {
			n.Errands = append(n.Errands, errand{By: e.By, Message: *e.Message})
		}
	})
	wake(o.fetch)
	return err
}

// runErrands delivers messages with files, one after the other, until ctx ends. It
// continues with the next connection.
func (o *orders) runErrands(ctx context.Context) error {
	for {
		known, err := o.notes.get()
		if err != nil {
			return err
		}
		next, found := known.next()
		if !found {
			select {
			case <-o.fetch:
				continue
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		files, err := o.files(ctx, next.Message)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			o.Log.Warn("a file for an agent could not be had", "message", next.Message.ID, "err", err)
			o.noteFailed(next.Message, nod.MessageOf(err))
			continue
		}
		next.Message.Files = files
		if err := o.deliver(ctx, next); err != nil {
			return err
		}
	}
}

// next is the oldest errand that has not failed.
func (n *notes) next() (errand, bool) {
	for _, e := range n.Errands {
		if !e.failed() {
			return e, true
		}
	}
	return errand{}, false
}

// deliver gives a message to the agent, unless the agent was stopped meanwhile.
func (o *orders) deliver(ctx context.Context, e errand) error {
	o.speaking.Lock()
	defer o.speaking.Unlock()
	known, err := o.notes.get()
	if err != nil || known.errand(e.Message.ID) == nil {
		return err
	}
	if err := o.say(ctx, e.By, e.Message); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return o.notes.change(func(n *notes) {
		n.drop(func(old *errand) bool { return old.Message.ID == e.Message.ID && !old.failed() })
	})
}

// files fetches the files of a message and stores them on this machine, where the agent
// can read them.
func (o *orders) files(ctx context.Context, m nod.Message) (list []nod.Attachment, err error) {
	if len(m.Files) > 0 && (o.Fetch == nil || o.Keep == nil) {
		return nil, nod.Errorf(nod.Unavailable, "the files did not reach the agent: its machine keeps none")
	}
	for _, there := range m.Files {
		var here nod.Attachment
		for try := 1; ; try++ {
			here, err = o.file(ctx, m.ID, there)
			if err == nil || ctx.Err() != nil || try == mostTries || nod.CodeOf(err) != nod.Unavailable {
				break
			}
			pause.For(ctx, tryWait)
		}
		if err != nil {
			return nil, unfetched(there.Name, err)
		}
		list = append(list, here)
	}
	return list, nil
}

func (o *orders) file(ctx context.Context, id nod.MessageID, there nod.Attachment) (nod.Attachment, error) {
	body, err := o.Fetch(ctx, id, there.ID)
	if err != nil {
		return nod.Attachment{}, err
	}
	defer body.Close()
	read := &reading{Reader: body}
	here, err := o.Keep(ctx, there.Name, read)
	if read.err != nil { // the connection failed, not the disk here
		return nod.Attachment{}, nod.Errorf(nod.Unavailable, "the connection broke off").Because(errors.Join(read.err, err))
	}
	return here, err
}

// unfetched is why a file did not arrive, and what a person can do about it.
func unfetched(name string, err error) error {
	name = nod.Fold(nod.OneLine(name), 80)
	switch nod.CodeOf(err) {
	case nod.NotFound: // no such endpoint: a hub of the previous release
		return nod.Errorf(nod.Unreachable, "%s did not reach the agent: it is on another machine, and this hub is too old to send files there. Update the hub, then send it again", name).Because(err)
	case nod.Gone:
		return nod.Errorf(nod.Gone, "%s did not reach the agent's machine: the hub does not have it any more. Send it again", name).Because(err)
	case nod.TooLarge:
		return err
	}
	return nod.Errorf(nod.Unavailable, "%s did not reach the agent's machine: %s. Send it again", name, reason(err)).Because(err)
}

func reason(err error) string {
	var ours *nod.Error
	if errors.As(err, &ours) {
		return ours.Message
	}
	return "it could not be fetched"
}

// reading remembers the error of a reader.
type reading struct {
	io.Reader
	err error
}

func (r *reading) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = fmt.Errorf("reading: %w", err)
	}
	return n, err
}

// wake signals a channel that holds one signal.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
