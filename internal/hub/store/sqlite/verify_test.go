package sqlite

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/storetest"
)

func TestVerifyFollowsTheLog(t *testing.T) {
	s := quick(t, file(t))
	var c storetest.Chain
	for _, n := range []int{0, 1, 200} {
		after := c.Seq
		if err := s.Append(t.Context(), after, c.Mixed(t, n)); err != nil {
			t.Fatal(err)
		}
		if seq, hash, err := s.Verify(t.Context()); err != nil || seq != c.Seq || hash != c.Hash {
			t.Errorf("Verify = %d, %s, %v; want %d, %s", seq, hash, err, c.Seq, c.Hash)
		}
	}
}

// Odd ids become tidy ones in the body; that is no sign of tampering.
func TestVerifyWithOddIDs(t *testing.T) {
	s := quick(t, file(t))
	var c storetest.Chain
	e := c.Next(t, nod.Event{Kind: nod.AccessRefused, AgentID: "\xff\xfe\x00a", RequestID: "<\u2028>"})
	if err := s.Append(t.Context(), 0, []nod.Event{e}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// Twenty events, a state saved at 18, then a change with a database browser.
func TestTamperingIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		sql  string
		good nod.Seq // the last place that is still good
		says string
	}{
		"one byte of a body": {
			`UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'mixed 6', 'mixed 9') AS BLOB) WHERE seq = 7`, 6, "event 7 "},
		"a body that is no JSON": {`UPDATE events SET body = x'00ff' WHERE seq = 7`, 6, "event 7 "},
		"one byte of a hash":     {`UPDATE events SET hash = CAST(substr(hash, 1, 31) || x'00' AS BLOB) WHERE seq = 7`, 6, "event 7 "},
		"a hash cut short":       {`UPDATE events SET hash = x'00' WHERE seq = 7`, 6, "event 7 "},
		"the first one removed":  {`DELETE FROM events WHERE seq = 1`, 0, "event 1 is missing"},
		"one removed":            {`DELETE FROM events WHERE seq = 7`, 6, "event 7 is missing"},
		"one removed and the rest moved up": {
			`DELETE FROM events WHERE seq = 7; UPDATE events SET seq = -(seq - 1) WHERE seq > 7; UPDATE events SET seq = -seq WHERE seq < 0`, 6, "event 7 is missing"},
		"a swapped pair": {
			`UPDATE events SET seq = 99 WHERE seq = 7; UPDATE events SET seq = 7 WHERE seq = 8; UPDATE events SET seq = 8 WHERE seq = 99`, 6, "event 7 "},
		"swapped bodies": {
			`UPDATE events SET (body, hash) = (SELECT body, hash FROM events o WHERE o.seq = 15 - events.seq) WHERE seq IN (7, 8)`, 6, "event 7 "},
		"the tail removed":            {`DELETE FROM events WHERE seq > 15`, 15, "event 16 is missing"},
		"everything removed":          {`DELETE FROM events`, 0, "event 1 is missing"},
		"the tail and its note":       {`DELETE FROM events WHERE seq > 15; UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events WHERE seq = 15)`, 15, "event 16 is missing"},
		"the note moved back":         {`UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events WHERE seq = 19)`, 20, "says 19"},
		"another hash in the note":    {`UPDATE head SET hash = zeroblob(32)`, 20, "event 20 "},
		"the note removed":            {`DELETE FROM head`, 0, "taken out"},
		"another saved state":         {`UPDATE state SET hash = zeroblob(32)`, 18, "event 18 "},
		"filed under another request": {`UPDATE events SET request = 'other' WHERE seq = 7`, 6, "event 7 "},
		"filed under no agent":        {`UPDATE events SET agent = NULL WHERE seq = 7`, 6, "event 7 "},
		"filed under another kind":    {`UPDATE events SET kind = 'turn.taken' WHERE seq = 6`, 5, "event 6 "},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t)
			s := quick(t, path)
			fill(t, s)
			raw(t, path, c.sql)
			seq, _, err := s.Verify(t.Context())
			if nod.CodeOf(err) != nod.Conflict || seq != c.good || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("Verify = %d, %v; want %d and %q", seq, err, c.good, c.says)
			}
		})
	}
}

// Read never skips missing events.
func TestReadOfADamagedLog(t *testing.T) {
	for name, c := range map[string]struct {
		sql   string
		after nod.Seq
		code  nod.Code
	}{
		"below what is kept":    {`DELETE FROM events WHERE seq <= 10`, 0, nod.Gone},
		"just below it":         {`DELETE FROM events WHERE seq <= 10`, 9, nod.Gone},
		"one is missing":        {`DELETE FROM events WHERE seq = 7`, 6, nod.Internal},
		"one further on":        {`DELETE FROM events WHERE seq = 7`, 2, nod.Internal},
		"the tail is missing":   {`DELETE FROM events WHERE seq > 15`, 15, nod.Internal},
		"a body is no JSON":     {`UPDATE events SET body = x'7b' WHERE seq = 7`, 2, nod.Internal},
		"a body of another seq": {`UPDATE events SET body = (SELECT body FROM events WHERE seq = 3) WHERE seq = 7`, 2, nod.Internal},
		"no note of the head":   {`DELETE FROM head`, 2, nod.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t)
			s := quick(t, path)
			fill(t, s)
			raw(t, path, c.sql)
			if es, err := s.Read(t.Context(), c.after, 100); err == nil || nod.CodeOf(err) != c.code {
				t.Errorf("Read = %d events, %v; want %s", len(es), err, c.code)
			}
		})
	}
}

func TestReadOfATruncatedLog(t *testing.T) {
	path := file(t)
	s := quick(t, path)
	fill(t, s)
	raw(t, path, `DELETE FROM events WHERE seq <= 10`)
	if es, err := s.Read(t.Context(), 10, 100); err != nil || len(es) != 10 {
		t.Errorf("Read = %d events, %v; want 10", len(es), err)
	}
}

// A saved state only saves time, so a broken one is as good as none.
func TestDamagedStateIsIgnored(t *testing.T) {
	path := file(t)
	s := quick(t, path)
	fill(t, s)
	raw(t, path, `UPDATE state SET body = x'7b2273'`)
	if state, err := s.Load(t.Context()); err != nil || state.Seq != 0 || state.Agents == nil {
		t.Errorf("Load = %+v, %v; want a new state", state, err)
	}
}

func fill(t *testing.T, s *Store) {
	t.Helper()
	var c storetest.Chain
	es := c.Mixed(t, 20)
	state := nod.NewState()
	state.Seq, state.Hash = es[17].Seq, es[17].Hash
	if err := s.Append(t.Context(), 0, es); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(t.Context(), state); err != nil {
		t.Fatal(err)
	}
}

// raw changes the file as another program would.
func raw(t *testing.T, path, text string) {
	t.Helper()
	db, err := connect(path, "rw", "immediate", common)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, db)
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func closed(t *testing.T, db *sql.DB) {
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
