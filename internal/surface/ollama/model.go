package ollama

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"nod"
	"nod/internal/net/httpd"
)

// spoken is the version of Ollama's interface that is served here. Programs compare it
// with what they need.
const spoken = "0.12.6"

func (c *call) version() error {
	return httpd.JSON(c.w, http.StatusOK, map[string]string{"version": spoken, "nod": c.Version})
}

// model is an assistant in the list of models.
type model struct {
	Name     string     `json:"name"`
	Model    string     `json:"model"`
	Modified *time.Time `json:"modified_at,omitempty"`
	Size     int64      `json:"size"`
	Digest   string     `json:"digest"`
	Details  details    `json:"details"`
	// of one that runs
	Expires *time.Time `json:"expires_at,omitempty"`
	VRAM    *int64     `json:"size_vram,omitempty"`
}

type details struct {
	Parent       string   `json:"parent_model"`
	Format       string   `json:"format"`
	Family       string   `json:"family"`
	Families     []string `json:"families"`
	Parameters   string   `json:"parameter_size"`
	Quantization string   `json:"quantization_level"`
}

// latest is the tag of a name that has none.
const latest = ":latest"

func describe(a nod.Assistant) model {
	sum := sha256.Sum256([]byte("nod assistant " + a.Name + "\n" + a.Kind + "\n" + a.Model))
	return model{
		Name: a.Name + latest, Model: a.Name + latest, Digest: hex.EncodeToString(sum[:]),
		Details: details{Parent: a.Model, Format: "nod", Family: a.Kind, Families: []string{a.Kind}},
	}
}

func (c *call) tags() error {
	assistants, err := c.desk.Assistants(c.r.Context())
	if err != nil {
		return err
	}
	list := []model{}
	for _, a := range assistants {
		m, since := describe(a), c.Started.UTC()
		m.Modified = &since
		list = append(list, m)
	}
	return httpd.JSON(c.w, http.StatusOK, map[string]any{"models": list})
}

// running are the assistants whose program waits for the next question.
func (c *call) running() error {
	assistants, err := c.desk.Assistants(c.r.Context())
	if err != nil {
		return err
	}
	snap, err := c.desk.Snapshot(c.r.Context())
	if err != nil {
		return err
	}
	list := []model{}
	for _, a := range assistants {
		if until, warm := warmUntil(snap.Agents, a.Name, c.Now()); warm {
			m, none := describe(a), int64(0)
			m.Expires, m.VRAM = &until, &none
			list = append(list, m)
		}
	}
	return httpd.JSON(c.w, http.StatusOK, map[string]any{"models": list})
}

// usualWarmth is reported for a conversation that does not end by itself.
const usualWarmth = 5 * time.Minute

func warmUntil(agents []*nod.Agent, assistant string, now time.Time) (until time.Time, warm bool) {
	for _, a := range agents {
		if a.Talk == nil || !a.Talk.Warm || a.Talk.Assistant != assistant {
			continue
		}
		end := now.Add(usualWarmth)
		if a.Talk.Until != nil {
			end = *a.Talk.Until
		}
		if warm = true; end.After(until) {
			until = end
		}
	}
	return until.UTC(), warm
}

// named is the body of a request about one model. Older programs call it name.
type named struct {
	Model  string `json:"model"`
	Name   string `json:"name"`
	Stream *bool  `json:"stream"`
}

func (c *call) named() (nod.Assistant, named, error) {
	var n named
	if err := c.read(&n); err != nil {
		return nod.Assistant{}, n, err
	}
	if n.Model == "" {
		n.Model = n.Name
	}
	a, err := c.assistant(n.Model)
	return a, n, err
}

// assistant finds the assistant that a program calls its model.
func (c *call) assistant(name string) (nod.Assistant, error) {
	assistants, err := c.desk.Assistants(c.r.Context())
	if err != nil {
		return nod.Assistant{}, err
	}
	var names []string
	for _, a := range assistants {
		if strings.TrimSuffix(name, latest) == a.Name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	if name == "" {
		return nod.Assistant{}, nod.Errorf(nod.Invalid, "model is required; there is: %s", strings.Join(names, ", "))
	}
	return nod.Assistant{}, nod.Errorf(nod.NotFound, "model %q not found: nod's models are its assistants. There is: %s", nod.Fold(nod.OneLine(name), 60), strings.Join(names, ", "))
}

func (c *call) show() error {
	a, _, err := c.named()
	if err != nil {
		return err
	}
	m := describe(a)
	return httpd.JSON(c.w, http.StatusOK, map[string]any{
		"modelfile": "# " + a.Name + " is an assistant of nod; its configuration is in nod.toml.\n", "parameters": "", "template": "{{ .Prompt }}",
		"details": m.Details, "modified_at": c.Started.UTC(), "capabilities": []string{"completion"},
		"model_info": map[string]any{"general.architecture": "nod", "general.basename": a.Name, "general.description": a.About},
	})
}

// pull has nothing to fetch: an assistant is configured or not.
func (c *call) pull() error {
	_, n, err := c.named()
	if err != nil {
		return err
	}
	type status struct {
		Status string `json:"status"`
	}
	if n.Stream != nil && !*n.Stream {
		return httpd.JSON(c.w, http.StatusOK, status{"success"})
	}
	c.lines.send(status{"pulling manifest"})
	c.lines.send(status{"success"})
	c.lines.end()
	return nil
}
