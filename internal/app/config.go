package app

import (
	"nod"
	"nod/internal/agent/claude"
	"nod/internal/agent/headless"
	"nod/internal/config"
	"nod/internal/judge/policy"
	"nod/internal/net/certs"
	"nod/internal/net/mdns"
	"nod/internal/net/mqttd"
	"nod/internal/present/advise"
	"nod/internal/surface/brain"
	"nod/internal/surface/entities"
	"nod/internal/surface/homeassistant"
	"nod/internal/surface/keyboard"
	"nod/internal/surface/metrics"
	"nod/internal/surface/notify"
	"nod/internal/surface/passkey"
	"nod/internal/surface/push"
	"nod/internal/surface/relay"
	"nod/internal/surface/uplink"
	"nod/internal/surface/voicebridge"
	"nod/internal/surface/voicepe"
	"nod/internal/surface/wyoming"
)

// Config is everything that can be configured: one line for each part, in the order
// in which `nod config` prints them. Each part owns its keys, defaults and checks.
type Config struct {
	Listen        string               `toml:"listen"` // address of the HTTP interface
	Answer        Answer               `toml:"answer"` // `local`: people on this machine may answer; `devices`: only paired devices
	Hosts         []string             `toml:"hosts"`  // names by which the hub may be called, besides its address
	TLS           certs.Config         `toml:"tls"`
	Claude        claude.Config        `toml:"claude"`
	Policy        policy.Settings      `toml:"policy"`
	Push          push.Config          `toml:"push"`
	VoiceBridge   voicebridge.Config   `toml:"voicebridge"`
	Passkey       passkey.Config       `toml:"passkey"`
	Headless      headless.Config      `toml:"headless"`
	Brain         brain.Config         `toml:"brain"`
	Relay         relay.Config         `toml:"relay"`
	MDNS          mdns.Config          `toml:"mdns"`
	Notify        notify.Config        `toml:"notify"`
	Keyboard      keyboard.Config      `toml:"keyboard"`
	Advise        advise.Config        `toml:"advise"`
	Store         string               `toml:"store"` // empty: SQLite in the data directory; or `postgres://…`
	MQTT          mqttd.Config         `toml:"mqtt"`
	VoicePE       voicepe.Config       `toml:"voicepe"`
	Entities      entities.Config      `toml:"entities"`
	HomeAssistant homeassistant.Config `toml:"homeassistant"`
	Wyoming       wyoming.Config       `toml:"wyoming"`
	Link          uplink.Config        `toml:"link"`
	Metrics       metrics.Config       `toml:"metrics"`
	Assistant     headless.Assistants  `toml:"assistant"` // whom to talk to; the first one when nobody is named
}

// Answer says from where answers are taken.
type Answer string

// The values of answer.
const (
	AnswerLocal   Answer = "local"   // from paired devices and from people on this machine
	AnswerDevices Answer = "devices" // from paired devices only
)

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { c.Listen, c.Answer = "127.0.0.1:8742", AnswerLocal }

// Check refuses what cannot work.
func (c *Config) Check() error {
	if c.Answer != AnswerLocal && c.Answer != AnswerDevices {
		return nod.Errorf(nod.Invalid, "answer = %q is neither %q nor %q", c.Answer, AnswerLocal, AnswerDevices)
	}
	return nil
}

// LoadConfig reads a file and the environment, and says where each value came from.
func LoadConfig(file string, mustExist bool, getenv func(string) string) (c Config, from []config.Setting, err error) {
	from, err = config.Load(&c, file, mustExist, getenv)
	return c, from, err
}
