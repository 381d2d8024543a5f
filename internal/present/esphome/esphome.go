// Package esphome writes what ESPHome needs to make an M5Stack into a screen of
// nod: a configuration, two components, a picture. It only makes files; it
// touches no device.
package esphome

import (
	"bytes"
	"embed"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"nod"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

// all: because the files that Python needs begin with an underscore.
//
//go:embed templates all:components
var source embed.FS

// MinVersion is the ESPHome that the files are for.
const MinVersion = "2026.6.0"

// Names of the files beside the configuration.
const (
	pictureFile = "no-hub.png"
	stripFile   = "no-hub-strip.png"
	caFile      = "nod-ca.pem"
	secretsFile = "secrets.yaml"
)

// Options are what a person chooses.
type Options struct {
	Board Board
	Name  string        // of the device on the network
	Hub   string        // its address as the device sees it
	CA    []byte        // PEM: the hub's own CA, if it has one
	Say   words.Printer // the language of the screen
	File  string        // name of the configuration; "": nod-BOARD.yaml
}

// File is one of the files to write.
type File struct {
	Name  string // with slashes
	Data  []byte
	Yours bool // a person fills it in: never write over it
}

// Files makes all files; the configuration is the first.
func Files(o Options) ([]File, error) {
	sheet, err := o.sheet()
	if err != nil {
		return nil, err
	}
	config, err := fill("m5stack.yaml", sheet)
	if err != nil {
		return nil, err
	}
	secrets, err := fill("secrets.yaml", sheet)
	if err != nil {
		return nil, err
	}
	files := []File{{Name: sheet.File, Data: config}, {Name: secretsFile, Data: secrets, Yours: true}}
	pictures := map[string]draw.Picture{
		pictureFile: draw.Paint(draw.Disconnected(o.Say, draw.M5Stack, o.Hub), 0), stripFile: draw.LostStrip(o.Say, draw.M5Stack),
	}
	for _, name := range slices.Sorted(maps.Keys(pictures)) {
		data, err := pictures[name].PNG(pictures[name].Rect)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: name, Data: data})
	}
	if len(o.CA) > 0 {
		anchor, err := Anchor(o.CA)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: caFile, Data: anchor})
	}
	return appendComponents(files, sheet.PowerChip)
}

func appendComponents(files []File, power bool) ([]File, error) {
	err := fs.WalkDir(source, "components", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !power && path.Base(path.Dir(name)) == "nod_m5stack" {
			return nil
		}
		data, err := source.ReadFile(name)
		files = append(files, File{Name: name, Data: data})
		return err
	})
	return files, err
}

func fill(name string, sheet sheet) ([]byte, error) {
	// YAML has braces of its own.
	t, err := template.New(name).Delims("[[", "]]").Funcs(template.FuncMap{"quote": strconv.Quote}).ParseFS(source, "templates/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, sheet)
	return out.Bytes(), err
}

// sheet is the data of the templates.
type sheet struct {
	wiring
	Board, Name, Hub, File, MinVersion, Language, CA, Picture, Strip string
	StripTop                                                         int // where the strip begins on the screen
}

// goodName is ESPHome's rule; a longer name does not fit into that of a network.
func goodName(s string) bool {
	strange := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	return s != "" && len(s) <= 31 && !strings.ContainsFunc(s, strange) && strings.Trim(s, "-") == s
}

func (o Options) sheet() (sheet, error) {
	w, ok := o.Board.wiring()
	switch {
	case !ok:
		return sheet{}, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.ESPHomeBoard, o.Board))
	case !goodName(o.Name):
		return sheet{}, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.ESPHomeName, o.Name))
	}
	hub, err := o.address()
	if err != nil {
		return sheet{}, err
	}
	s := sheet{
		wiring: w, Board: string(o.Board), Name: o.Name, Hub: hub, File: o.File, MinVersion: MinVersion,
		Language: language(o.Say), Picture: pictureFile,
		Strip: stripFile, StripTop: draw.M5Stack.H - draw.LostStrip(o.Say, draw.M5Stack).Rect.Dy(),
	}
	if s.File == "" {
		s.File = "nod-" + s.Board + ".yaml"
	}
	if len(o.CA) > 0 {
		s.CA = caFile
	}
	return s, nil
}

// address is a hub that can be reached from other machines, without characters that are
// special to ESPHome.
func (o Options) address() (string, error) {
	u, err := url.Parse(o.Hub)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(o.Hub, "$\"\\ ") {
		return "", nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.ESPHomeHub, o.Hub))
	}
	if Loopback(o.Hub) {
		return "", nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.ESPHomeLoopback, u.Hostname()))
	}
	return strings.TrimRight(o.Hub, "/"), nil
}

// Loopback reports whether an address means the machine that uses it.
func Loopback(hub string) bool {
	u, err := url.Parse(hub)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || (ip != nil && (ip.IsLoopback() || ip.IsUnspecified()))
}

func language(say words.Printer) string {
	switch say.Lang() {
	case words.Polish:
		return "pl"
	case words.Japanese:
		return "ja"
	}
	return "en"
}
