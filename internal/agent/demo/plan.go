package demo

import (
	"context"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// mostPlans is how often a plan is proposed before the agent gives up.
const mostPlans = 4

// proposePlan goes on when the plan is approved. A plan that is refused with a message
// is revised and proposed again.
func proposePlan(text string) step {
	return func(ctx context.Context, t *activity) error {
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
			t.report(t.life, delivered(r.ID), applied(r.ID, Kind), t.reply(planAgain, quote(r.Decision.Message)))
			if err := t.rest(ctx, 3*time.Second); err != nil {
				return err
			}
			shown = t.language.Say(planRevised, title(text), quote(r.Decision.Message)) + "\n\n" + body(text)
		}
		t.report(t.life, t.reply(planEnough))
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

func (t *activity) approved(ctx context.Context, r *nod.Request) error {
	_ = t.rest(ctx, 200*time.Millisecond)
	t.report(t.life, delivered(r.ID))
	_ = t.rest(ctx, 800*time.Millisecond)
	facts := []hub.Fact{
		applied(r.ID, Kind),
		hub.Agent(t.id, func(g *nod.Agent, _ time.Time) { g.Mode = r.Decision.Mode }),
	}
	if len(r.Decision.Input) > 0 {
		facts = append(facts, t.reply(planEdited, r.Decision.Mode, texts(r.Decision.Input)["plan"]))
	} else {
		facts = append(facts, t.reply(planApproved, r.Decision.Mode))
	}
	t.report(t.life, facts...)
	return ctx.Err()
}

// title is the first line of a plan without its marker, body is the rest.
func title(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimLeft(first, "# "))
}

func body(text string) string {
	_, more, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(more)
}
