// Package hasskit writes files for Home Assistant: a package that runs a voice
// puck, a blueprint for a puck that nod runs, sentences, cards for a dashboard.
// It only makes text; it touches nothing.
package hasskit

import (
	"bytes"
	"embed"
	"strconv"
	"strings"
	"text/template"
	"time"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

//go:embed templates
var source embed.FS

// MinVersion is the Home Assistant that the files are for: the first that can put
// a question and hear the answer.
const MinVersion = "2025.7.0"

// Owner is who runs the puck.
type Owner string

// The owners.
const (
	ByNod           Owner = "nod"
	ByHomeAssistant Owner = "homeassistant"
)

// Options are what a person chooses. Of entities the zero value is what a stock
// Voice PE calls them.
type Options struct {
	Say         words.Printer // the language of the voice, and of messages
	Prefix      string        // of topics, and of what the package is made of; empty: claude
	Device      string        // how the puck is called in entities, or its six hexadecimal digits
	Satellite   string
	Ring        string
	RingAction  string // esphome.…_nod_ring, where the addition to the firmware has it
	MediaPlayer string
	Button      string
	Dial        string // an event entity; empty: the puck has none
	Aliases     bool   // further names for the same: input_select.claude_state, script.claude_transition
	TTS         string // a voice for the media player, in place of the satellite's own
	Owner       Owner  // empty: ByNod
	Timers      map[puck.Timer]time.Duration
}

// File is one of the files to write.
type File struct {
	Name string // below Home Assistant's folder, with slashes
	Data []byte
}

// stock is the default name of a device, up to its number.
const stock = "home_assistant_voice"

// filled is the options with everything chosen.
func (o Options) filled() (Options, error) {
	if o.Prefix == "" {
		o.Prefix = "claude"
	}
	if o.Owner == "" {
		o.Owner = ByNod
	}
	if o.Device == "" {
		o.Device = stock
	} else if len(o.Device) == 6 && strings.Trim(o.Device, "0123456789abcdef") == "" {
		o.Device = stock + "_" + o.Device
	}
	for _, e := range []struct {
		into       *string
		flag       string
		domain     string
		part       string
		obligatory bool
	}{
		{&o.Satellite, "--satellite", "assist_satellite", "assist_satellite", true},
		{&o.Ring, "--ring", "light", "led_ring", true},
		{&o.MediaPlayer, "--media-player", "media_player", "media_player", true},
		{&o.Button, "--button", "event", "button_press", true},
		{&o.Dial, "--dial", "event", "", false},
		{&o.TTS, "--tts", "tts", "", false},
		{&o.RingAction, "--ring-action", "esphome", "", false},
	} {
		if *e.into == "" && e.obligatory {
			*e.into = e.domain + "." + o.Device + "_" + e.part
		}
		domain, name, _ := strings.Cut(*e.into, ".")
		script := e.into == &o.RingAction && domain == "script" // the user's own script for lighting a ring
		if *e.into != "" && (domain != e.domain && !script || !plain(name, "_")) {
			return o, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.HasskitEntity, e.flag, *e.into, e.domain))
		}
	}
	if !plain(o.Prefix, "_-/") || strings.Trim(o.Prefix, "/") != o.Prefix || len(o.Prefix) > 60 {
		return o, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.HasskitPrefix, o.Prefix))
	}
	if o.Owner != ByNod && o.Owner != ByHomeAssistant {
		return o, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.HasskitOwner, string(o.Owner)))
	}
	return o, nil
}

// plain: nothing in it that could mean something in YAML or in a template.
func plain(s, also string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"+also) == ""
}

// id is the prefix as a part of names.
func (o Options) id() string {
	return strings.ToLower(strings.NewReplacer("/", "_", "-", "_").Replace(o.Prefix))
}

func (o Options) language() string {
	switch o.Say.Lang() {
	case words.Polish:
		return "pl"
	case words.Japanese:
		return "ja"
	}
	return "en"
}

// fill makes text of a template; deep is how far its lines are moved to the right.
func fill(name string, deep int, sheet any) (string, error) {
	// YAML and Home Assistant have braces of their own.
	t, err := template.New(name).Delims("[[", "]]").Funcs(template.FuncMap{"quote": strconv.Quote, "jinja": literal}).ParseFS(source, "templates/"+name)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, sheet); err != nil {
		return "", err
	}
	return indent(out.String(), deep), nil
}

func indent(text string, deep int) string {
	if deep == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Repeat(" ", deep))
		}
		b.WriteString(line)
	}
	return b.String()
}
