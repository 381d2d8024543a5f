package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"time"

	"nod/internal/agent/claude/settings"
	"nod/internal/present/words"
)

// claudeChecks are about Claude Code on this machine.
type claudeChecks struct {
	*Doctor
	inspected *claudeFacts
}

// claudeFacts is what the checks share.
type claudeFacts struct {
	binary string // empty: not found
	paths  settings.Paths
	report settings.Report
	err    error
}

// inspect looks at Claude Code's settings once for all checks.
func (c *claudeChecks) inspect() *claudeFacts {
	if c.inspected == nil {
		f := &claudeFacts{binary: c.find()}
		if f.paths, f.err = c.ClaudePaths(); f.err == nil {
			f.report = settings.Inspect(f.paths)
		}
		c.inspected = f
	}
	return c.inspected
}

// find also knows the two folders that Claude Code's installers use without
// always adding them to PATH.
func (c *claudeChecks) find() string {
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

// The versions of Claude Code that brought what nod needs.
var (
	hooksReliable   = [3]int{2, 1, 101}
	questionsRemote = [3]int{2, 1, 199} // PermissionRequest hooks can answer questions
)

func (c *claudeChecks) program(ctx context.Context) Finding {
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

// runTimeout is far more than a program needs to print its version.
const runTimeout = 5 * time.Second

// run starts a program with PATH and home only, so that it gets no credentials and
// no setting changes what it does.
func (c *claudeChecks) run(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	home := "HOME"
	if runtime.GOOS == "windows" {
		home = "USERPROFILE"
	}
	cmd.Env = []string{"PATH=" + c.Getenv("PATH"), home + "=" + c.Getenv(home)}
	cmd.WaitDelay = time.Second // a grandchild may keep the pipe open
	out, err := cmd.Output()
	if ctx.Err() != nil {
		err = fmt.Errorf("no end within %s", runTimeout)
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

func older(a, b [3]int) bool { return slices.Compare(a[:], b[:]) < 0 }

func dotted(v [3]int) string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// trust: Claude Code runs no hooks in a folder until its trust dialog is accepted.
func (c *claudeChecks) trust(context.Context) Finding {
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
