package app

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/surface/homeassistant"
	"nod/internal/talk"
)

// homeAssistant lets nod speak through the satellites of a Home Assistant.
func (h *house) homeAssistant() {
	c := h.Config.HomeAssistant
	if c.URL == "" {
		return
	}
	client, err := hass.New(hass.Options{URL: c.URL, Token: h.tokenIn(c.TokenFile), Log: h.Log})
	if err != nil {
		h.Log.Error("Home Assistant is left out", "err", err)
		return
	}
	o := homeassistant.Options{
		Hub: h.hub, Client: client, Assistant: c.Assistant, Satellites: c.Satellites, Language: c.Language, Ring: c.Ring, Dial: c.Dial,
		Agents: c.Agents, Sentences: c.Sentences, Proof: h.Config.Passkey.Required, Now: time.Now, Log: h.Log,
	}
	if !h.Demo { // which has nobody to talk to, and keeps nothing
		o.Asker = talk.New(talk.Options{Hub: h.hub, Now: time.Now, Wait: h.Config.Headless.Turn, Log: h.Log})
		o.File = filepath.Join(h.Data, "homeassistant.json")
	}
	s := homeassistant.New(o)
	h.speaker, h.whence = s.Announce, s.Answering
	h.run = append(h.run, s.Run)
}

// tokenIn reads a secret whenever it is needed, and says once if others could.
func (h *house) tokenIn(file string) func() (string, error) {
	if info, err := os.Stat(file); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		h.Log.Warn("others on this machine can read the token of Home Assistant; chmod 600 helps", "file", file)
	}
	return func() (string, error) {
		text, err := firstLine(file)
		if err != nil {
			return "", nod.Errorf(nod.Unauthorized, "the file with the token of Home Assistant cannot be read").Because(err)
		}
		return text, nil
	}
}
