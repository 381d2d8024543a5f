package esp32

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP is the device's server on port 3939.
func (d *Device) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, verb, one := strings.Cut(strings.TrimPrefix(r.URL.Path, "/permission-request/"), "/")
	one = one && strings.HasPrefix(r.URL.Path, "/permission-request/")
	what := r.Method + " " + r.URL.Path
	if one {
		what = r.Method + " " + verb
	}
	d.seen[what]++
	if what == "GET /health" {
		reply(w, 200, `{"status":"ok"}`)
		return
	}
	if !keyed(r) {
		fail(w, 401, "unauthorized")
		return
	}
	switch what {
	case "POST /permission-request":
		d.postRequest(w, r)
	case "GET /permission-requests":
		d.list(w)
	case "POST /notify":
		d.postNote(w, r)
	case "GET response":
		d.getResponse(w, id)
	case "POST respond":
		d.postRespond(w, r, id)
	case "POST cancel":
		d.postCancel(w, id)
	default:
		fail(w, 404, "invalid uri")
	}
}

// keyed reports whether the key has an accepted length; nothing else is checked.
func keyed(r *http.Request) bool {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && len(key) >= 8 && len(key) <= 128
}

// body is what fits into the buffer; the rest is not read.
func body(w http.ResponseWriter, r *http.Request, most int64, into any) bool {
	text, err := io.ReadAll(io.LimitReader(r.Body, most))
	if err != nil || len(text) == 0 {
		fail(w, 400, "empty body")
		return false
	}
	if json.Unmarshal(text, into) != nil {
		fail(w, 400, "invalid json")
		return false
	}
	return true
}

type createBody struct {
	Tool    string `json:"tool_name"`
	Header  string `json:"header"`
	Message string `json:"message"`
	Input   struct {
		Command string `json:"command"`
		Path    string `json:"file_path"`
	} `json:"tool_input"`
	Description string `json:"description"`
	Question    string `json:"prompt_question"`
	Choices     []struct {
		Number int    `json:"number"`
		Text   string `json:"text"`
	} `json:"choices"`
	HasTmux *bool   `json:"has_tmux"`
	Target  string  `json:"tmux_target"`
	Host    string  `json:"hostname"`
	Timeout float64 `json:"timeout"`
}

func (d *Device) postRequest(w http.ResponseWriter, r *http.Request) {
	var in createBody
	if !body(w, r, MostCreate, &in) {
		return
	}
	s := slot{
		tool: cut(in.Tool, ShortText), message: cut(in.detail(), MessageText),
		host: cut(in.Host, ShortText), target: cut(in.Target, ShortText), expires: defaultTimeout,
	}
	if s.tool == "" {
		s.tool = "Unknown"
	}
	if s.header = cut(in.Header, ShortText); s.header == "" {
		s.header = s.tool
	}
	if in.Timeout > 0 && !d.first {
		s.expires = time.Duration(in.Timeout * float64(time.Second))
	}
	for _, c := range in.Choices[:min(len(in.Choices), MostChoices)] {
		s.choices = append(s.choices, Choice{uint8(c.Number), cut(c.Text, ChoiceText)})
	}
	s = d.create(s)
	reply(w, 200, `{"id":`+quote(s.id)+`,"tool_name":`+quote(s.tool)+`,"message":`+quote(s.message)+d.end(s)+`}`)
}

func (d *Device) end(s slot) string {
	if d.first {
		return ""
	}
	return `,"expires_at":` + millis(s.expires)
}

func (in *createBody) detail() string {
	text := in.Message
	switch {
	case in.Description != "":
		text = in.Description
	case in.Input.Command != "":
		text = "$ " + in.Input.Command
	case in.Input.Path != "":
		text = in.Input.Path
	case text == "":
		text = in.Tool + " の実行を許可しますか？"
	}
	if in.Question != "" {
		text += "\n" + in.Question
	}
	if in.HasTmux != nil && !*in.HasTmux {
		text += "\n⚠ tmux未経由"
	}
	return text
}

func (d *Device) list(w http.ResponseWriter) {
	d.tick()
	var all []string
	for _, s := range d.newestFirst() {
		choices := "null"
		if len(s.choices) > 0 {
			var list []string
			for _, c := range s.choices {
				list = append(list, `{"number":`+strconv.Itoa(int(c.Number))+`,"text":`+quote(c.Text)+`}`)
			}
			choices = "[" + strings.Join(list, ",") + "]"
		}
		all = append(all, `{"id":`+quote(s.id)+`,"tool_name":`+quote(s.tool)+`,"message":`+quote(s.message)+`,"choices":`+choices+
			`,"created_at":`+millis(s.created)+d.end(*s)+`,`+s.outcome(s.key)+`,"hostname":`+orNull(s.host)+`}`)
	}
	reply(w, 200, "["+strings.Join(all, ",")+"]")
}

func (d *Device) getResponse(w http.ResponseWriter, id string) {
	d.tick()
	if s := d.find(id); s != nil {
		key := s.key
		if key != "" && d.torn > 0 {
			key = ""
			d.torn--
		}
		reply(w, 200, `{"id":`+quote(s.id)+`,`+s.outcome(key)+`}`)
		return
	}
	fail(w, 404, "not found")
}

func (s *slot) outcome(key string) string {
	at := "null"
	if s.response != "" {
		at = millis(s.responded)
	}
	return `"response":` + orNull(s.response) + `,"responded_at":` + at + `,"send_key":` + orNull(key)
}

func (d *Device) postRespond(w http.ResponseWriter, r *http.Request, id string) {
	up := d.tick()
	s := d.find(id)
	if s == nil {
		fail(w, 404, "not found")
		return
	}
	var in struct {
		Choice   *int    `json:"choice"`
		Response *string `json:"response"`
	}
	if !body(w, r, MostRespond, &in) {
		return
	}
	var ok bool
	switch {
	case in.Choice != nil:
		ok = s.choose(*in.Choice, up)
	case in.Response == nil:
		fail(w, 400, "response or choice is required")
		return
	case *in.Response == "allow", *in.Response == "allow_all":
		ok = s.settle(allowed, s.keyOf(0, "1"), up)
	case *in.Response == "deny":
		ok = s.settle(denied, s.keyOf(len(s.choices)-1, "3"), up)
	default:
		fail(w, 400, "invalid response value")
		return
	}
	if !ok {
		fail(w, 404, "already responded")
		return
	}
	d.draw()
	reply(w, 200, `{"ok":true}`)
}

func (s *slot) keyOf(i int, otherwise string) string {
	if i < 0 || i >= len(s.choices) {
		return otherwise
	}
	return strconv.Itoa(int(s.choices[i].Number))
}

func (d *Device) postCancel(w http.ResponseWriter, id string) {
	up := d.tick()
	if s := d.find(id); s == nil || !s.settle(cancelled, "", up) {
		fail(w, 404, "not found or already responded")
		return
	}
	d.draw()
	reply(w, 200, `{"ok":true}`)
}

func (d *Device) postNote(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Title   string `json:"title"`
		Message string `json:"message"`
	}
	if !body(w, r, MostNotify, &in) {
		return
	}
	d.note, d.noteEnd = cut(in.Title+"\n"+in.Message, MessageText), d.tick()+noteFor
	reply(w, 200, `{"ok":true}`)
}

func reply(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

func fail(w http.ResponseWriter, status int, why string) {
	reply(w, status, `{"error":`+quote(why)+`}`)
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return quote(s)
}

// quote writes a string as cJSON does: bytes unchanged, even half characters.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < 0x20:
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
