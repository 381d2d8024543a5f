package demo

import (
	"context"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// mostPlans is how often a plan is made anew before the agent lets it be.
const mostPlans = 4

// present shows a plan and goes on when it is approved. One that is refused with
// words is made anew with them.
func present(text string) step {
	return func(ctx context.Context, t *thread) error {
		shown := text
		for range mostPlans {
			r, err := t.ask(ctx, planRequest(shown), patience{})
			switch {
			case err != nil:
				return err
			case r.Decision == nil:
				return t.undecided(ctx, r, call{})
			case r.Decision.Verdict == nod.VerdictAllow:
				return t.approved(ctx, r)
			case r.Decision.Stop || r.Decision.Message == "":
				return t.denied(r)
			}
			_ = t.rest(ctx, 200*time.Millisecond)
			t.report(t.life, delivered(r.ID), applied(r.ID, Kind), t.tell(planAgain, quote(r.Decision.Message)))
			if err := t.rest(ctx, 3*time.Second); err != nil {
				return err
			}
			shown = t.say.Say(planRevised, title(text), quote(r.Decision.Message)) + "\n\n" + body(text)
		}
		t.report(t.life, t.tell(planEnough))
		return errDone
	}
}

func planRequest(text string) nod.Request {
	return nod.Request{
		Kind: nod.KindPlan, Tool: "ExitPlanMode", Title: nod.Fold(nod.OneLine(title(text)), titleLength), Display: text,
		Input: encode(map[string]string{"plan": text}), CanEdit: true, EditField: "plan",
		Options: []nod.Option{
			{ID: "default", Kind: nod.OptionMode, Label: "default", Detail: "asks before edits and commands"},
			{ID: "acceptEdits", Kind: nod.OptionMode, Label: "acceptEdits", Detail: "edits files without asking"},
			{ID: "auto", Kind: nod.OptionMode, Label: "auto", Detail: "decides by itself where its checks allow"},
		},
	}
}

func (t *thread) approved(ctx context.Context, r *nod.Request) error {
	_ = t.rest(ctx, 200*time.Millisecond)
	t.report(t.life, delivered(r.ID))
	_ = t.rest(ctx, 800*time.Millisecond)
	facts := []hub.Fact{
		applied(r.ID, Kind),
		hub.Agent(t.id, func(g *nod.Agent, _ time.Time) { g.Mode = r.Decision.Mode }),
	}
	if len(r.Decision.Input) > 0 {
		facts = append(facts, t.tell(planEdited, r.Decision.Mode, texts(r.Decision.Input)["plan"]))
	} else {
		facts = append(facts, t.tell(planApproved, r.Decision.Mode))
	}
	t.report(t.life, facts...)
	return ctx.Err()
}

// title is a plan's first line without its mark, body is what follows it.
func title(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimLeft(first, "# "))
}

func body(text string) string {
	_, more, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(more)
}
