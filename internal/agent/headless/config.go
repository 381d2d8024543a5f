package headless

import (
	"path/filepath"
	"strings"
	"time"

	"nod"
)

// Config is the section of conversations without a terminal. See docs/brain.md.
type Config struct {
	Claude string            `toml:"claude"` // path of the program; empty: `claude` on the PATH
	Env    map[string]string `toml:"env"`    // its environment, besides the little that it needs
	Idle   time.Duration     `toml:"idle"`   // how long a program stays warm after its last answer
	Keep   time.Duration     `toml:"keep"`   // how long a conversation can be continued
	Most   int               `toml:"most"`   // how many programs at once; the longest idle one ends first
	Memory int               `toml:"memory"` // megabytes that all of them may use together (Linux); 0: no limit
	Spare  bool              `toml:"spare"`  // keep one program started for the next first question
	Turn   time.Duration     `toml:"turn"`   // how long one answer may take
}

// Assistant is an assistant that people can talk to: who it is, where it works, what it
// may do.
type Assistant struct {
	Name     string               `toml:"name"`     // small letters, digits and dashes
	About    string               `toml:"about"`    // one line for people who choose
	Prompt   string               `toml:"prompt"`   // added to Claude Code's own system prompt
	Cwd      string               `toml:"cwd"`      // where it works; empty: a folder of its own in the data directory
	Model    string               `toml:"model"`    // empty: Claude Code's own choice
	Tools    []string             `toml:"tools"`    // which tools it has; empty: all; `["none"]`: only those of its MCP servers
	Allow    []string             `toml:"allow"`    // what it may do without asking, in Claude Code's own syntax
	Deny     []string             `toml:"deny"`     // what it may never do
	MCP      map[string]MCPServer `toml:"mcp"`      // its MCP servers by name: `url`, `token_file`, `headers`, or `command` and `env`
	Settings []string             `toml:"settings"` // which of Claude Code's settings files it uses: `user`, `project`, `local`; empty: none
	Language string               `toml:"language"` // what it speaks by default: `pl`
	Context  time.Duration        `toml:"context"`  // how long a spoken conversation remembers
}

// MCPServer is something an assistant can use: a program to start, or an address.
type MCPServer struct {
	URL       string            `toml:"url"`
	TokenFile string            `toml:"token_file"` // its first line is sent as a bearer token
	Headers   map[string]string `toml:"headers"`
	Command   []string          `toml:"command"`
	Env       map[string]string `toml:"env"` // its environment, besides the little that it needs
}

// Assistants is the list of them; the first one is the usual.
type Assistants []Assistant

// OrUsual is the list, or without any the one that is always there.
func (list Assistants) OrUsual() Assistants {
	if len(list) == 0 {
		return Assistants{{Name: "claude"}}
	}
	return list
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() {
	*c = Config{Idle: 5 * time.Minute, Keep: 24 * time.Hour, Most: 8, Spare: true, Turn: 10 * time.Minute}
}

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.Idle < time.Second || c.Keep < c.Idle || c.Turn < time.Second {
		return nod.Errorf(nod.Invalid, "headless.idle and headless.turn are at least \"1s\", and headless.keep at least headless.idle")
	}
	if c.Most < 1 || c.Memory < 0 {
		return nod.Errorf(nod.Invalid, "headless.most is at least 1, and headless.memory at least 0")
	}
	return nil
}

// Check refuses what cannot work.
func (list Assistants) Check() error {
	names := map[string]bool{}
	for i, a := range list {
		if err := a.check(); err != nil {
			return nod.Errorf(nod.Invalid, "[[assistant]] number %d: %s", i+1, nod.MessageOf(err))
		}
		if names[a.Name] {
			return nod.Errorf(nod.Invalid, "there are two assistants with the name %q", a.Name)
		}
		names[a.Name] = true
	}
	return nil
}

func (a Assistant) check() error {
	switch {
	case a.Name == "" || len(a.Name) > 40 || strings.Trim(a.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return nod.Errorf(nod.Invalid, "name = %q: a name is made of small letters, digits and dashes, 40 at most", a.Name)
	case a.Cwd != "" && !filepath.IsAbs(a.Cwd):
		return nod.Errorf(nod.Invalid, "cwd = %q is not a whole path", a.Cwd)
	case a.Context < 0 || a.Context > 0 && a.Context < time.Second:
		return nod.Errorf(nod.Invalid, "context is at least \"1s\"")
	}
	for _, s := range a.Settings {
		if s != "user" && s != "project" && s != "local" {
			return nod.Errorf(nod.Invalid, "settings: %q is none of user, project, local", s)
		}
	}
	for name, server := range a.MCP {
		if (server.URL == "") == (len(server.Command) == 0) {
			return nod.Errorf(nod.Invalid, "mcp.%s needs a url or a command, one of them", name)
		}
	}
	return nil
}
