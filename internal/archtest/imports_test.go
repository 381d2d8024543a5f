// Package archtest holds the laws of the house as tests. Change a law here and
// in ARCHITECTURE.md together.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// room says what a package may import of the house, and what of the outside
// world it must not. Names are below nod/internal; "nod" is the dictionary.
type room struct {
	may   []string // rooms of the house
	never []string // packages of the standard library and others, with what is below them
}

var (
	io_   = []string{"net", "os", "io", "database/sql", "log"}
	rules = []string{"net", "os", "database/sql", "net/http"}
	sql   = []string{"database/sql"}
	run   = []string{"os/exec"}
)

// rooms is the plan. A package that is not in it fails the test: put it there.
var rooms = map[string]room{
	"nod":                     {never: append(io_, "sync", "context")},
	"shell":                   {never: append(io_, "os/exec")},
	"policy":                  {may: []string{"nod", "shell"}, never: append(io_, "os/exec")},
	"render":                  {may: []string{"nod"}, never: append(append(io_, "os/exec", "regexp"), "github.com")},
	"hub":                     {may: []string{"nod", "pause"}, never: append(rules, run...)},
	"auth":                    {may: []string{"nod"}, never: append(sql, run...)},
	"httpd":                   {may: []string{"nod", "auth"}, never: append(sql, run...)},
	"attachment":              {may: []string{"nod"}, never: append(append(sql, "net"), run...)},
	"certs":                   {may: []string{"nod", "pause", "replace"}, never: append(sql, run...)},
	"tmux":                    {never: append(sql, "net")},
	"pty":                     {never: append(append(sql, "net"), "github.com")},
	"run":                     {may: []string{"nod", "peer", "pty", "pause"}, never: append(sql, "net/http")},
	"claudecode/screen":       {never: append(io_, "os/exec")},
	"driver/tmux":             {may: []string{"nod", "hub", "claudecode", "claudecode/screen", "run", "tmux", "pause"}, never: append(append(sql, "net"), run...)},
	"peer":                    {never: append(append(sql, "net/http"), run...)},
	"push":                    {never: append(sql, run...)},
	"passkey":                 {may: []string{"nod"}, never: append(sql, run...)},
	"passkey/sliptest":        {may: []string{"nod", "passkey"}, never: append(append(sql, "net"), run...)},
	"store/mem":               {may: []string{"nod", "hub", "auth", "push", "passkey"}, never: []string{"net"}},
	"store/sqlite":            {may: []string{"nod", "hub", "auth", "push", "passkey"}, never: []string{"net/http"}},
	"store/storetest":         {may: []string{"nod", "hub", "auth", "push", "passkey"}, never: []string{"net"}},
	"ear":                     {may: []string{"nod", "words"}, never: append(append([]string{"sync"}, io_...), "os/exec")},
	"claudecode":              {never: append(append(sql, "net"), run...)},
	"claudecode/settings":     {never: append(append(sql, "net"), run...)},
	"mcp":                     {may: []string{"nod", "pause"}, never: append(append(sql, "os"), run...)},
	"driver/mcp":              {may: []string{"nod", "hub", "httpd", "mcp", "claudecode", "claudecode/asking"}, never: append(append(sql, "os"), run...)},
	"driver/claude":           {may: []string{"nod", "hub", "httpd", "claudecode", "claudecode/asking"}, never: sql},
	"surface/api":             {may: []string{"nod", "hub", "auth", "httpd", "attachment", "render", "advise", "words"}, never: append(sql, run...)},
	"surface/policy":          {may: []string{"nod", "hub", "httpd", "policy"}, never: append(sql, run...)},
	"web":                     {never: append(sql, "net", "os")},
	"surface/passkey":         {may: []string{"nod", "hub", "httpd", "passkey", "words"}, never: append(sql, run...)},
	"surface/trust":           {may: []string{"nod", "httpd", "words"}, never: append(sql, run...)},
	"surface/voicebridge":     {may: []string{"nod", "hub", "httpd", "words", "attachment", "ear", "replace"}, never: append(sql, run...)},
	"converse":                {may: []string{"nod", "hub", "ear", "words"}, never: append(append(sql, "net/http"), run...)},
	"converse/scripted":       {may: []string{"nod", "hub"}, never: append(append(sql, "net"), run...)},
	"converse/doortest":       {may: []string{"nod", "auth", "converse", "converse/scripted", "httpd", "hub", "store/mem", "surface/transcript"}, never: append(sql, run...)},
	"surface/transcript":      {never: append(append(sql, "net"), run...)},
	"surface/brain":           {may: []string{"nod", "hub", "httpd", "words", "ear", "converse"}, never: append(sql, run...)},
	"surface/ollama":          {may: []string{"nod", "hub", "httpd", "converse"}, never: append(sql, run...)},
	"surface/openai":          {may: []string{"nod", "hub", "httpd", "converse"}, never: append(sql, run...)},
	"claudecode/asking":       {may: []string{"nod", "claudecode"}, never: append(io_, "os/exec")},
	"claudecode/stdio":        {may: []string{"claudecode"}, never: append(sql, "net")},
	"driver/headless":         {may: []string{"nod", "hub", "words", "claudecode", "claudecode/asking", "claudecode/stdio", "peer", "pause", "replace"}, never: append(sql, "net")},
	"advise":                  {may: []string{"nod", "words"}, never: append(append([]string{}, io_...), "os/exec")},
	"draw":                    {may: []string{"nod", "words"}, never: append(io_, "os/exec")},
	"surface/screen":          {may: []string{"nod", "hub", "advise", "httpd", "draw", "words"}, never: append(sql, run...)},
	"apns":                    {never: append(sql, run...)},
	"surface/relay":           {may: []string{"nod", "hub", "auth", "httpd", "push", "words", "pause", "replace"}, never: append(sql, run...)},
	"esphome":                 {may: []string{"nod", "draw", "words"}, never: append(append(sql, "os", "net/http"), run...)},
	"mdns":                    {may: []string{"nod"}, never: append(append(sql, "net/http"), run...)},
	"surface/relaypeer":       {may: []string{"nod", "hub", "words", "mdns", "pause"}, never: append(sql, run...)},
	"surface/relaypeer/esp32": {never: append(sql, run...)},
	"notify":                  {may: []string{"nod", "push", "words"}, never: append(append([]string{}, io_...), "os/exec")},
	"notify/channel":          {may: []string{"nod", "notify", "pause"}, never: sql},
	"surface/notify":          {may: []string{"nod", "hub", "httpd", "notify", "words", "pause", "replace"}, never: append(sql, run...)},
	"draw/icon":               {may: []string{"nod"}, never: append(append(sql, "net/http"), run...)},
	"surface/keyboard":        {may: []string{"nod", "hub", "httpd", "words", "replace"}, never: append(sql, run...)},
	"surface/keyboard/board":  {never: append(sql, run...)},
	"hass/fakehass":           {never: append(sql, run...)},
	"store/pgtest":            {never: []string{"net/http"}},
	"archive":                 {may: []string{"nod", "hub", "auth", "push", "passkey"}, never: append(append(sql, "net"), run...)},
	"advise/model":            {may: []string{"advise", "claudecode"}, never: append(sql, "net")},
	"applescript":             {never: append(sql, "net")},
	"mqttd/mosquitto":         {never: sql},
	"mqttd":                   {may: []string{"nod", "pause"}, never: append(sql, run...)},
	"puck":                    {may: []string{"nod", "words"}, never: append(append([]string{}, io_...), "os/exec")},
	"puck/attend":             {may: []string{"nod", "hub", "converse", "ear", "puck", "words"}, never: append(append(sql, "net/http"), run...)},
	"hass":                    {may: []string{"nod", "pause"}, never: append(sql, run...)},
	"hasskit":                 {may: []string{"nod", "puck", "words"}, never: append(append(sql, "net"), run...)},
	"surface/voicepe":         {may: []string{"nod", "hub", "converse", "ear", "mqttd", "puck", "puck/attend", "words", "pause"}, never: append(sql, run...)},
	"surface/entities":        {may: []string{"nod", "hub", "advise", "mqttd", "words", "pause"}, never: append(sql, run...)},
	"surface/homeassistant":   {may: []string{"nod", "hub", "converse", "ear", "hass", "puck", "puck/attend", "words", "pause", "replace"}, never: append(sql, run...)},
	"surface/wyoming":         {may: []string{"nod", "hub", "converse", "ear", "words", "pause"}, never: append(sql, run...)},
	"linkwire":                {may: []string{"nod"}, never: append(append([]string{"sync", "context"}, io_...), "os/exec")},
	"driver/link":             {may: []string{"linkwire", "nod", "hub", "httpd", "pause"}, never: append(sql, run...)},
	"surface/uplink":          {may: []string{"linkwire", "nod", "hub", "pause", "replace"}, never: append(append(sql, "net"), run...)},
	"surface/metrics":         {may: []string{"nod", "hub", "httpd", "pause"}, never: append(sql, run...)},
	"surface/puck":            {may: []string{"nod", "hub", "httpd", "converse", "ear", "puck", "puck/attend", "words"}, never: append(sql, run...)},
	"store/postgres":          {may: []string{"nod", "hub", "auth", "push", "passkey", "pause"}, never: []string{"net/http"}},
	"surface/webapp":          {may: []string{"nod", "httpd", "words", "web"}, never: append(sql, run...)},
	"driver/demo":             {may: []string{"nod", "hub", "words", "pause"}, never: append(rules, run...)},
	"surface/push":            {may: []string{"nod", "hub", "advise", "auth", "httpd", "push", "words", "pause"}, never: append(sql, run...)},
	// The hook is started at every step of an agent: it links nothing it does not need.
	"hook":     {may: []string{"claudecode"}, never: append(sql, "regexp", "html", "text/template", "github.com", "charm.land")},
	"client":   {may: []string{"nod"}, never: append(sql, run...)},
	"words":    {may: []string{"nod"}, never: []string{"net", "database/sql", "os"}},
	"cli":      {may: []string{"nod", "client", "words", "esphome", "draw/icon", "hasskit", "pause"}, never: append(sql, run...)},
	"config":   {may: []string{"nod", "replace"}, never: append(append(sql, "net/http"), run...)},
	"app":      {may: []string{"linkwire", "nod", "archive", "advise/model", "applescript", "driver/mcp", "attachment", "hub", "auth", "httpd", "peer", "policy", "push", "config", "store/sqlite", "driver/claude", "surface/api", "surface/policy", "surface/push", "surface/webapp", "surface/voicebridge", "surface/trust", "surface/passkey", "passkey", "push", "certs", "driver/demo", "driver/tmux", "store/mem", "converse", "driver/headless", "surface/brain", "surface/ollama", "surface/openai", "surface/screen", "surface/relay", "apns", "words", "mdns", "surface/relaypeer", "notify", "notify/channel", "surface/notify", "advise", "draw/icon", "surface/keyboard", "mqttd", "hass", "surface/voicepe", "surface/entities", "surface/homeassistant", "surface/wyoming", "surface/puck", "puck/attend", "store/postgres", "client", "driver/link", "surface/uplink", "surface/metrics"}, never: sql},
	"machine":  {may: []string{"nod", "archive", "mcp", "app", "certs", "cli", "client", "config", "hook", "words", "claudecode", "claudecode/settings", "httpd", "peer", "policy", "pty", "run", "hass", "mqttd", "pause", "replace"}, never: sql},
	"cmd/nod":  {may: []string{"cli", "machine"}},
	"archtest": {},
	// What every room may need and none is about: the standard library alone.
	"pause":   {never: append(io_, "os/exec", "github.com", "golang.org")},
	"replace": {never: append(append(sql, "net", "github.com", "golang.org"), run...)},
}

type listed struct {
	ImportPath string
	Imports    []string
}

// listPackages asks the go command, which knows build tags better than we do.
func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "nod/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// name is how the plan calls a package of ours; ok is false for others.
func name(path string) (string, bool) {
	if path == "nod" {
		return path, true
	}
	if rest, ok := strings.CutPrefix(path, "nod/internal/"); ok {
		return rest, true
	}
	return strings.CutPrefix(path, "nod/")
}

func TestEveryRoomKeepsToThePlan(t *testing.T) {
	for _, p := range listPackages(t) {
		us, _ := name(p.ImportPath)
		if strings.HasPrefix(us, "e2e") {
			continue // tests may look at everything
		}
		r, planned := rooms[us]
		if !planned {
			t.Errorf("%s is not in the plan of the house", us)
			continue
		}
		for _, imported := range p.Imports {
			if room, ours := name(imported); ours {
				if !slices.Contains(r.may, room) {
					t.Errorf("%s must not know %s", us, room)
				}
				continue
			}
			for _, never := range r.never {
				if imported == never || strings.HasPrefix(imported, never+"/") {
					t.Errorf("%s must not touch %s", us, imported)
				}
			}
		}
	}
}

func TestNoAdapterKnowsAnother(t *testing.T) {
	adapter := func(room string) bool {
		return strings.HasPrefix(room, "driver/") || strings.HasPrefix(room, "surface/") || strings.HasPrefix(room, "store/")
	}
	for us, r := range rooms {
		if !adapter(us) {
			continue
		}
		for _, other := range r.may {
			if adapter(other) {
				t.Errorf("the plan lets %s know %s", us, other)
			}
		}
	}
}
