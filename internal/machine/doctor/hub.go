package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"strings"
	"syscall"
	"time"

	"nod"
	"nod/internal/app"
	"nod/internal/client"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// hubFacts is what the hub said, and when.
type hubFacts struct {
	health *client.Health // nil: it did not answer
	asked  time.Time      // the middle of the question
}

// reach asks the hub once; the checks below it use the answer.
func (c *checkup) reach(ctx context.Context) finding {
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	cl, err := c.Client("doctor")
	if err != nil && c.Getenv("NOD_CA") != "" && cl != nil {
		return fail(err.Error(), c.Say(words.TLSCAFix))
	}
	if err != nil {
		return fail(c.Say(words.HubAddress), c.Say(words.HubAddressFix))
	}
	before := c.Now()
	health, err := cl.Health(ctx)
	if err != nil {
		return c.unreachable(err)
	}
	c.hub = hubFacts{health, before.Add(c.Now().Sub(before) / 2)}
	return fine(c.Say(words.HubUp, c.where(), health.Version))
}

// where names the hub, without a password that an address may hold.
func (c *checkup) where() string {
	address := c.Getenv("NOD_URL")
	if address == "" {
		return app.Socket(c.DataDir)
	}
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "NOD_URL"
}

// unreachable tells apart what needs different remedies.
func (c *checkup) unreachable(err error) finding {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fail(c.Say(words.HubHangs, c.where(), env.HubTimeout), c.Say(words.HubHangsFix))
	case untrusted(err):
		return fail(c.Say(words.TLSUnknown), c.Say(words.TLSUnknownFix, c.where()))
	case !errors.Is(err, client.ErrNoHub):
		return fail(c.Say(words.HubStranger, c.where()), c.Say(words.HubStrangerFix))
	case c.remote():
		return fail(c.Say(words.HubRemoteDown, c.where(), lastCause(err)), c.Say(words.HubRemoteDownFix))
	case errors.Is(err, fs.ErrPermission):
		return fail(c.Say(words.HubOthers, c.where()), c.Say(words.HubOthersFix))
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(c.Say(words.HubGone, c.where()), c.Say(words.HubDownFix))
	}
	return fail(c.Say(words.HubDown, c.where()), c.Say(words.HubDownFix))
}

// lastCause is the end of the chain, where the operating system speaks.
func lastCause(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	return strings.TrimSuffix(text, ")")
}

// token: hooks must be able to raise, or a remote hub hears nothing.
func (c *checkup) token(context.Context) finding {
	h := c.hub.health
	switch {
	case !c.remote():
		return skip(c.Say(words.TokenLocal))
	case c.Getenv("NOD_TOKEN") == "":
		return fail(c.Say(words.TokenMissing), c.Say(words.TokenMissingFix))
	case h == nil:
		return skip(c.Say(words.SkipHub))
	case h.You == nil:
		return fail(c.Say(words.TokenUnknown), c.Say(words.TokenMissingFix))
	case !h.Rights.Has(nod.Raise):
		return fail(c.Say(words.TokenCannotRaise, c.rights(h)), c.Say(words.TokenMissingFix))
	}
	return fine(c.Say(words.TokenMay, c.rights(h)))
}

func (c *checkup) rights(h *client.Health) string {
	if h.Rights == 0 {
		return c.Say(words.Nothing)
	}
	return strings.Join(h.Rights.Names(), ", ")
}

func (c *checkup) version(context.Context) finding {
	switch h := c.hub.health; {
	case h == nil:
		return skip(c.Say(words.SkipHub))
	case h.Version != c.Version:
		return warn(c.Say(words.VersionsDiffer, h.Version, c.Version), c.Say(words.VersionsDifferFix))
	}
	return fine(c.Say(words.VersionsSame, c.Version))
}

// you: who the hub takes the caller for. That it is taken for an agent is no
// failure: an agent may have started the doctor.
func (c *checkup) you(context.Context) finding {
	h := c.hub.health
	switch {
	case h == nil:
		return skip(c.Say(words.SkipHub))
	case h.You == nil:
		return fail(c.Say(words.Nobody), c.Say(words.TokenMissingFix))
	case h.You.Kind != nod.ActorAgent:
		return fine(c.Say(words.YouAreKnown, h.You.Name, c.rights(h)))
	}
	found := c.Say(words.YouAreAgent, h.You.Name)
	if a, mark, ok := c.markedAncestor(); ok {
		found = c.Say(words.YouAreMarked, a.PID, a.Name, mark)
	}
	return warn(found, c.Say(words.YouAreAgentFix))
}

// Clocks that differ by more than this show wrong ages and countdowns.
const clockTolerance = 2 * time.Second

// The years a clock can be right in: nod did not exist before the first.
const firstYear, lastYear = 2026, 2100

func (c *checkup) clock(context.Context) finding {
	now, h := c.Now(), c.hub.health
	switch {
	case now.Year() < firstYear || now.Year() > lastYear:
		return fail(c.Say(words.ClockYear, now.Format("2006-01-02")), c.Say(words.ClockFix))
	case h == nil:
		return skip(c.Say(words.SkipHub))
	case h.Now.IsZero():
		return skip(c.Say(words.SkipView))
	}
	off := h.Now.Sub(c.hub.asked)
	if off.Abs() > clockTolerance {
		return warn(c.Say(words.ClockOff, off.Abs().Round(time.Second)), c.Say(words.ClockFix))
	}
	return fine(now.Format(time.DateTime))
}
