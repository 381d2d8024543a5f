package voicebridge

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"path"
	"strconv"
	"strings"

	"nod"
	"nod/internal/present/words"
)

// agentKey names an agent: by its number, by its whole id, or by the beginning of it.
type agentKey string

// UnmarshalJSON implements json.Unmarshaler. A number is a whole one and stands for
// nothing else: 1e10 is not the beginning of an id.
func (k *agentKey) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, (*string)(k))
	}
	var n *int
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	if n != nil {
		*k = agentKey(strconv.Itoa(*n))
	}
	return nil
}

// numberIn is the number that a text is, if it is nothing but a number.
func numberIn(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && strconv.Itoa(n) == text
}

// number is an agent's number: what this wire calls its id.
func (s *Surface) number(id nod.AgentID) (n int) {
	s.Hub.Look(func(s *nod.State) { n = s.NumberOf(id) })
	return n
}

// project is a folder's number. It follows from the folder alone, so that it stays the
// same without being kept anywhere.
func project(host, folder string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(host + "\x00" + folder)) // a hash never fails
	return int(h.Sum32() >> 1)
}

// isProject reports whether a text is a folder: by its number, its path or its name.
func isProject(text, name, host, folder string) bool {
	if folder != "" && (text == folder || text == strconv.Itoa(project(host, folder))) {
		return true
	}
	return name != "" && strings.EqualFold(text, name) || folder != "" && strings.EqualFold(text, path.Base(folder))
}

const maxID = 200

// find finds an agent by its number, by its id, or by at least four first letters that
// only one has. A number is never the beginning of an id.
func (s *scene) find(key string) (*nod.Agent, error) {
	if key == "" || len(key) > maxID || nod.OneLine(key) != key {
		return nil, s.noAgent(key)
	}
	n, isNumber := numberIn(key)
	var whole *nod.Agent
	var fits []*nod.Agent
	for _, a := range s.Agents {
		switch {
		case isNumber && s.number(a.ID) == n:
			return a, nil
		case string(a.ID) == key:
			whole = a
		case !isNumber && a.Alive() && nod.ShortFor(key, string(a.ID)):
			fits = append(fits, a)
		}
	}
	switch {
	case whole != nil:
		return whole, nil
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) == 0:
		return nil, s.noAgent(key)
	}
	err := nod.Errorf(nod.Invalid, "%q fits more than one agent: type more letters of its id, or send its number", key)
	return nil, &problem{error: err, status: http.StatusBadRequest, word: "ambiguous_agent", voice: Voice{Status: s.say.Say(words.VoiceAmbiguous), Next: s.say.Say(words.VoiceWhich)}}
}

func (s *scene) noAgent(key string) error {
	err := nod.Errorf(nod.NotFound, "there is no agent %q; GET /api/voice/sessions lists them", nod.Fold(nod.OneLine(key), 60))
	if _, isNumber := numberIn(key); !isNumber && len(key) < nod.FewestLetters {
		err = nod.Errorf(nod.NotFound, "%q is no agent's number, and too short for the beginning of an id: send at least %d characters", nod.OneLine(key), nod.FewestLetters)
	}
	return &problem{error: err, status: http.StatusNotFound, word: "agent_not_found", voice: Voice{Status: s.say.Say(words.VoiceUnknown)}}
}

// naming adds to a body which agent it is about: its number, which is the id on this
// wire, and nod's own id.
func (s *Surface) naming(a *nod.Agent, body map[string]any) map[string]any {
	if body == nil {
		body = map[string]any{}
	}
	body["agent_id"], body["nod_id"] = s.number(a.ID), a.ID
	return body
}
