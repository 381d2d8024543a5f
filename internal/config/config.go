// Package config reads nod.toml, the environment and flags, in this order of
// growing weight, and remembers where each value came from. Every adapter owns
// a section of its own; a key that nobody owns is an error that names it and
// the nearest right one.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"nod"
)

// Config is what the house itself can be told.
type Config struct {
	Listen        string        `toml:"listen"` // address of the HTTP interface
	Answer        Answer        `toml:"answer"` // who may answer on this machine
	Hosts         []string      `toml:"hosts"`  // names by which the hub may be called, besides its address
	TLS           TLS           `toml:"tls"`
	Claude        Claude        `toml:"claude"`
	Policy        Policy        `toml:"policy"`
	Push          Push          `toml:"push"`
	VoiceBridge   VoiceBridge   `toml:"voicebridge"`
	Passkey       Passkey       `toml:"passkey"`
	Headless      Headless      `toml:"headless"`
	Brain         Brain         `toml:"brain"`
	Relay         Relay         `toml:"relay"`
	MDNS          MDNS          `toml:"mdns"`
	Notify        Notify        `toml:"notify"`
	Keyboard      Keyboard      `toml:"keyboard"`
	Advise        Advise        `toml:"advise"`
	Store         string        `toml:"store"` // empty: SQLite in the data directory; or postgres://…
	MQTT          MQTT          `toml:"mqtt"`
	VoicePE       VoicePE       `toml:"voicepe"`
	Entities      Entities      `toml:"entities"`
	HomeAssistant HomeAssistant `toml:"homeassistant"`
	Wyoming       Wyoming       `toml:"wyoming"`
	Link          Link          `toml:"link"`
	Metrics       Metrics       `toml:"metrics"`
	Assistant     []Assistant   `toml:"assistant"` // whom to talk to; the first one when nobody is named
}

// Brain is the section of what is asked by voice and by other programs: /ask, and
// the interfaces of Ollama and OpenAI.
type Brain struct {
	Assistant       string        `toml:"assistant"`        // who answers /ask; empty: the first
	Context         time.Duration `toml:"context"`          // how long a conversation remembers, unless its assistant says otherwise
	Wait            time.Duration `toml:"wait"`             // how long a call is held before it says that it takes longer
	Rate            int           `toml:"rate"`             // questions a minute for one client
	TrustedNetworks []string      `toml:"trusted_networks"` // whoever calls from there may ask and confirm, by these doors only
}

// VoiceBridge is the section of the voice bridge.
type VoiceBridge struct {
	TrustedNetworks []string `toml:"trusted_networks"` // whoever calls from there may see and answer, by the voice bridge only
}

// Networks are the trusted ones; what is no network was refused when it was read.
func (v VoiceBridge) Networks() []netip.Prefix { return networks(v.TrustedNetworks) }

// Networks are the trusted ones; what is no network was refused when it was read.
func (b Brain) Networks() []netip.Prefix { return networks(b.TrustedNetworks) }

func networks(texts []string) []netip.Prefix {
	var list []netip.Prefix
	for _, text := range texts {
		if p, err := netip.ParsePrefix(text); err == nil {
			list = append(list, p.Masked())
		}
	}
	return list
}

// Push is the section of notifications to browsers.
type Push struct {
	Contact string `toml:"contact"` // whom a push service may write to: mailto:you@example.org or https://…
	Private bool   `toml:"private"` // also push services on this machine and in the own network
}

// Passkey is the section of confirming with a finger, a face or a PIN.
type Passkey struct {
	Required []string `toml:"required"` // levels of risk that take a passkey to allow; none: off
}

// check refuses a level that does not exist: it would protect nothing, silently.
func (p Passkey) check(origin map[string]string) error {
	levels := []string{"read", "write", "network", "destructive", "secret", "unknown"}
	for _, l := range p.Required {
		if !slices.Contains(levels, l) {
			return nod.Errorf(nod.Invalid, "passkey.required (%s): %q is no level of risk; choose from %s", where(origin, "passkey.required"), l, strings.Join(levels, ", "))
		}
	}
	return nil
}

// Policy says what needs no person, what always does, and what never happens.
// Rules are in Claude Code's own syntax.
type Policy struct {
	ReadOnly string   `toml:"read_only"` // "allow": what provably only reads is allowed by itself
	Allow    []string `toml:"allow"`
	Ask      []string `toml:"ask"`
	Deny     []string `toml:"deny"`
	Scope    []Scope  `toml:"scope"`  // more rules, for some agents, projects or hosts
	Phrase   []Phrase `toml:"phrase"` // what a spoken request must not say unasked
}

// Scope is rules that hold only for an agent, below a folder, or on a host.
type Scope struct {
	Agent    string   `toml:"agent"`
	Project  string   `toml:"project"`
	Host     string   `toml:"host"`
	ReadOnly string   `toml:"read_only"`
	Allow    []string `toml:"allow"`
	Ask      []string `toml:"ask"`
	Deny     []string `toml:"deny"`
}

// Phrase is a rule about spoken words: "ask" or "deny".
type Phrase struct {
	Text    string `toml:"text"`
	Verdict string `toml:"verdict"`
	Reason  string `toml:"reason"`
}

// Answer says from where answers are taken.
type Answer string

// The values of answer.
const (
	AnswerLocal   Answer = "local"   // from paired devices and from people on this machine
	AnswerDevices Answer = "devices" // from paired devices only
)

// Claude is the section of the Claude Code driver.
type Claude struct {
	HandBack time.Duration `toml:"hand_back"` // how long a request that hides its dialog is held when nobody follows
	Proof    time.Duration `toml:"proof"`     // how soon an agent should show that it did what was decided
}

// Default is what holds where nobody says otherwise.
func Default() Config {
	return Config{
		Listen:        "127.0.0.1:8742",
		Answer:        AnswerLocal,
		Claude:        Claude{HandBack: 30 * time.Second, Proof: 5 * time.Second},
		Policy:        Policy{ReadOnly: "ask"},
		Headless:      Headless{Idle: 5 * time.Minute, Keep: 24 * time.Hour, Most: 8, Spare: true, Turn: 10 * time.Minute},
		Relay:         Relay{Timeout: 2 * time.Minute, Cleanup: 5 * time.Minute, Rooms: 10, Found: "off"},
		MDNS:          MDNS{Announce: true},
		Notify:        Notify{Content: "short", DoneAfter: 30 * time.Second, Wait: 30 * time.Second, Ntfy: NotifyNtfy{Buttons: true}, Telegram: NotifyTelegram{Buttons: true}},
		Advise:        defaultAdvise(),
		MQTT:          defaultMQTT(),
		VoicePE:       defaultVoicePE(),
		Entities:      defaultEntities(),
		HomeAssistant: defaultHomeAssistant(),
		Wyoming:       defaultWyoming(),
		Brain:         Brain{Context: 5 * time.Minute, Wait: 110 * time.Second, Rate: 30},
	}
}

// Setting is one value and where it came from.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"` // "default", a file, or an environment variable
}

// Load reads a file (a missing one is fine unless it must be there) and the
// environment. It returns the configuration and where each value came from.
func Load(file string, mustExist bool, getenv func(string) string) (Config, []Setting, error) {
	c := Default()
	keys := fields(reflect.ValueOf(&c).Elem(), "")
	origin := map[string]string{}
	if err := readFile(&c, keys, origin, file, mustExist); err != nil {
		return c, nil, err
	}
	for _, k := range keys {
		name := "NOD_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
		if text := getenv(name); text != "" {
			if err := k.set(text); err != nil {
				return c, nil, nod.Errorf(nod.Invalid, "%s: %s", name, err)
			}
			origin[k.name] = name
		}
	}
	if err := c.check(origin); err != nil {
		return c, nil, err
	}
	return c, settings(keys, origin), nil
}

func readFile(c *Config, keys []field, origin map[string]string, file string, mustExist bool) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && !mustExist {
		return nil
	}
	if err != nil {
		return nod.Errorf(nod.Invalid, "cannot read the configuration %s", file).Because(err)
	}
	meta, err := toml.Decode(string(text), c)
	if err != nil {
		return nod.Errorf(nod.Invalid, "%s: %s", file, tomlError(err))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return nod.Errorf(nod.Invalid, "%s: unknown key %q; did you mean %q?", file, key, nearest(key, keys))
	}
	for _, k := range meta.Keys() {
		origin[k.String()] = file
	}
	return nil
}

func tomlError(err error) string {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return fmt.Sprintf("line %d: %s", parse.Position.Line, parse.Message)
	}
	return err.Error()
}

func (c *Config) check(origin map[string]string) error {
	if c.Answer != AnswerLocal && c.Answer != AnswerDevices {
		return nod.Errorf(nod.Invalid, "answer = %q (%s) is neither %q nor %q", c.Answer, where(origin, "answer"), AnswerLocal, AnswerDevices)
	}
	if c.Policy.ReadOnly != "ask" && c.Policy.ReadOnly != "allow" {
		return nod.Errorf(nod.Invalid, "policy.read_only = %q (%s) is neither \"ask\" nor \"allow\"", c.Policy.ReadOnly, where(origin, "policy.read_only"))
	}
	for i, s := range c.Policy.Scope {
		if s.ReadOnly != "" && s.ReadOnly != "ask" && s.ReadOnly != "allow" {
			return nod.Errorf(nod.Invalid, "read_only = %q in [[policy.scope]] number %d is neither \"ask\" nor \"allow\"", s.ReadOnly, i+1)
		}
	}
	if err := c.TLS.check(); err != nil {
		return err
	}
	if err := c.Passkey.check(origin); err != nil {
		return err
	}
	if err := checkNetworks("voicebridge", c.VoiceBridge.TrustedNetworks); err != nil {
		return err
	}
	if err := checkNetworks("brain", c.Brain.TrustedNetworks); err != nil {
		return err
	}
	if c.Brain.Context < time.Second || c.Brain.Wait < time.Second || c.Brain.Rate < 1 {
		return nod.Errorf(nod.Invalid, "brain.context and brain.wait are at least \"1s\", and brain.rate at least 1")
	}
	if err := c.checkAssistants(); err != nil {
		return err
	}
	if err := c.Relay.check(); err != nil {
		return err
	}
	if err := c.Notify.check(); err != nil {
		return err
	}
	if err := c.Advise.check(); err != nil {
		return err
	}
	if err := c.checkHouse(); err != nil {
		return err
	}
	if c.Claude.HandBack < time.Second || c.Claude.Proof < time.Second {
		return nod.Errorf(nod.Invalid, "claude.hand_back and claude.proof are at least \"1s\"")
	}
	return nil
}

func checkNetworks(section string, texts []string) error {
	for _, text := range texts {
		if _, err := netip.ParsePrefix(text); err != nil {
			return nod.Errorf(nod.Invalid, "%s.trusted_networks: %q is no network; it looks like 192.168.1.0/24", section, text)
		}
	}
	return nil
}

func where(origin map[string]string, key string) string {
	if o, ok := origin[key]; ok {
		return o
	}
	return "default"
}

func settings(keys []field, origin map[string]string) []Setting {
	list := make([]Setting, len(keys))
	for i, k := range keys {
		list[i] = Setting{Key: k.name, Value: k.text(), Origin: where(origin, k.name)}
	}
	return list
}

// nearest is the known key that is spelt most alike.
func nearest(key string, keys []field) string {
	return slices.MinFunc(keys, func(a, b field) int { return distance(key, a.name) - distance(key, b.name) }).name
}

// DataDir is where the hub keeps everything, unless it is told otherwise.
func DataDir(getenv func(string) string, goos string) (string, error) {
	if dir := getenv("NOD_DATA"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := getenv("XDG_DATA_HOME"); dir != "" && goos != "darwin" && goos != "windows" {
		return filepath.Join(dir, "nod"), nil
	}
	home := getenv("HOME")
	if goos == "windows" {
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "nod"), nil
		}
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return "", nod.Errorf(nod.Invalid, "neither NOD_DATA nor HOME is set: say where nod keeps its data with NOD_DATA")
	}
	if goos == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "nod"), nil
	}
	return filepath.Join(home, ".local", "share", "nod"), nil
}
