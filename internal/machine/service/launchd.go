package service

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod/internal/machine/console"
	"nod/internal/present/words"
)

const agentLabel = "nod.hub"

// launchd runs nod as an agent of the person who is logged in, because Claude
// Code's login is in that person's keychain.
type launchd struct {
	tool
	file, domain string
}

func atLaunchd(s *system, home string) installation {
	file := filepath.Join(home, "Library", "LaunchAgents", agentLabel+".plist")
	log := filepath.Join(home, "Library", "Logs", "nod", "nod.log")
	return installation{
		manager: launchd{tool{s, "launchctl", nil}, file, fmt.Sprintf("gui/%d", s.uid)}, name: "launchd",
		file: file, log: log, logCommand: "tail -F " + console.ShellWord(log),
	}
}

func (k launchd) definition(v spec) []byte { return []byte(agentPlist(v)) }

// agentPlist redirects no output: nod writes and rotates its own log.
func agentPlist(v spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- %s. It is written anew when that is run again. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>%s</string>
  <key>ProgramArguments</key>
  <array>
`, mark, agentLabel)
	for _, a := range append([]string{v.program}, v.args...) {
		fmt.Fprintf(&b, "    <string>%s</string>\n", escaped(a))
	}
	fmt.Fprintf(&b, `  </array>
  <key>WorkingDirectory</key>
  <string>%s</string>
  <key>EnvironmentVariables</key>
  <dict>
`, escaped(v.home))
	for _, e := range v.env {
		fmt.Fprintf(&b, "    <key>%s</key>\n    <string>%s</string>\n", escaped(e[0]), escaped(e[1]))
	}
	b.WriteString(`  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>5</integer>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <!-- People wait for its answers: macOS must not slow it down. -->
  <key>ProcessType</key>
  <string>Interactive</string>
</dict>
</plist>
`)
	return b.String()
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder does not fail
	return b.String()
}

func (k launchd) target() string { return k.domain + "/" + agentLabel }

func (k launchd) ready(ctx context.Context) error {
	if _, err := k.ask(ctx, "print", k.domain); err != nil {
		return k.Failed(words.ServiceNoDesktop, detail(err))
	}
	return nil
}

func (k launchd) loaded(ctx context.Context) bool {
	_, err := k.ask(ctx, "print", k.target())
	return err == nil
}

// An agent has 20 seconds to exit, and only then its name is free: launchd is asked
// for 25 seconds.
const (
	launchdTries = 100
	launchdPause = 250 * time.Millisecond
)

func (k launchd) start(ctx context.Context, fresh bool) error {
	loaded := k.loaded(ctx)
	if loaded && fresh {
		if err := k.unload(ctx); err != nil {
			return err
		}
		loaded = false
	}
	if err := k.must(ctx, "enable", k.target()); err != nil {
		return err
	}
	if loaded {
		return k.must(ctx, "kickstart", k.target())
	}
	// An agent that has just exited keeps its name for a moment.
	var err error
	for range 8 {
		if err = k.must(ctx, "bootstrap", k.domain, k.file); err == nil {
			return nil
		}
		if paused := k.pause(ctx, launchdPause); paused != nil {
			return paused
		}
	}
	return err
}

func (k launchd) unload(ctx context.Context) error {
	if err := k.must(ctx, "bootout", k.target()); err != nil {
		return err
	}
	for range launchdTries {
		if !k.loaded(ctx) {
			return nil
		}
		if err := k.pause(ctx, launchdPause); err != nil {
			return err
		}
	}
	return k.callFailed(errors.New("timeout"), "bootout", k.target())
}

func (k launchd) remove(ctx context.Context, drop func() error) error {
	if k.loaded(ctx) {
		if err := k.unload(ctx); err != nil {
			return err
		}
	}
	return drop()
}

func (k launchd) state(ctx context.Context) (state, error) {
	st, err := fileState(k.file)
	if err != nil || !st.installed {
		return st, err
	}
	out, err := k.ask(ctx, "print", k.target())
	if err != nil {
		return st, nil // not loaded, so not running
	}
	st.running = printedValue(out, "state") == "running"
	st.pid, _ = strconv.Atoi(printedValue(out, "pid"))
	if exit := printedValue(out, "last exit code"); !st.running && exit != "0" && exit != "(never exited)" {
		st.failure = exit
	}
	return st, nil
}

// printedValue finds "name = value" in what launchctl prints. The first one counts:
// the agent's own values come before those of its parts.
func printedValue(text, name string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" = "); ok {
			return value
		}
	}
	return ""
}
