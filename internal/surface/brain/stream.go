package brain

import (
	"encoding/json"
	"net/http"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// mostHeard is how much of an answer is searched for sentences while it is written. What
// is spoken is decided long before that.
const mostHeard = 16 << 10

// speech sends an answer in sentences, so that a speaker can begin with the first one.
// Everything that is to be spoken is sent once.
type speech struct {
	stream *httpd.Stream
	reader *ear.Reader
	room   ear.Measure
	full   bool
	read   int
	said   []string
}

func (c *call) stream(w http.ResponseWriter, r *http.Request, q question) error {
	stream, ctx := httpd.NewStream(w, r)
	defer stream.Close()
	s := &speech{stream: stream, reader: c.ear.Reader()}
	before := c.before(ctx)
	for _, text := range before {
		s.say(text)
	}
	s.said = nil // it is no part of the answer
	a, err := c.answer(ctx, q, s.hear)
	if ctx.Err() != nil {
		return nil // the caller has left
	}
	if err != nil {
		c.s.Log.Warn("a question was not answered", "err", err)
		a = c.plain(c.say.Say(words.VoiceNotNow))
		a.Error = string(nod.CodeOf(err)) + ": " + nod.MessageOf(err)
	}
	s.finish(a)
	meanwhile := c.before(ctx)
	for _, text := range meanwhile {
		s.say(text)
	}
	a.tell(append(before, meanwhile...))
	body, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return stream.SendControl("done", body)
}

// hear takes the next part of the answer.
func (s *speech) hear(text string) {
	if s.read += len(text); s.full || s.read > mostHeard {
		return
	}
	for _, sentence := range s.reader.Read(text) {
		s.take(sentence)
	}
}

func (s *speech) take(sentence string) {
	fit, ok := s.room.Take(sentence)
	if s.full = s.full || !ok || fit != sentence; ok {
		s.say(fit)
	}
}

func (s *speech) say(sentence string) {
	s.said = append(s.said, sentence)
	body, _ := json.Marshal(map[string]string{"text": sentence}) // a string can always be encoded
	_ = s.stream.SendControl("piece", body)                      // the context ends when the client has gone
}

// finish sends what was not sent yet of the answer: all of it, if only remarks on the way
// to it were sent.
func (s *speech) finish(a *answer) {
	if a.sentences == nil {
		if !s.full {
			for _, sentence := range s.reader.End() {
				s.take(sentence)
			}
		}
		s.say(a.Text)
		return
	}
	for _, sentence := range a.sentences[heard(s.said, a.sentences):] {
		s.say(sentence)
	}
}

// heard is how many sentences of an answer have been sent last.
func heard(said, whole []string) int {
	for n := min(len(said), len(whole)); n > 0; n-- {
		same := true
		for i := range n {
			same = same && said[len(said)-n+i] == whole[i]
		}
		if same {
			return n
		}
	}
	return 0
}
