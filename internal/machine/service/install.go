package service

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf16"

	v1 "nod/internal/client/v1"
	"nod/internal/machine/console"
	"nod/internal/present/words"
	"nod/internal/sys/replace"
)

// backupSuffix is for the copy of a file that is not nod's.
const backupSuffix = ".before-nod"

// installReport is what `nod service install --json` prints.
type installReport struct {
	Manager string   `json:"manager"`
	File    string   `json:"file"`
	Program string   `json:"program"`
	Args    []string `json:"args"`
	Changed bool     `json:"changed"`
	Dry     bool     `json:"dry_run"`
	Running bool     `json:"running"`
	Listen  string   `json:"listen,omitempty"`
	Logs    string   `json:"logs"`
	Backup  string   `json:"backup,omitempty"`
	Text    string   `json:"text,omitempty"` // of the file, in a dry run
}

// install changes nothing before everything is known to be fine.
func (s *commands) install(ctx context.Context, p installation, e options) error {
	v, unseen, err := s.plan(p, e)
	if err != nil {
		return err
	}
	st, err := p.state(ctx)
	if err != nil {
		return err
	}
	if st.foreign && (!e.force || s.goos == "windows") {
		return s.Failed(words.ServiceForeign, p.file)
	}
	old, err := readIfExists(p.file)
	if err != nil {
		return err
	}
	page := p.definition(v)
	r := installReport{
		Manager: p.name, File: p.file, Program: v.program, Args: v.args, Dry: e.dry, Logs: p.logCommand,
		Changed: !st.installed || !bytes.Equal(old, page),
	}
	if !e.dry {
		if err := p.ready(ctx); err != nil {
			return err
		}
	}
	out := s.Page()
	if !e.json {
		out.Diff(s.Printer, changedLines(p.file, readable(old), readable(page)))
	}
	if e.dry {
		r.Text = readable(page)
		if e.json {
			return s.PrintJSON(r)
		}
		out.Print(0, s.Say(words.DryRun, p.file))
		return nil
	}
	if st.foreign {
		r.Backup = p.file + backupSuffix
	}
	other := s.otherHub(ctx, st, e.data)
	if err := s.apply(ctx, p, page, &r, e.data); err != nil {
		return err
	}
	if other == nil {
		if h := s.waitForHub(ctx, e.data); h != nil {
			r.Running, r.Listen = true, h.Listen
		}
	}
	if e.json {
		err = s.PrintJSON(r)
	} else {
		s.printInstalled(ctx, out, p, r, unseen)
	}
	switch {
	case err != nil:
		return err
	case other != nil:
		return s.Failed(words.ServiceStranger, other.PID)
	case !r.Running:
		return s.Failed(words.ServiceSilent, p.logCommand)
	}
	return nil
}

// otherHub is one that runs already, but not as a service.
func (s *commands) otherHub(ctx context.Context, st state, data string) *v1.Health {
	if h := s.health(ctx, data); h != nil && !st.running {
		return h
	}
	return nil
}

// apply writes the file and starts the service. A hub of another version is restarted
// even if the file has not changed.
func (s *commands) apply(ctx context.Context, p installation, page []byte, r *installReport, data string) error {
	if r.Backup != "" {
		if err := os.Rename(p.file, r.Backup); err != nil {
			return err
		}
	}
	fresh := r.Changed
	if r.Changed {
		if err := os.MkdirAll(filepath.Dir(p.file), 0o755); err != nil {
			return err
		}
		if err := replace.File(p.file, page, 0o644); err != nil {
			return err
		}
	} else if h := s.health(ctx, data); h != nil && h.Version != s.Version {
		fresh = true
	}
	return p.start(ctx, fresh)
}

// A hub has 15 seconds to answer.
const (
	hubTries = 60
	hubPause = 250 * time.Millisecond
)

// waitForHub is the hub that the manager has started, or nil.
func (s *commands) waitForHub(ctx context.Context, data string) *v1.Health {
	for range hubTries {
		if h := s.health(ctx, data); h != nil && h.Version == s.Version {
			return h
		}
		if s.pause(ctx, hubPause) != nil {
			break
		}
	}
	return nil
}

func (s *commands) printInstalled(ctx context.Context, out console.Page, p installation, r installReport, unseen []string) {
	if r.Changed {
		out.Done(s.Say(words.ServiceWrote, p.file))
	} else {
		out.Print(0, s.Say(words.ServiceAlready, p.file))
	}
	if r.Backup != "" {
		out.Print(2, s.Say(words.BackupAt, r.Backup))
	}
	if r.Running {
		out.Done(s.Say(words.ServiceRuns, r.Listen))
	}
	if k, ok := p.manager.(systemd); ok && !k.lingers(ctx) {
		out.Warn(s.Say(words.ServiceLinger))
	}
	if len(unseen) > 0 {
		out.Warn(s.Say(words.ServiceUnseen, strings.Join(unseen, ", ")))
	}
	out.Print(0, s.Say(words.ServiceLogs, p.logCommand))
	if r.Running {
		out.Print(0, s.Say(words.ServiceNext))
	}
}

// readable is the text of a definition.
func readable(page []byte) string {
	if !bytes.HasPrefix(page, []byte{0xff, 0xfe}) {
		return string(page)
	}
	var units []uint16
	for i := 2; i+1 < len(page); i += 2 {
		units = append(units, uint16(page[i])|uint16(page[i+1])<<8)
	}
	return strings.ReplaceAll(string(utf16.Decode(units)), "\r\n", "\n")
}

// changedLines are the lines between the common beginning and the common end.
func changedLines(file, old, new string) string {
	if old == new {
		return ""
	}
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out strings.Builder
	out.WriteString("+++ " + file + "\n")
	for sign, lines := range [][]string{a, b} {
		for _, line := range lines {
			if line != "" {
				out.WriteString("-+"[sign:sign+1] + strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	return out.String()
}
