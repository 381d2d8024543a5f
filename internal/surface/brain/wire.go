package brain

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// question is the body of POST /ask.
type question struct {
	Query     string `json:"query"`
	Session   string `json:"session_id"`
	Confirm   bool   `json:"confirm_action"`
	Language  string `json:"language"`
	Room      string `json:"room"`
	User      string `json:"user"`
	Assistant string `json:"assistant"`
}

// mostQuery is the most characters of a question.
const mostQuery = 10_000

func (q *question) check() error {
	switch {
	case utf8.RuneCountInString(q.Query) > mostQuery:
		return nod.Errorf(nod.TooLarge, "the query is longer than %d characters", mostQuery)
	case ear.Bare(q.Query) == "" && !q.Confirm:
		return nod.Errorf(nod.Invalid, "the query is missing")
	}
	return nil
}

// withdrawal is the body of POST /cancel.
type withdrawal struct {
	Session   string `json:"session_id"`
	Language  string `json:"language"`
	Room      string `json:"room"`
	User      string `json:"user"`
	Assistant string `json:"assistant"`
}

// answer is what every call gets. Empty fields are left out.
type answer struct {
	Text        string        `json:"text"` // to be spoken as it is
	Language    string        `json:"language,omitempty"`
	Session     nod.AgentID   `json:"session_id,omitempty"`
	At          string        `json:"timestamp,omitempty"`
	Permission  bool          `json:"requires_permission,omitempty"`
	Action      nod.RequestID `json:"action_id,omitempty"`
	Description string        `json:"action_description,omitempty"`
	Executed    bool          `json:"action_executed,omitempty"`
	Cancelled   *bool         `json:"cancelled,omitempty"`
	Error       string        `json:"error,omitempty"` // in a word, for programs

	sentences []string      // the text, if it is a shortened answer
	asks      nod.RequestID // the request that it asks about
}

// refuse answers a call that failed. It has a text to speak too: a person who asked by
// voice must hear something.
func (c *call) refuse(w http.ResponseWriter, err error) error {
	var often *talk.TooOften
	status := httpd.StatusOf(err)
	a := &answer{Language: c.language, At: c.at(), Error: string(nod.CodeOf(err)) + ": " + nod.MessageOf(err)}
	switch code := nod.CodeOf(err); {
	case errors.As(err, &often):
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(often.After.Seconds()))))
		a.Text, a.Error = c.say.Say(words.BrainRate), "rate: "+nod.MessageOf(err)
	case code == nod.TooLarge:
		a.Text = c.say.Say(words.BrainTooMuch)
	case code == nod.Invalid:
		a.Text = c.say.Say(words.VoiceUnclear)
	case code == nod.NotFound:
		a.Text = c.say.Say(words.VoiceNoSuchAssistant)
	case code == nod.Forbidden:
		a.Text = c.say.Say(words.VoiceMayNot)
	case code == nod.Unavailable, code == nod.Unreachable, code == nod.Conflict, code == nod.Gone:
		a.Text = c.say.Say(words.VoiceNotNow) + " " + c.say.Say(words.VoiceTryAgain)
	default:
		c.s.Log.Error("a question could not be asked", "err", err)
		a.Text = c.say.Say(words.VoiceOurFault)
	}
	return httpd.JSON(w, status, a)
}

func (c *call) at() string { return c.s.Now().Format(time.RFC3339) }
