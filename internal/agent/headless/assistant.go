package headless

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nod/internal/agent/claude/wire"
	"nod/internal/sys/replace"
	"nod/internal/sys/secretfile"
)

// noTools is how a list of tools says that there are none.
const noTools = "none"

// args is the command line, as the SDKs write it. Every value is joined to its
// flag, so that none can be taken for another.
func (a *Assistant) args(mcp string, session ...string) []string {
	args := []string{
		"--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-prompt-tool=stdio",
		"--include-partial-messages", "--replay-user-messages", "--strict-mcp-config",
		"--setting-sources=" + strings.Join(a.Settings, ","),
	}
	args = append(args, session...)
	if a.Prompt != "" {
		args = append(args, "--append-system-prompt="+a.Prompt)
	}
	if a.Model != "" {
		args = append(args, "--model="+a.Model)
	}
	if mcp != "" {
		args = append(args, "--mcp-config="+mcp)
	}
	switch {
	case slices.Equal(a.Tools, []string{noTools}):
		args = append(args, "--tools=")
	case len(a.Tools) > 0:
		args = append(args, "--tools="+strings.Join(a.Tools, ","))
	}
	for _, rule := range a.Allow {
		args = append(args, "--allowedTools="+rule)
	}
	for _, rule := range a.Deny {
		args = append(args, "--disallowedTools="+rule)
	}
	return args
}

// find is an assistant by its name.
func (d *Driver) find(name string) (*Assistant, bool) {
	for i := range d.Assistants {
		if d.Assistants[i].Name == name {
			return &d.Assistants[i], true
		}
	}
	return nil, false
}

// home is where an assistant works.
func (d *Driver) home(a *Assistant) (string, error) {
	if a.Cwd != "" {
		// A start that fails because the folder is missing does not say so.
		if _, err := os.Stat(a.Cwd); err != nil {
			return "", &fs.PathError{Op: "chdir", Path: a.Cwd, Err: err}
		}
		return a.Cwd, nil
	}
	dir := filepath.Join(d.Data, "assistants", a.Name)
	return dir, os.MkdirAll(dir, 0o700)
}

// servers writes the MCP servers of an assistant to a file that only the hub's own
// user can read: any user can read a command line. The file is not in the folder
// where the assistant works, because the assistant reads what is there.
func (d *Driver) servers(a *Assistant) (string, error) {
	if len(a.MCP) == 0 {
		return "", nil
	}
	all := map[string]any{}
	for name, s := range a.MCP {
		entry, err := s.entry()
		if err != nil {
			return "", fmt.Errorf("mcp.%s: %w", name, err)
		}
		all[name] = entry
	}
	text, err := json.Marshal(map[string]any{"mcpServers": all})
	if err != nil {
		return "", err
	}
	file := filepath.Join(d.Data, "headless", a.Name+".mcp.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return file, replace.File(file, text, 0o600)
}

// entry is a server in Claude Code's words.
func (s MCPServer) entry() (map[string]any, error) {
	if len(s.Command) > 0 {
		entry := map[string]any{"type": "stdio", "command": s.Command[0], "args": s.Command[1:]}
		if len(s.Env) > 0 {
			entry["env"] = s.Env
		}
		return entry, nil
	}
	headers := maps.Clone(s.Headers)
	if s.TokenFile != "" {
		token, err := secretfile.Read(s.TokenFile)
		if err != nil {
			return nil, err
		}
		if token == "" {
			return nil, fmt.Errorf("the first line of %s is empty", s.TokenFile)
		}
		if headers == nil {
			headers = map[string]string{}
		}
		headers["Authorization"] = "Bearer " + token
	}
	entry := map[string]any{"type": "http", "url": s.URL}
	if len(headers) > 0 {
		entry["headers"] = headers
	}
	return entry, nil
}

// environ is the whole environment of a program. It has no trace of an agent that
// the hub itself was started in, and none of the hub's tokens.
func (d *Driver) environ() []string {
	env := map[string]string{}
	for _, line := range d.Environ {
		if name, value, ok := strings.Cut(line, "="); ok && wire.PassesOn(name) {
			env[name] = value
		}
	}
	maps.Copy(env, d.Env)
	env[wire.EnvHeadless] = "1"
	for _, name := range []string{"CLAUDECODE", "NOD_TOKEN"} {
		delete(env, name)
	}
	lines := make([]string, 0, len(env))
	for name, value := range env {
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	return lines
}
