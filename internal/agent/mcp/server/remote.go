package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// Remote is the Hub of a server in another process, reached by a socket or an address.
// It survives restarts of the hub: calls that wait are repeated.
type Remote struct {
	HTTP  *http.Client
	Base  string
	Token string
	Seek  time.Duration // time between two attempts to reconnect; 0: half a second
}

var errAway = errors.New("the hub went away")

const usualSeek = 500 * time.Millisecond

// Ask repeats the call with the same id while the hub is away, and withdraws the request
// when ctx ends.
func (r *Remote) Ask(ctx context.Context, c Caller, a Asked) (out Outcome, err error) {
	if a.ID == "" {
		a.ID = NewID()
	}
	err = r.retry(ctx, PathAsk, Call{Caller: c, Ask: &a}, func(line []byte) (bool, error) {
		return true, json.Unmarshal(line, &out)
	})
	if ctx.Err() != nil {
		r.drop(c, a.ID)
	}
	return out, err
}

// dropTime is how long a person who pressed Escape has to wait at most.
const dropTime = time.Second

func (r *Remote) drop(c Caller, id nod.RequestID) {
	ctx, cancel := context.WithTimeout(context.Background(), dropTime)
	defer cancel()
	_ = r.call(ctx, PathDrop, Call{Caller: c, Drop: id}, nil) // otherwise the hub notices a little later
}

// Tell shows people something.
func (r *Remote) Tell(ctx context.Context, c Caller, n Note) error {
	return r.call(ctx, PathTell, Call{Caller: c, Note: &n}, nil)
}

// Decisions are the newest of this agent.
func (r *Remote) Decisions(ctx context.Context, c Caller, most int) (list []Decided, err error) {
	return list, r.call(ctx, PathDecisions, Call{Caller: c, Most: most}, &list)
}

// Keys is what the agent wants on a keyboard.
func (r *Remote) Keys(ctx context.Context, c Caller, change *Change) (k Keys, err error) {
	return k, r.call(ctx, PathKeys, Call{Caller: c, Change: change}, &k)
}

// Watch reconnects after every restart of the hub.
func (r *Remote) Watch(ctx context.Context, c Caller, changed func()) error {
	for {
		err := r.retry(ctx, PathWatch, Call{Caller: c}, func([]byte) (bool, error) { changed(); return false, nil })
		if ctx.Err() != nil || nod.CodeOf(err) != nod.Unavailable {
			return err
		}
		if !pause.For(ctx, r.seek()) { // there is no hub yet
			return nil
		}
	}
}

func (r *Remote) seek() time.Duration {
	if r.Seek > 0 {
		return r.Seek
	}
	return usualSeek
}

// retry sends a call and reads lines until the last. It reconnects if the hub goes away,
// but fails if the first attempt does.
func (r *Remote) retry(ctx context.Context, path string, call Call, line func([]byte) (last bool, err error)) error {
	known := false
	for {
		err := r.lines(ctx, path, call, func(b []byte) (bool, error) {
			known = true
			if len(b) == 0 {
				return false, nil
			}
			return line(b)
		})
		away := errors.Is(err, errAway) || known && nod.CodeOf(err) == nod.Unavailable
		if err == nil || ctx.Err() != nil || !away {
			return err
		}
		if !pause.For(ctx, r.seek()) {
			return ctx.Err()
		}
	}
}

// lines reads one connection, and gives up when the heartbeats stop.
func (r *Remote) lines(ctx context.Context, path string, call Call, line func([]byte) (bool, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(Silence, cancel)
	defer silence.Stop()
	res, err := r.post(ctx, path, call)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	for {
		b, err := in.ReadBytes('\n')
		if err != nil {
			return errAway // an incomplete line does not count
		}
		silence.Reset(Silence)
		if last, err := line(bytes.TrimSpace(b)); last || err != nil {
			return err
		}
	}
}

// callTime is for calls that do not wait for a person.
const callTime = 10 * time.Second

func (r *Remote) call(ctx context.Context, path string, call Call, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	res, err := r.post(ctx, path, call)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, res.Body)
		return err
	}
	return json.NewDecoder(res.Body).Decode(out)
}

func (r *Remote) post(ctx context.Context, path string, call Call) (*http.Response, error) {
	body, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Nod-Via", "mcp")
	if r.Token != "" {
		req.Header.Set("Authorization", "Bearer "+r.Token)
	}
	res, err := r.HTTP.Do(req)
	if err != nil {
		return nil, nod.Errorf(nod.Unavailable, "The hub of nod does not answer, so no person can be reached this way. Go on where that is safe, or ask in your own words. The person starts it with: nod serve").Because(err)
	}
	if res.StatusCode/100 != 2 {
		defer res.Body.Close()
		return nil, refusal(res)
	}
	return res, nil
}

// refusal is the error in the hub's response.
func refusal(res *http.Response) error {
	var f struct {
		Error struct {
			Code    nod.Code `json:"code"`
			Message string   `json:"message"`
		} `json:"error"`
	}
	if json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&f) != nil || f.Error.Code == "" {
		return nod.Errorf(nod.Internal, "the hub answered %s", res.Status)
	}
	return nod.Errorf(f.Error.Code, "%s", f.Error.Message)
}
