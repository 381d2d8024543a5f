// Package archtest holds the laws of the house as tests. Change a law here and
// in ARCHITECTURE.md together.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rule says what a package may import of the house, and what of the outside
// world it must not. Names are below nod/internal; "nod" is the dictionary.
type rule struct {
	may   []string // rooms of the house
	never []string // packages of the standard library and others, with what is below them
}

var (
	io_   = []string{"net", "os", "io", "database/sql", "log"}
	rules = []string{"net", "os", "database/sql", "net/http"}
	sql   = []string{"database/sql"}
	run   = []string{"os/exec"}
)

// plan is the plan. A package that is not in it fails the test: put it there.
var plan = map[string]rule{
	"nod":                           {never: append(io_, "sync", "context")},
	"judge/shell":                   {never: append(io_, "os/exec")},
	"judge/policy":                  {may: []string{"nod", "judge/shell"}, never: append(io_, "os/exec")},
	"present/render":                {may: []string{"nod"}, never: append(append(io_, "os/exec", "regexp"), "github.com")},
	"hub":                           {may: []string{"nod", "sys/pause"}, never: append(rules, run...)},
	"net/auth":                      {may: []string{"nod"}, never: append(sql, run...)},
	"net/httpd":                     {may: []string{"nod", "net/auth"}, never: append(sql, run...)},
	"hub/attachment":                {may: []string{"nod"}, never: append(append(sql, "net"), run...)},
	"net/certs":                     {may: []string{"nod", "sys/pause", "sys/replace"}, never: append(sql, run...)},
	"agent/terminal/tmux":           {never: append(sql, "net")},
	"agent/terminal/pty":            {never: append(append(sql, "net"), "github.com")},
	"agent/terminal/run":            {may: []string{"nod", "sys/peer", "agent/terminal/pty", "sys/pause"}, never: append(sql, "net/http")},
	"agent/claude/screen":           {never: append(io_, "os/exec")},
	"agent/terminal":                {may: []string{"nod", "hub", "agent/claude/wire", "agent/claude/screen", "agent/terminal/run", "agent/terminal/tmux", "sys/pause"}, never: append(append(sql, "net"), run...)},
	"sys/peer":                      {never: append(append(sql, "net/http"), run...)},
	"net/push":                      {never: append(sql, run...)},
	"net/passkey":                   {may: []string{"nod"}, never: append(sql, run...)},
	"net/passkey/sliptest":          {may: []string{"nod", "net/passkey"}, never: append(append(sql, "net"), run...)},
	"hub/store/mem":                 {may: []string{"nod", "hub", "net/auth", "net/push", "net/passkey"}, never: []string{"net"}},
	"hub/store/sqlite":              {may: []string{"nod", "hub", "net/auth", "net/push", "net/passkey"}, never: []string{"net/http"}},
	"hub/store/storetest":           {may: []string{"nod", "hub", "net/auth", "net/push", "net/passkey"}, never: []string{"net"}},
	"present/ear":                   {may: []string{"nod", "present/words"}, never: append(append([]string{"sync"}, io_...), "os/exec")},
	"agent/claude/wire":             {never: append(append(sql, "net"), run...)},
	"agent/claude/settings":         {never: append(append(sql, "net"), run...)},
	"agent/mcp/server":              {may: []string{"nod", "sys/pause"}, never: append(append(sql, "os"), run...)},
	"agent/mcp":                     {may: []string{"nod", "hub", "net/httpd", "agent/mcp/server", "agent/claude/wire", "agent/claude/asking"}, never: append(append(sql, "os"), run...)},
	"agent/claude":                  {may: []string{"nod", "hub", "net/httpd", "agent/claude/wire", "agent/claude/asking"}, never: sql},
	"surface/api":                   {may: []string{"nod", "hub", "net/auth", "net/httpd", "hub/attachment", "present/render", "present/advise", "present/words"}, never: append(sql, run...)},
	"surface/policy":                {may: []string{"nod", "hub", "net/httpd", "judge/policy"}, never: append(sql, run...)},
	"web":                           {never: append(sql, "net", "os")},
	"surface/passkey":               {may: []string{"nod", "hub", "net/httpd", "net/passkey", "present/words"}, never: append(sql, run...)},
	"surface/trust":                 {may: []string{"nod", "net/httpd", "present/words"}, never: append(sql, run...)},
	"surface/voicebridge":           {may: []string{"nod", "hub", "net/httpd", "present/words", "hub/attachment", "present/ear", "sys/replace"}, never: append(sql, run...)},
	"talk":                          {may: []string{"nod", "hub", "present/ear", "present/words"}, never: append(append(sql, "net/http"), run...)},
	"talk/scripted":                 {may: []string{"nod", "hub"}, never: append(append(sql, "net"), run...)},
	"talk/doortest":                 {may: []string{"nod", "net/auth", "talk", "talk/scripted", "net/httpd", "hub", "hub/store/mem", "surface/transcript"}, never: append(sql, run...)},
	"surface/transcript":            {never: append(append(sql, "net"), run...)},
	"surface/brain":                 {may: []string{"nod", "hub", "net/httpd", "present/words", "present/ear", "talk"}, never: append(sql, run...)},
	"surface/ollama":                {may: []string{"nod", "hub", "net/httpd", "talk"}, never: append(sql, run...)},
	"surface/openai":                {may: []string{"nod", "hub", "net/httpd", "talk"}, never: append(sql, run...)},
	"agent/claude/asking":           {may: []string{"nod", "agent/claude/wire"}, never: append(io_, "os/exec")},
	"agent/claude/stdio":            {may: []string{"agent/claude/wire"}, never: append(sql, "net")},
	"agent/headless":                {may: []string{"nod", "hub", "present/words", "agent/claude/wire", "agent/claude/asking", "agent/claude/stdio", "sys/peer", "sys/pause", "sys/replace"}, never: append(sql, "net")},
	"present/advise":                {may: []string{"nod", "present/words"}, never: append(append([]string{}, io_...), "os/exec")},
	"present/draw":                  {may: []string{"nod", "present/words"}, never: append(io_, "os/exec")},
	"surface/screen":                {may: []string{"nod", "hub", "present/advise", "net/httpd", "present/draw", "present/words"}, never: append(sql, run...)},
	"net/apns":                      {never: append(sql, run...)},
	"surface/relay":                 {may: []string{"nod", "hub", "net/auth", "net/httpd", "net/push", "present/words", "sys/pause", "sys/replace"}, never: append(sql, run...)},
	"present/esphome":               {may: []string{"nod", "present/draw", "present/words"}, never: append(append(sql, "os", "net/http"), run...)},
	"net/mdns":                      {may: []string{"nod"}, never: append(append(sql, "net/http"), run...)},
	"surface/relaypeer":             {may: []string{"nod", "hub", "present/words", "net/mdns", "sys/pause"}, never: append(sql, run...)},
	"surface/relaypeer/esp32":       {never: append(sql, run...)},
	"net/notify":                    {may: []string{"nod", "net/push", "present/words"}, never: append(append([]string{}, io_...), "os/exec")},
	"net/notify/channel":            {may: []string{"nod", "net/notify", "sys/pause"}, never: sql},
	"surface/notify":                {may: []string{"nod", "hub", "net/httpd", "net/notify", "present/words", "sys/pause", "sys/replace"}, never: append(sql, run...)},
	"present/draw/icon":             {may: []string{"nod"}, never: append(append(sql, "net/http"), run...)},
	"surface/keyboard":              {may: []string{"nod", "hub", "net/httpd", "present/words", "sys/replace"}, never: append(sql, run...)},
	"surface/keyboard/fakekeyboard": {never: append(sql, run...)},
	"net/hass/fakehass":             {never: append(sql, run...)},
	"hub/store/pgtest":              {never: []string{"net/http"}},
	"hub/archive":                   {may: []string{"nod", "hub", "net/auth", "net/push", "net/passkey"}, never: append(append(sql, "net"), run...)},
	"present/advise/model":          {may: []string{"present/advise", "agent/claude/wire"}, never: append(sql, "net")},
	"sys/applescript":               {never: append(sql, "net")},
	"net/mqttd/mosquitto":           {never: sql},
	"net/mqttd":                     {may: []string{"nod", "sys/pause"}, never: append(sql, run...)},
	"present/puck":                  {may: []string{"nod", "present/words"}, never: append(append([]string{}, io_...), "os/exec")},
	"present/puck/attend":           {may: []string{"nod", "hub", "talk", "present/ear", "present/puck", "present/words"}, never: append(append(sql, "net/http"), run...)},
	"net/hass":                      {may: []string{"nod", "sys/pause"}, never: append(sql, run...)},
	"present/hasskit":               {may: []string{"nod", "present/puck", "present/words"}, never: append(append(sql, "net"), run...)},
	"surface/voicepe":               {may: []string{"nod", "hub", "talk", "present/ear", "net/mqttd", "present/puck", "present/puck/attend", "present/words", "sys/pause"}, never: append(sql, run...)},
	"surface/entities":              {may: []string{"nod", "hub", "present/advise", "net/mqttd", "present/words", "sys/pause"}, never: append(sql, run...)},
	"surface/homeassistant":         {may: []string{"nod", "hub", "talk", "present/ear", "net/hass", "present/puck", "present/puck/attend", "present/words", "sys/pause", "sys/replace"}, never: append(sql, run...)},
	"surface/wyoming":               {may: []string{"nod", "hub", "talk", "present/ear", "present/words", "sys/pause"}, never: append(sql, run...)},
	"agent/link/wire":               {may: []string{"nod"}, never: append(append([]string{"sync", "context"}, io_...), "os/exec")},
	"agent/link":                    {may: []string{"agent/link/wire", "nod", "hub", "net/httpd", "sys/pause"}, never: append(sql, run...)},
	"surface/uplink":                {may: []string{"agent/link/wire", "nod", "hub", "sys/pause", "sys/replace"}, never: append(append(sql, "net"), run...)},
	"surface/metrics":               {may: []string{"nod", "hub", "net/httpd", "sys/pause"}, never: append(sql, run...)},
	"surface/puck":                  {may: []string{"nod", "hub", "net/httpd", "talk", "present/ear", "present/puck", "present/puck/attend", "present/words"}, never: append(sql, run...)},
	"hub/store/postgres":            {may: []string{"nod", "hub", "net/auth", "net/push", "net/passkey", "sys/pause"}, never: []string{"net/http"}},
	"surface/webapp":                {may: []string{"nod", "net/httpd", "present/words", "web"}, never: append(sql, run...)},
	"agent/demo":                    {may: []string{"nod", "hub", "present/words", "sys/pause"}, never: append(rules, run...)},
	"surface/push":                  {may: []string{"nod", "hub", "present/advise", "net/auth", "net/httpd", "net/push", "present/words", "sys/pause"}, never: append(sql, run...)},
	// The hook is started at every step of an agent: it links nothing it does not need.
	"hook":          {may: []string{"agent/claude/wire"}, never: append(sql, "regexp", "html", "text/template", "github.com", "charm.land")},
	"client":        {may: []string{"nod"}, never: append(sql, run...)},
	"present/words": {may: []string{"nod"}, never: []string{"net", "database/sql", "os"}},
	"cli":           {may: []string{"nod", "client", "present/words", "present/esphome", "present/draw/icon", "present/hasskit", "sys/pause"}, never: append(sql, run...)},
	"config":        {may: []string{"nod", "sys/replace"}, never: append(append(sql, "net/http"), run...)},
	"app":           {may: []string{"agent/link/wire", "nod", "hub/archive", "present/advise/model", "sys/applescript", "agent/mcp", "hub/attachment", "hub", "net/auth", "net/httpd", "sys/peer", "judge/policy", "net/push", "config", "hub/store/sqlite", "agent/claude", "surface/api", "surface/policy", "surface/push", "surface/webapp", "surface/voicebridge", "surface/trust", "surface/passkey", "net/passkey", "net/push", "net/certs", "agent/demo", "agent/terminal", "hub/store/mem", "talk", "agent/headless", "surface/brain", "surface/ollama", "surface/openai", "surface/screen", "surface/relay", "net/apns", "present/words", "net/mdns", "surface/relaypeer", "net/notify", "net/notify/channel", "surface/notify", "present/advise", "present/draw/icon", "surface/keyboard", "net/mqttd", "net/hass", "surface/voicepe", "surface/entities", "surface/homeassistant", "surface/wyoming", "surface/puck", "present/puck/attend", "hub/store/postgres", "client", "agent/link", "surface/uplink", "surface/metrics"}, never: sql},
	"machine":       {may: []string{"nod", "hub/archive", "agent/mcp/server", "app", "net/certs", "cli", "client", "config", "hook", "present/words", "agent/claude/wire", "agent/claude/settings", "net/httpd", "sys/peer", "judge/policy", "agent/terminal/pty", "agent/terminal/run", "net/hass", "net/mqttd", "sys/pause", "sys/replace"}, never: sql},
	"cmd/nod":       {may: []string{"cli", "machine"}},
	"archtest":      {},
	// What every room may need and none is about: the standard library alone.
	"sys/pause":   {never: append(io_, "os/exec", "github.com", "golang.org")},
	"sys/replace": {never: append(append(sql, "net", "github.com", "golang.org"), run...)},
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
		r, planned := plan[us]
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
	adapter := regexp.MustCompile(`^(agent|surface)/[^/]+$|^hub/store/`).MatchString
	for us, r := range plan {
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
