package voicebridge

import (
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Voice is what is said aloud about an answer. Next is "none" when there is
// nothing to do.
type Voice struct {
	Status  string   `json:"status_line"`
	Results []string `json:"results"`
	Next    string   `json:"next_action"`
}

// nothing is this wire's word for "there is nothing to do".
const nothing = "none"

func (v Voice) whole() Voice {
	if v.Results == nil {
		v.Results = []string{}
	}
	if v.Next == "" {
		v.Next = nothing
	}
	return v
}

// verbosity is how much a person wants to hear.
type verbosity int

const (
	concise verbosity = iota
	normal
	detailed
)

// verbosityOf reads this wire's words and those of its clients.
func verbosityOf(word string) (verbosity, error) {
	switch word {
	case "", "concise", "brief":
		return concise, nil
	case "normal":
		return normal, nil
	case "detailed", "full":
		return detailed, nil
	}
	return 0, nod.Errorf(nod.Invalid, "unknown verbosity %q: concise, normal or detailed", nod.Fold(nod.OneLine(word), 40))
}

// call is one HTTP request to this surface, and how it is to be answered.
type call struct {
	*Surface
	speaker
	w       http.ResponseWriter
	r       *http.Request
	values  url.Values
	began   time.Time
	respond bool // this route tells errors in its own form
}

// wants is what every body may say about the reply.
type wants struct {
	Verbosity string `json:"verbosity,omitempty"`
	Language  string `json:"language,omitempty"`
}

func (c *call) apply(wish wants) (err error) {
	if wish.Verbosity != "" {
		if c.much, err = verbosityOf(wish.Verbosity); err != nil {
			return err
		}
	}
	if wish.Language != "" {
		c.say = words.Accept(wish.Language)
	}
	return nil
}

// decode reads a body and how it wants the reply.
func (c *call) decode(body any, w *wants) error {
	if err := c.parameters(); err != nil {
		return err
	}
	if err := httpd.Decode(c.w, c.r, body); err != nil {
		return err
	}
	return c.apply(*w)
}

// known are the parameters that every route takes.
var known = []string{"verbosity", "language"}

// parameters refuses unknown query parameters.
func (c *call) parameters(more ...string) error {
	for name, values := range c.values {
		if !slices.Contains(known, name) && !slices.Contains(more, name) || len(values) != 1 || !nod.Clean(values[0]) {
			return nod.Errorf(nod.Invalid, "unknown or doubled parameter %q: known are %s", nod.Fold(nod.OneLine(name), 40), strings.Join(append(slices.Clone(known), more...), ", "))
		}
	}
	return nil
}

// took is how long the call took, for the client's statistics.
func (c *call) took() int64 { return c.Now().Sub(c.began).Milliseconds() }

// answerWith sends a body in which the voice comes first.
func (c *call) answerWith(status int, v Voice, body map[string]any) error {
	if body == nil {
		body = map[string]any{}
	}
	body["voice"], body["latency_ms"] = v.whole(), c.took()
	return httpd.JSON(c.w, status, body)
}

// problem is an error with its own status, name and spoken text.
type problem struct {
	error
	status int
	word   string // this wire's short name of it
	voice  Voice
	more   map[string]any // for programs
}

func (p *problem) Unwrap() error { return p.error }

// refuse answers an error with spoken text. The text of internal errors goes only to
// the log.
func (c *call) refuse(err error) error {
	status, word := httpd.StatusOf(err), string(nod.CodeOf(err))
	v := c.sorry(err)
	var more map[string]any
	if p, ok := err.(*problem); ok {
		status, word, v, more = p.status, p.word, p.voice, p.more
	}
	level := slog.LevelDebug
	if status == http.StatusInternalServerError {
		level = slog.LevelError
	}
	c.Log.Log(c.r.Context(), level, "request failed", "method", c.r.Method, "path", c.r.URL.Path, "status", status, "err", err)
	body := map[string]any{"error": word, "message": nod.MessageOf(err)}
	if c.respond {
		body = map[string]any{"status": "error", "error_type": word, "message": nod.MessageOf(err)}
	}
	maps.Copy(body, more)
	return c.answerWith(status, v, body)
}

// sorry says what went wrong and what to do, without codes.
func (s speaker) sorry(err error) Voice {
	say := s.say.Say
	switch nod.CodeOf(err) {
	case nod.Invalid:
		return Voice{Status: say(words.VoiceUnclear)}
	case nod.Forbidden, nod.Unauthorized:
		return Voice{Status: say(words.VoiceMayNot)}
	case nod.ProofNeeded:
		return Voice{Status: say(words.VoiceProof), Next: say(words.VoiceInBrowser)}
	case nod.NotFound:
		return Voice{Status: say(words.VoiceMissing)}
	case nod.Conflict, nod.Gone:
		return Voice{Status: say(words.VoiceTooLate)}
	case nod.Unprocessable:
		return Voice{Status: say(words.VoiceMisfit)}
	case nod.TooLarge:
		return Voice{Status: say(words.VoiceTooLarge)}
	case nod.Unavailable, nod.Unreachable:
		return Voice{Status: say(words.VoiceNotNow), Next: say(words.VoiceTryAgain)}
	}
	return Voice{Status: say(words.VoiceOurFault), Next: say(words.VoiceItsLog)}
}
