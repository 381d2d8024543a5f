package archive

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod"
)

// File writes what goes to a file that is there only when it is whole. Its name
// says how: .csv for spreadsheets, anything else is JSON lines.
func File(path string, base nod.Checkpoint) (Sink, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, nod.Errorf(nod.Conflict, "%s is there already: choose another name", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".nod-export-*")
	if err != nil {
		return nil, nod.Errorf(nod.Unavailable, "nothing can be written in %s", filepath.Dir(path)).Because(err)
	}
	out := &file{f: f, path: path}
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		err = out.table()
	} else {
		err = out.lines(base)
	}
	if err != nil {
		return nil, errors.Join(err, out.Close(false))
	}
	return out, nil
}

type file struct {
	f     *os.File
	path  string
	write func(*nod.Event) error
	flush func() error
}

// Put implements Sink.
func (o *file) Put(es []nod.Event) error {
	for i := range es {
		if err := o.write(&es[i]); err != nil {
			return o.failed(err)
		}
	}
	return o.failed(o.flush())
}

// Close implements Sink: the file gets its name when everything has reached the
// disk.
func (o *file) Close(whole bool) error {
	var err error
	if whole {
		err = o.f.Sync()
	}
	err = errors.Join(err, o.f.Close())
	if whole && err == nil {
		err = os.Rename(o.f.Name(), o.path)
	}
	if !whole || err != nil {
		err = errors.Join(err, os.Remove(o.f.Name()))
	}
	return o.failed(err)
}

func (o *file) failed(err error) error {
	if err == nil {
		return nil
	}
	return nod.Errorf(nod.Unavailable, "%s cannot be written, so nothing was taken out: make room, or choose another place", o.path).Because(err)
}

// lines are as `nod log export` writes them. The first one of a log that had
// been pruned before is the checkpoint that it goes on from.
func (o *file) lines(base nod.Checkpoint) error {
	w := bufio.NewWriter(o.f)
	o.write, o.flush = func(e *nod.Event) error { return writeLine(w, e) }, w.Flush
	if base.IsZero() {
		return nil
	}
	return o.failed(json.NewEncoder(w).Encode(map[string]nod.Checkpoint{"checkpoint": base}))
}

// writeLine keeps the exact bytes, which an encoder might format differently.
func writeLine(w io.Writer, e *nod.Event) error {
	line := append([]byte(`{"hash":"`+e.Hash.String()+`","event":`), e.Body()...)
	_, err := w.Write(append(line, "}\n"...))
	return err
}

func (o *file) table() error {
	w := csv.NewWriter(o.f)
	o.write = func(e *nod.Event) error {
		by := ""
		if e.By != nil {
			by = e.By.Name
		}
		return w.Write([]string{strconv.FormatUint(uint64(e.Seq), 10), e.At.UTC().Format(time.RFC3339Nano), string(e.Kind),
			cell(string(e.AgentID)), cell(string(e.RequestID)), cell(by), cell(e.Note), e.Hash.String(), string(e.Body())})
	}
	o.flush = func() error {
		w.Flush()
		return w.Error()
	}
	return o.failed(w.Write([]string{"seq", "at", "kind", "agent", "request", "by", "note", "hash", "event"}))
}

// cell keeps a spreadsheet from taking an agent's words for a formula.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
