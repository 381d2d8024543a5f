package app

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/surface/homeassistant"
)

// homeAssistant lets nod speak through the satellites of a Home Assistant.
func (a *app) homeAssistant() {
	c := a.Config.HomeAssistant
	if c.URL == "" {
		return
	}
	client, err := hass.New(hass.Options{URL: c.URL, Token: a.tokenIn(c.TokenFile), Log: a.Log})
	if err != nil {
		a.Log.Error("Home Assistant is left out", "err", err)
		return
	}
	o := homeassistant.Options{
		Hub: a.hub, Client: client, Assistant: c.Assistant, Satellites: c.Satellites, Language: c.Language, Ring: c.Ring, Dial: c.Dial,
		Agents: c.Agents, Sentences: c.Sentences, Proof: a.Config.Passkey.Required, Now: time.Now, Log: a.Log,
	}
	if !a.Demo { // which has nobody to talk to, and keeps nothing
		o.Asker = a.asker(a.Config.Headless.Turn)
		o.File = filepath.Join(a.Data, "homeassistant.json")
	}
	s := homeassistant.New(o)
	a.speaker, a.whence = s.Announce, s.Answering
	a.run = append(a.run, s.Run)
}

// tokenIn reads a secret whenever it is needed, and says once if others could.
func (a *app) tokenIn(file string) func() (string, error) {
	if info, err := os.Stat(file); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		a.Log.Warn("others on this machine can read the token of Home Assistant; chmod 600 helps", "file", file)
	}
	return func() (string, error) {
		text, err := firstLine(file)
		if err != nil {
			return "", nod.Errorf(nod.Unauthorized, "the file with the token of Home Assistant cannot be read").Because(err)
		}
		return text, nil
	}
}
