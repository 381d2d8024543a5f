package postgres

import (
	"fmt"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/storetest"
)

// Twenty events of which the first four are gone, a state saved at 18, and
// then a change with psql.
func TestTamperingIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql  string
		good nod.Seq // the last place that is still good
		says string
	}{
		"one byte of a body":          {`UPDATE events SET body = convert_to(replace(convert_from(body, 'UTF8'), 'mixed 6', 'mixed 9'), 'UTF8') WHERE seq = 7`, 6, "event 7 "},
		"a body that is no JSON":      {`UPDATE events SET body = '\x00ff' WHERE seq = 7`, 6, "event 7 "},
		"a hash cut short":            {`UPDATE events SET hash = '\x00' WHERE seq = 7`, 6, "event 7 "},
		"one removed":                 {`DELETE FROM events WHERE seq = 7`, 6, "event 7 is missing"},
		"the first that is kept":      {`DELETE FROM events WHERE seq = 5`, 4, "event 5 is missing"},
		"the tail removed":            {`DELETE FROM events WHERE seq > 15`, 15, "event 16 is missing"},
		"everything removed":          {`DELETE FROM events`, 4, "event 5 is missing"},
		"the tail and its note":       {`DELETE FROM events WHERE seq > 15; UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events WHERE seq = 15)`, 15, "event 16 is missing"},
		"the note moved back":         {`UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events WHERE seq = 19)`, 20, "says 19"},
		"the note removed":            {`DELETE FROM head`, 4, "taken out"},
		"another saved state":         {`UPDATE state SET hash = decode(repeat('00', 32), 'hex')`, 18, "event 18 "},
		"filed under another request": {`UPDATE events SET request = 'other' WHERE seq = 7`, 6, "event 7 "},
		"filed under no agent":        {`UPDATE events SET agent = NULL WHERE seq = 7`, 6, "event 7 "},
		"filed under another kind":    {`UPDATE events SET kind = 'turn.taken' WHERE seq = 6`, 5, "event 6 "},
		"the checkpoint removed":      {`DELETE FROM checkpoint`, 0, "event 1 is missing"},
		"more cut off than was signed": {
			`DELETE FROM events WHERE seq = 5; UPDATE checkpoint SET body = convert_to(replace(convert_from(body, 'UTF8'), '"seq":4', '"seq":5'), 'UTF8')`, 5, "signature"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			var chain storetest.Chain
			es := chain.Mixed(t, 20)
			if err := s.Append(t.Context(), 0, es); err != nil {
				t.Fatal(err)
			}
			state := nod.NewState()
			state.Seq, state.Hash = 18, es[17].Hash
			if err := s.Save(t.Context(), state); err != nil {
				t.Fatal(err)
			}
			if err := s.Prune(t.Context(), storetest.Checkpoint(t, &es[3])); err != nil {
				t.Fatal(err)
			}
			if seq, _, err := s.Verify(t.Context()); err != nil || seq != 20 {
				t.Fatalf("Verify = %d, %v before anything was done", seq, err)
			}
			server.Exec(t, s.config.Database, "SET search_path = nod; "+c.sql)
			seq, _, err := s.Verify(t.Context())
			if nod.CodeOf(err) != nod.Conflict || seq != c.good || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("Verify = %d, %v; want %d and %q", seq, err, c.good, c.says)
			}
		})
	}
}

// Read never skips missing events.
func TestReadOfADamagedLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql   string
		after nod.Seq
		code  nod.Code
	}{
		"below what is kept":    {`DELETE FROM events WHERE seq <= 10`, 0, nod.Gone},
		"one is missing":        {`DELETE FROM events WHERE seq = 7`, 6, nod.Internal},
		"one further on":        {`DELETE FROM events WHERE seq = 7`, 2, nod.Internal},
		"the tail is missing":   {`DELETE FROM events WHERE seq > 15`, 15, nod.Internal},
		"a body is no JSON":     {`UPDATE events SET body = '\x7b' WHERE seq = 7`, 2, nod.Internal},
		"a body of another seq": {`UPDATE events SET body = (SELECT body FROM events WHERE seq = 3) WHERE seq = 7`, 2, nod.Internal},
		"no tables":             {`DROP TABLE events`, 2, nod.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			var chain storetest.Chain
			grow(t, s, &chain, 20)
			server.Exec(t, s.config.Database, "SET search_path = nod; "+c.sql)
			if es, err := s.Read(t.Context(), c.after, 100); err == nil || nod.CodeOf(err) != c.code {
				t.Errorf("Read = %d events, %v; want %s", len(es), err, c.code)
			}
		})
	}
}

func TestTooNewDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	s := opened(t, address)
	for ahead, want := range map[int]nod.Code{1: "", 2: nod.Invalid} {
		server.Exec(t, s.config.Database, fmt.Sprintf("UPDATE nod.format SET version = %d", len(schema())+ahead))
		other, err := Open(t.Context(), address)
		if (err != nil) != (want != "") || err != nil && nod.CodeOf(err) != want {
			t.Errorf("%d steps ahead: %v, want %q", ahead, err, want)
		}
		if err == nil {
			_ = other.Close()
		}
	}
}

func TestOpenReaderCreatesNothing(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	if _, err := OpenReader(t.Context(), address); nod.CodeOf(err) != nod.NotFound || err == nil {
		t.Errorf("%v; want not found", err)
	}
	opened(t, address)
	r, err := OpenReader(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if size, err := r.Size(t.Context()); err != nil || size == 0 {
		t.Errorf("%d bytes, %v", size, err)
	}
	if version, hubs, err := r.Server(t.Context()); err != nil || hubs != 0 || !strings.HasPrefix(version, "PostgreSQL ") {
		t.Errorf("%s, %d hubs, %v", version, hubs, err)
	}
}
