package app

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"nod"
	"nod/internal/present/advise"
	"nod/internal/present/advise/model"
)

// advice is what surfaces with buttons show: what the rules suggest, and then what a small
// model makes of it, unless a button was pressed before.
type advice struct {
	advisor *advise.Advisor
	changed func()
	context func(nod.AgentID) (context, detail string) // what an agent says it is doing; nil: nothing

	mu   sync.Mutex
	rows map[nod.AgentID]*adviceRow
}

// adviceRow is what is shown for an agent since its latest turn.
type adviceRow struct {
	seq    nod.Seq
	shown  *advise.Shown
	better []advise.Suggestion // nil: what was shown at first
}

// newAdvice asks a model only if one is configured. changed is called when it has answered.
func (a *app) newAdvice(changed func()) *advice {
	c := a.Config.Advise
	var refiner advise.Refiner
	if c.Model != "" && !a.Demo {
		refiner = model.Claude{
			Program: cmp.Or(a.Config.Headless.Claude, "claude"), Model: c.Model, Dir: filepath.Join(a.Data, "advise"),
			Env: model.Environ(os.Environ(), a.Config.Headless.Env),
		}
	}
	limits := advise.Limits{PerHour: c.PerHour, Timeout: c.Timeout}
	return &advice{advisor: advise.NewAdvisor(refiner, limits, time.Now), changed: changed, rows: map[nod.AgentID]*adviceRow{}}
}

// all are the suggestions for a keyboard, which splits them into pages itself.
func (a *advice) all(s advise.Situation) []advise.Suggestion {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.Agent == nil || s.Last == nil || len(s.Pending) > 0 || s.Agent.State != nod.AgentIdle {
		if s.Agent != nil {
			a.leave(s.Agent.ID)
		}
		return advise.All(s)
	}
	if a.context != nil {
		s.Context, s.Detail = a.context(s.Agent.ID)
	}
	row := a.rows[s.Agent.ID]
	if row == nil || row.seq != s.Last.Seq {
		a.leave(s.Agent.ID)
		row = &adviceRow{seq: s.Last.Seq}
		a.rows[s.Agent.ID] = row
		row.shown = a.advisor.Show(context.Background(), s, plentyOfKeys, func(list []advise.Suggestion) { a.improve(row, list) })
	}
	if row.better != nil {
		return row.better
	}
	return row.shown.Suggestions
}

const plentyOfKeys = 64

// now is what is known now, for a surface that asks again by itself.
func (a *advice) now(ctx context.Context, s advise.Situation, most int) []advise.Suggestion {
	shown := a.advisor.Show(ctx, s, most, nil)
	defer shown.Close()
	return shown.Suggestions
}

func (a *advice) improve(row *adviceRow, list []advise.Suggestion) {
	a.mu.Lock()
	row.better = list
	a.mu.Unlock()
	a.changed()
}

// leave forgets an agent's row. The lock is held; Close runs apart from it, because it
// waits for an improvement that may itself wait for the lock.
func (a *advice) leave(id nod.AgentID) {
	if row := a.rows[id]; row != nil {
		delete(a.rows, id)
		go row.shown.Close()
	}
}

// pressed keeps an agent's keys as they are now.
func (a *advice) pressed(id nod.AgentID) {
	a.mu.Lock()
	row := a.rows[id]
	a.mu.Unlock()
	if row != nil {
		row.shown.Press()
	}
}
