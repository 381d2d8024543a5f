package voicebridge

import (
	"cmp"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Project is a folder in which agents work, or in which an assistant does.
type Project struct {
	ID       int        `json:"id"`
	Name     string     `json:"name"`
	Slug     string     `json:"slug"`
	Path     string     `json:"path"`
	Host     string     `json:"host"`
	Agents   int        `json:"agent_count"` // that run there now
	LastUsed *time.Time `json:"last_used"`
	Create   bool       `json:"can_create"` // a conversation can be opened there

	assistant string // who works there
}

// projects are the folders that are known, the most recently used first.
func (c *call) allProjects() ([]Project, error) {
	s, err := c.scene()
	if err != nil {
		return nil, err
	}
	assistants, err := c.desk().Assistants(c.r.Context())
	if err != nil {
		return nil, err
	}
	known := map[string]*Project{} // not by ID: two folders may have the same one, and are refused by it then
	add := func(host, folder string) *Project {
		key := host + "\x00" + folder
		if known[key] == nil {
			name := path.Base(filepath.ToSlash(folder))
			known[key] = &Project{ID: project(host, folder), Name: name, Slug: strings.ToLower(strings.ReplaceAll(name, " ", "-")), Path: folder, Host: host}
		}
		return known[key]
	}
	for _, a := range s.Agents {
		if a.Cwd == "" {
			continue
		}
		p := add(a.Host, a.Cwd)
		if a.Alive() {
			p.Agents++
		}
		if seen := a.Seen; p.LastUsed == nil || seen.After(*p.LastUsed) {
			p.LastUsed = &seen
		}
		p.Create = p.Create || len(assistants) > 0 && a.Host == assistants[0].Host
	}
	for _, who := range assistants {
		if who.Cwd != "" {
			p := add(who.Host, who.Cwd)
			p.Create, p.assistant = true, who.Name
		}
	}
	list := make([]Project, 0, len(known))
	for _, p := range known {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Project) int {
		return cmp.Or(used(b).Compare(used(a)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Host, b.Host))
	})
	return list, nil
}

func used(p Project) (t time.Time) {
	if p.LastUsed != nil {
		t = *p.LastUsed
	}
	return t
}

// projects answers with a bare list, because the original does.
func (c *call) projects() error {
	if err := c.parameters(); err != nil {
		return err
	}
	list, err := c.allProjects()
	if err != nil {
		return err
	}
	return httpd.JSON(c.w, http.StatusOK, list)
}

// personas are the assistants, in the words of this wire.
func (c *call) personas() error {
	if err := c.parameters(); err != nil {
		return err
	}
	assistants, err := c.desk().Assistants(c.r.Context())
	if err != nil {
		return err
	}
	list := []map[string]any{}
	for _, who := range assistants {
		list = append(list, map[string]any{"slug": who.Name, "name": who.Name, "role": who.Kind, "description": who.About})
	}
	return httpd.JSON(c.w, http.StatusOK, list)
}

// recapture answers clients that ask for the options of a permission once more. nod
// has them from the agent itself, so there is nothing to read from a screen again.
func (c *agentCall) recapture() error {
	open := c.now.open(c.agent.ID)
	if len(open) == 0 {
		return c.notWaiting()
	}
	t := questionTurn(open[0], c.say)
	c.heard.note(c.listener(), c.agent.ID, open[0].ID)
	return c.answerWith(http.StatusOK, c.asked(open[0], c.name), c.naming(c.agent, map[string]any{
		"recaptured": false, "already_present": true, "turn_id": t.ID, "question_options": t.Options, "question_text": t.Question, "tool_input": t.Input,
	}))
}

// download hands out an uploaded file. What a person sent may be anything, so a
// browser shows pictures only and runs nothing.
func (s *Surface) download(w http.ResponseWriter, r *http.Request) error {
	a, err := s.Files.Find(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	f, err := os.Open(a.Path)
	if err != nil {
		return nod.Errorf(nod.NotFound, "the file is no longer kept").Because(err)
	}
	defer func() { _ = f.Close() }()
	meta := metadataOf(a)
	shown, kind := "attachment", "application/octet-stream"
	if meta.Type == "image" && meta.MIME != "image/svg+xml" {
		shown, kind = "inline", meta.MIME
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType(shown, map[string]string{"filename": a.Name}))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}

// toApp leads from the original's page to nod's own.
func toApp(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, "/agents", http.StatusFound)
	return nil
}

// notHere answers what the original can do and nod cannot, or does elsewhere.
func notHere(what string) func(*call) error {
	return func(c *call) error {
		return &problem{
			error: nod.Errorf(nod.Unprocessable, "%s", what), status: http.StatusNotImplemented, word: "not_implemented",
			voice: Voice{Status: c.say.Say(words.VoiceNotHere), Next: c.say.Say(words.VoiceItsOwn)},
		}
	}
}
