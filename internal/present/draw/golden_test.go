package draw

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/present/words"
)

var update = flag.Bool("update", false, "draw the golden pictures anew")

var (
	noon      = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	languages = map[string]words.Lang{"en": words.English, "pl": words.Polish, "ja": words.Japanese}
)

// picture is a scene to look at: what is known, and what was pressed to get there.
type picture struct {
	world   World
	presses string // of C
	hold    float64
	lost    bool
}

func agentRef(name, host string) nod.AgentRef {
	return nod.AgentRef{ID: nod.AgentID("agent-" + name), Name: name, Host: host, Cwd: "/home/anna/" + name, Kind: "claude"}
}

func ask(id, text string, risk *nod.Risk) *nod.Request {
	until := noon.Add(105 * time.Second)
	return &nod.Request{
		ID: nod.RequestID(id), Agent: agentRef("shop", "desk"), Kind: nod.KindApproval, Tool: "Bash", Title: text, Display: text,
		Risk: risk, OneTap: true, CanAlways: true, Status: nod.Pending, AskedAt: noon.Add(-15 * time.Second), ExpiresAt: &until,
		Options: []nod.Option{
			{ID: "r1", Kind: nod.OptionAlways, Label: "Bash(npm install:*)", Detail: "localSettings"},
			{ID: "l1", Kind: nod.OptionLease, Label: "npm install", Rules: []string{"Bash(npm install:*)"}},
		},
	}
}

func databaseQuestion() *nod.Request {
	return &nod.Request{
		ID: "q1", Agent: agentRef("docs", "laptop"), Kind: nod.KindQuestion, Title: "Which database?", OneTap: true, Status: nod.Pending, AskedAt: noon,
		Questions: []nod.Question{{
			Text: "Which database should the new service use? Tests run against it too.", Header: "Database", FreeText: true,
			Choices: []nod.Choice{{Label: "SQLite", Description: "one file"}, {Label: "PostgreSQL", Description: "a server of its own"}, {Label: "MySQL"}},
		}},
	}
}

func world(rs ...*nod.Request) World {
	until := noon.Add(2 * time.Hour)
	return World{
		Now: noon, Size: M5Stack, Address: "http://desk.local:8742", Rights: nod.RightsOf(nod.View, nod.Answering),
		Snapshot: nod.Snapshot{Requests: rs, Agents: []*nod.Agent{
			{ID: "a", Name: "shop", Host: "desk", State: nod.AgentWorking, Tool: "Bash: npm test"},
			{ID: "b", Name: "docs", Host: "laptop", State: nod.AgentWorking, Tool: "Edit: guide.md"},
			{ID: "c", Name: "infra", Host: "server", State: nod.AgentLimited, Until: &until},
			{ID: "d", Name: "old", State: nod.AgentEnded},
		}},
	}
}

const longCommand = "find . -name '*.log' -mtime +30 -print0 | xargs -0 tar czf /backup/logs-2026-03-01.tar.gz && find . -name '*.log' -mtime +30 -delete && " +
	"rsync -av --delete /backup/ backup@nas.local:/volume1/backup/ && curl -fsS -X POST https://status.example.com/hooks/backup -d '{\"state\":\"done\"}' && echo finished; " +
	"git -C /home/anna/shop push --force origin main # the end is where it hurts"

func pictures() map[string]picture {
	destructive := ask("d1", "rm -rf ~/photos\u200b && echo done", &nod.Risk{Level: "destructive", Reason: "deletes files below ~/photos"})
	first := ask("r1", "npm install --save-dev prettier", &nod.Risk{Level: "network", Reason: "downloads packages"})
	long := ask("r2", longCommand, &nod.Risk{Level: "unknown", Reason: "parts are known only when run"})
	edit := ask("e1", "src/cart.ts\n\n- const total = sum(items)\n+ const total = sum(items) * (1 + tax)\n+ log(total)\n", &nod.Risk{Level: "write", Reason: "inside the project"})
	edit.Tool, edit.Agent, edit.ExpiresAt, edit.Options = "Edit", agentRef("カート係", "デスク"), nil, nil
	japanese := ask("j1", "git commit -m '消費税の計算を直す。テストも追加'", &nod.Risk{Level: "write", Reason: "inside the project"})
	plan := &nod.Request{ID: "p1", Agent: agentRef("infra", "server"), Kind: nod.KindPlan, Title: "Move the cache to Redis", Status: nod.Pending, AskedAt: noon}
	quiet := world()
	idle := world()
	idle.Snapshot.Agents = nil
	told := world()
	told.Note = &Note{Mood: Good, Title: "shop", Text: "All 214 tests pass. The tax is now part of the total, and rounding happens once at the end.", Who: "desk"}
	late := world(first)
	late.Note = &Note{Mood: Bad, Title: "x"}
	looking := world(first)
	looking.Rights = nod.RightsOf(nod.View)
	sending := world(first)
	sending.Sending = first.ID
	soon := world(first, edit, databaseQuestion())
	soon.Now = noon.Add(97 * time.Second)
	return map[string]picture{
		"waiting":      {world: quiet},
		"waiting-none": {world: idle},
		"request":      {world: world(first, edit, databaseQuestion())},
		"request-soon": {world: soon},
		"destructive":  {world: world(destructive)},
		"held":         {world: world(destructive), hold: .6},
		"long":         {world: world(long)},
		"long-end":     {world: world(long), presses: "C"},
		"edit":         {world: world(edit)},
		"japanese":     {world: world(japanese)},
		"always":       {world: world(first), presses: "C"},
		"lease":        {world: world(first), presses: "CC"},
		"question":     {world: world(databaseQuestion()), presses: "C"},
		"open":         {world: world(plan)},
		"note":         {world: told},
		"denied":       {world: late},
		"view-only":    {world: looking},
		"sending":      {world: sending},
		"lost":         {world: quiet, lost: true},
	}
}

func (p picture) scene(l words.Lang) Scene {
	w := p.world
	w.Say = words.In(l)
	if p.lost {
		return Disconnected(w.Say, w.Size, w.Address)
	}
	if w.Note != nil {
		n := *w.Note
		n.Title = w.Say.Say(words.PushFinished, n.Title)
		if n.Mood == Bad {
			n = Note{Mood: Bad, Title: w.Say.Say(words.DeviceDenied), Text: "npm install --save-dev prettier", Who: w.Say.Say(words.DeviceWasFirst, "anna", "web")}
		}
		w.Note = &n
	}
	s, _ := Present(w, Cursor{})
	for range p.presses {
		if to := s.Press(C, false).Move; to != nil { // on a smaller screen there may be nowhere to go
			s, _ = Present(w, *to)
		}
	}
	return s
}

// The screens, as people see them. Look at the files in testdata when one
// changes: they are the documentation.
func TestGoldenPictures(t *testing.T) {
	for name, p := range pictures() {
		for lang, l := range languages {
			t.Run(name+"."+lang, func(t *testing.T) { compare(t, name+"."+lang+".png", Paint(p.scene(l), p.hold)) })
		}
	}
	drawn, _ := filepath.Glob("testdata/*.png")
	for _, file := range drawn {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		if _, ok := pictures()[name]; !ok {
			t.Errorf("%s is no picture of this test any more", file)
		}
	}
}

// The pictures in the documentation are these, twice as large.
func TestTheDocumentationShowsWhatIsDrawn(t *testing.T) {
	for file, name := range map[string]string{"m5stack-request.png": "request", "m5stack-hold.png": "held"} {
		p := pictures()[name]
		one := Paint(p.scene(words.English), p.hold)
		two := newPicture(Size{2 * one.Rect.Dx(), 2 * one.Rect.Dy()})
		for i := range two.Pix {
			two.Pix[i] = one.ColorIndexAt(i%two.Stride/2, i/two.Stride/2)
		}
		compare(t, filepath.Join("..", "..", "..", "..", "docs", "images", file), two)
	}
}

// compare holds a picture against a file in testdata.
func compare(t *testing.T, name string, got Picture) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		var out bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, slim(got.cut(got.Rect))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s is %v large, want %v", name, got.Bounds(), want.Bounds())
	}
	if n := differing(want, got); n > 0 {
		t.Errorf("%s: %d pixels differ; look at it, then run with -update", name, n)
	}
}

func differing(a, b image.Image) int {
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 {
				n++
			}
		}
	}
	return n
}
