package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"nod/internal/agent/claude/settings"
	"nod/internal/present/words"
)

// claudeFacts is what is known about Claude Code on this machine.
type claudeFacts struct {
	looked bool
	binary string // empty: not found
	paths  settings.Paths
	report settings.Report
	err    error
}

// inspect looks at Claude Code's settings once for all checks.
func (c *checkup) inspect() *claudeFacts {
	f := &c.claude
	if f.looked {
		return f
	}
	f.looked = true
	f.binary = c.findClaude()
	if f.paths, f.err = c.ClaudePaths(); f.err == nil {
		f.report = settings.Inspect(f.paths)
	}
	return f
}

// findClaude also knows the two places where its installers put it without
// always telling PATH.
func (c *checkup) findClaude() string {
	if path, err := c.LookPath("claude"); err == nil {
		return path
	}
	home, err := c.Home()
	if err != nil {
		return ""
	}
	for _, place := range []string{filepath.Join(".local", "bin", "claude"), filepath.Join(".claude", "local", "claude")} {
		path := filepath.Join(home, place)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// What came with which version.
var (
	hooksReliable   = [3]int{2, 1, 101}
	questionsRemote = [3]int{2, 1, 199} // by PermissionRequest hooks
)

func (c *checkup) claudeCode(ctx context.Context) finding {
	path := c.inspect().binary
	if path == "" {
		return warn(c.Say(words.ClaudeMissing), c.Say(words.ClaudeMissingFix))
	}
	out, err := c.run(ctx, path, "--version")
	version, ok := parseVersion(out)
	update := c.Say(words.ClaudeUpdate)
	switch {
	case err != nil || !ok:
		return warn(c.Say(words.ClaudeSilent, path), c.Say(words.ClaudeSilentFix))
	case older(version, hooksReliable):
		return warn(c.Say(words.ClaudeTooOld, dotted(version), dotted(hooksReliable)), update)
	case older(version, questionsRemote):
		return warn(c.Say(words.ClaudeOld, dotted(version), dotted(questionsRemote)), update)
	}
	return fine(c.Say(words.ClaudeFound, dotted(version), path))
}

// runPatience is far more than any program needs that only says who it is.
const runPatience = 5 * time.Second

// run starts a program with next to no environment: it gets no credential that
// it was not meant to have, and no setting changes what it does.
func (m *Doctor) run(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, runPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	home := "HOME"
	if runtime.GOOS == "windows" {
		home = "USERPROFILE"
	}
	cmd.Env = []string{"PATH=" + m.Getenv("PATH"), home + "=" + m.Getenv(home)}
	cmd.WaitDelay = time.Second // a grandchild may hold the pipe
	out, err := cmd.Output()
	if ctx.Err() != nil {
		err = fmt.Errorf("no end within %s", runPatience)
	}
	return string(out), err
}

func parseVersion(text string) (v [3]int, ok bool) {
	parts := regexp.MustCompile(`(\d+)\.(\d+)\.(\d+)`).FindStringSubmatch(text)
	if parts == nil {
		return v, false
	}
	for i := range v {
		v[i], _ = strconv.Atoi(parts[i+1])
	}
	return v, true
}

func older(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func dotted(v [3]int) string {
	return strconv.Itoa(v[0]) + "." + strconv.Itoa(v[1]) + "." + strconv.Itoa(v[2])
}

// trust: before its dialog is accepted Claude Code runs no hook in a folder.
func (c *checkup) trust(context.Context) finding {
	f := c.inspect()
	if f.err != nil {
		return skip(f.err.Error())
	}
	cwd, err := os.Getwd()
	if err != nil {
		return skip(err.Error())
	}
	trusted, err := settings.Trusted(f.paths.StateDir, cwd)
	switch {
	case err != nil:
		return warn(err.Error(), c.Say(words.TrustFix))
	case !trusted && f.binary == "":
		return skip(c.Say(words.SkipClaude))
	case !trusted:
		return warn(c.Say(words.TrustMissing, cwd), c.Say(words.TrustFix))
	}
	return fine(c.Say(words.TrustGiven, cwd))
}
