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
	v1 "nod/internal/client/v1"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// hubChecks are about the hub. reach comes first: the others use its answer.
type hubChecks struct {
	*Doctor
	health *v1.Health // nil: it did not answer
	asked  time.Time  // half way between the question and the answer
}

func (h *hubChecks) reach(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	cl, err := h.Client("doctor")
	if err != nil && h.Getenv("NOD_CA") != "" && cl != nil {
		return fail(err.Error(), h.Say(words.TLSCAFix))
	}
	if err != nil {
		return fail(h.Say(words.HubAddress), h.Say(words.HubAddressFix))
	}
	before := h.Now()
	health, err := cl.Health(ctx)
	if err != nil {
		return h.unreachable(err)
	}
	h.health, h.asked = health, before.Add(h.Now().Sub(before)/2)
	return fine(h.Say(words.HubUp, h.where(), health.Version))
}

// where names the hub, without the password that its address may contain.
func (h *hubChecks) where() string {
	address := h.Getenv("NOD_URL")
	if address == "" {
		return app.Socket(h.DataDir)
	}
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "NOD_URL"
}

// unreachable distinguishes the cases that have different remedies.
func (h *hubChecks) unreachable(err error) Finding {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fail(h.Say(words.HubHangs, h.where(), env.HubTimeout), h.Say(words.HubHangsFix))
	case untrusted(err):
		return fail(h.Say(words.TLSUnknown), h.Say(words.TLSUnknownFix, h.where()))
	case !errors.Is(err, client.ErrNoHub):
		return fail(h.Say(words.HubStranger, h.where()), h.Say(words.HubStrangerFix))
	case h.remote():
		return fail(h.Say(words.HubRemoteDown, h.where(), lastCause(err)), h.Say(words.HubRemoteDownFix))
	case errors.Is(err, fs.ErrPermission):
		return fail(h.Say(words.HubOthers, h.where()), h.Say(words.HubOthersFix))
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(h.Say(words.HubGone, h.where()), h.Say(words.HubDownFix))
	}
	return fail(h.Say(words.HubDown, h.where()), h.Say(words.HubDownFix))
}

// lastCause is the end of the chain: the message of the operating system.
func lastCause(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	return strings.TrimSuffix(text, ")")
}

// token: without the right to raise, hooks cannot tell a remote hub anything.
func (h *hubChecks) token(context.Context) Finding {
	switch {
	case !h.remote():
		return skip(h.Say(words.TokenLocal))
	case h.Getenv("NOD_TOKEN") == "":
		return fail(h.Say(words.TokenMissing), h.Say(words.TokenMissingFix))
	case h.health == nil:
		return skip(h.Say(words.SkipHub))
	case h.health.You == nil:
		return fail(h.Say(words.TokenUnknown), h.Say(words.TokenMissingFix))
	case !h.health.Rights.Has(nod.Raise):
		return fail(h.Say(words.TokenCannotRaise, h.rights()), h.Say(words.TokenMissingFix))
	}
	return fine(h.Say(words.TokenMay, h.rights()))
}

func (h *hubChecks) rights() string {
	if h.health.Rights == 0 {
		return h.Say(words.Nothing)
	}
	return strings.Join(h.health.Rights.Names(), ", ")
}

func (h *hubChecks) version(context.Context) Finding {
	switch {
	case h.health == nil:
		return skip(h.Say(words.SkipHub))
	case h.health.Version != h.Version:
		return warn(h.Say(words.VersionsDiffer, h.health.Version, h.Version), h.Say(words.VersionsDifferFix))
	}
	return fine(h.Say(words.VersionsSame, h.Version))
}

// you: whom the hub takes the caller for. An agent is no failure: it may have
// started the doctor itself.
func (h *hubChecks) you(context.Context) Finding {
	if h.health == nil {
		return skip(h.Say(words.SkipHub))
	}
	you := h.health.You
	switch {
	case you == nil:
		return fail(h.Say(words.Nobody), h.Say(words.TokenMissingFix))
	case you.Kind != nod.ActorAgent:
		return fine(h.Say(words.YouAreKnown, you.Name, h.rights()))
	}
	found := h.Say(words.YouAreAgent, you.Name)
	if a, mark, ok := h.markedAncestor(); ok {
		found = h.Say(words.YouAreMarked, a.PID, a.Name, mark)
	}
	return warn(found, h.Say(words.YouAreAgentFix))
}

// clockTolerance: clocks that differ by more show wrong ages and countdowns.
const clockTolerance = 2 * time.Second

// A clock outside of these years is wrong: nod did not exist before the first.
const firstYear, lastYear = 2026, 2100

func (h *hubChecks) clock(context.Context) Finding {
	now := h.Now()
	switch {
	case now.Year() < firstYear || now.Year() > lastYear:
		return fail(h.Say(words.ClockYear, now.Format("2006-01-02")), h.Say(words.ClockFix))
	case h.health == nil:
		return skip(h.Say(words.SkipHub))
	case h.health.Now.IsZero():
		return skip(h.Say(words.SkipView))
	}
	off := h.health.Now.Sub(h.asked)
	if off.Abs() > clockTolerance {
		return warn(h.Say(words.ClockOff, off.Abs().Round(time.Second)), h.Say(words.ClockFix))
	}
	return fine(now.Format(time.DateTime))
}
