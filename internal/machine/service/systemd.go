package service

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod/internal/present/words"
)

const unitName = "nod.service"

// systemd runs nod as a user service.
type systemd struct {
	tool
	file string
}

func atSystemd(s *system, home string) installation {
	dir := cmp.Or(s.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	file := filepath.Join(dir, "systemd", "user", unitName)
	return installation{manager: systemd{tool{s, "systemctl", []string{"--user"}}, file}, name: "systemd", file: file, logCommand: "journalctl --user -u nod -f"}
}

func (k systemd) definition(v spec) []byte { return []byte(unitFile(v)) }

// unitFile is nod's unit. Only the main process is told to end: it ends its agents
// itself, in order, and what is left then is killed. Neither /tmp nor /home is
// hidden: sockets of tmux and the projects of agents are there.
func unitFile(v spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# %s. It is written anew when that is run again:
# put changes of your own into `+"`systemctl --user edit nod`"+`.
[Unit]
Description=nod: see and answer your coding agents from anywhere
# A port or a file that is in use now may be free later: never give up.
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=%s
`, mark, commandLine(v.program, v.args))
	for _, e := range v.env {
		fmt.Fprintf(&b, "Environment=%s\n", quoted(e[0]+"="+e[1]))
	}
	b.WriteString(`# What a login may have left in the environment and a hub must not have.
UnsetEnvironment=CLAUDECODE NOD_URL NOD_TOKEN TMUX TMUX_PANE
Restart=always
RestartSec=5
# Wrong use does not heal by itself.
RestartPreventExitStatus=2
KillMode=mixed
TimeoutStopSec=20
# One agent that takes too much memory must not end the others.
OOMPolicy=continue
# What is said to an assistant never becomes root.
NoNewPrivileges=yes
SyslogIdentifier=nod

[Install]
WantedBy=default.target
`)
	return b.String()
}

// commandLine quotes for systemd, which expands variables in arguments but not in the
// path of the program, and takes quotes and backslashes in arguments only. A program
// with one of those in its path is started by a shell.
func commandLine(program string, args []string) string {
	words := []string{quoted(program)}
	if strings.ContainsAny(program, `"'\`) {
		words, args = []string{"/bin/sh"}, append([]string{"-c", `exec "$0" "$@"`, program}, args...)
	}
	for _, a := range args {
		words = append(words, quoted(strings.ReplaceAll(a, "$", "$$")))
	}
	return strings.Join(words, " ")
}

// quoted is one word of a unit file, with its specifiers escaped.
func quoted(word string) string {
	word = strings.ReplaceAll(word, "%", "%%")
	if word != "" && !strings.ContainsAny(word, " \"'\\;") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}

func (k systemd) ready(ctx context.Context) error {
	if _, err := k.LookPath("systemctl"); err != nil {
		return k.Failed(words.ServiceNoSystemd)
	}
	if _, err := k.ask(ctx, "show", "--property=Version"); err != nil {
		return k.Failed(words.ServiceNoSession, detail(err))
	}
	return nil
}

func (k systemd) start(ctx context.Context, fresh bool) error {
	verb := "start"
	if fresh {
		verb = "restart"
	}
	return k.all(ctx, []string{"daemon-reload"}, []string{"enable", unitName}, []string{verb, unitName})
}

func (k systemd) remove(ctx context.Context, drop func() error) error {
	if k.ready(ctx) != nil { // no manager, so there are only files
		_ = os.Remove(filepath.Join(filepath.Dir(k.file), "default.target.wants", unitName))
		return drop()
	}
	if _, err := k.ask(ctx, "stop", unitName); err != nil {
		if st, _ := k.state(ctx); st.running { // a service that was never loaded cannot be stopped
			return k.callFailed(err, "stop", unitName)
		}
	}
	if err := k.must(ctx, "disable", unitName); err != nil {
		return err
	}
	if err := drop(); err != nil {
		return err
	}
	_, _ = k.ask(ctx, "reset-failed", unitName) // there may be nothing to reset
	return k.must(ctx, "daemon-reload")
}

func (k systemd) all(ctx context.Context, calls ...[]string) error {
	for _, args := range calls {
		if err := k.must(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func (k systemd) state(ctx context.Context) (state, error) {
	st, err := fileState(k.file)
	if err != nil || !st.installed {
		return st, err
	}
	out, err := k.ask(ctx, "show", unitName, "--property=ActiveState,SubState,MainPID,ExecMainStatus,ActiveEnterTimestamp")
	if err != nil {
		return st, nil // no manager, so not running
	}
	facts := map[string]string{}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		facts[name] = value
	}
	st.running = facts["ActiveState"] == "active"
	if st.running {
		st.pid, _ = strconv.Atoi(facts["MainPID"])
		st.since, _ = time.Parse("Mon 2006-01-02 15:04:05 MST", facts["ActiveEnterTimestamp"])
	} else if facts["SubState"] == "auto-restart" || facts["ActiveState"] == "failed" {
		st.failure = facts["ExecMainStatus"]
	}
	return st, nil
}

// fileState says whether the file exists, and whether it is nod's.
func fileState(file string) (state, error) {
	b, err := readIfExists(file)
	if err != nil || b == nil {
		return state{}, err
	}
	return state{installed: true, foreign: !strings.Contains(string(b), mark)}, nil
}

// lingers reports whether the person's services go on after logout. Without an
// answer nothing is said about it, so the result is true.
func (k systemd) lingers(ctx context.Context) bool {
	out, err := k.run(ctx, "loginctl", "show-user", strconv.Itoa(k.uid), "--property=Linger")
	return err != nil || strings.TrimSpace(out) != "Linger=no"
}
