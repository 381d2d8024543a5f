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

// systemd is the user manager of most Linux systems.
type systemd struct {
	*services
	file string
}

func (s *services) systemd(home string) post {
	dir := cmp.Or(s.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	file := filepath.Join(dir, "systemd", "user", unitName)
	return post{serviceManager: systemd{s, file}, name: "systemd", file: file, read: "journalctl --user -u nod -f"}
}

func (k systemd) page(v serving) []byte { return []byte(unit(v)) }

// unit is nod's unit. Only the main process is told to end: it ends its agents
// itself, in order, and what is left then is killed. Neither /tmp nor /home is
// hidden: sockets of tmux and the projects of agents are there.
func unit(v serving) string {
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

// commandLine quotes as systemd reads: variables are replaced in arguments, but
// not in the path of the program. Quotes and backslashes it takes in arguments
// only, so a program with one in its path is started by a shell, which it replaces.
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

// quoted is one word of a unit: quotes where they are needed, and no specifiers.
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

func (k systemd) ask(ctx context.Context, args ...string) (string, error) {
	return k.call(ctx, "systemctl", append([]string{"--user"}, args...)...)
}

func (k systemd) start(ctx context.Context, fresh bool) error {
	verb := "start"
	if fresh {
		verb = "restart"
	}
	return k.all(ctx, []string{"daemon-reload"}, []string{"enable", unitName}, []string{verb, unitName})
}

func (k systemd) leave(ctx context.Context, drop func() error) error {
	if k.ready(ctx) != nil { // nobody runs it, so there are only files
		_ = os.Remove(filepath.Join(filepath.Dir(k.file), "default.target.wants", unitName))
		return drop()
	}
	if _, err := k.ask(ctx, "stop", unitName); err != nil {
		if st, _ := k.look(ctx); st.running { // one that was never loaded cannot be stopped
			return k.Failed(words.ServiceCallFailed, "systemctl --user stop "+unitName, detail(err))
		}
	}
	if err := k.all(ctx, []string{"disable", unitName}); err != nil {
		return err
	}
	if err := drop(); err != nil {
		return err
	}
	_, _ = k.ask(ctx, "reset-failed", unitName) // there may be nothing to forget
	return k.all(ctx, []string{"daemon-reload"})
}

func (k systemd) all(ctx context.Context, calls ...[]string) error {
	for _, args := range calls {
		if _, err := k.ask(ctx, args...); err != nil {
			return k.Failed(words.ServiceCallFailed, "systemctl --user "+strings.Join(args, " "), detail(err))
		}
	}
	return nil
}

func (k systemd) look(ctx context.Context) (standing, error) {
	st, err := lookAt(k.file)
	if err != nil || !st.installed {
		return st, err
	}
	out, err := k.ask(ctx, "show", unitName, "--property=ActiveState,SubState,MainPID,ExecMainStatus,ActiveEnterTimestamp")
	if err != nil {
		return st, nil // no manager, nothing runs
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
		st.ending = facts["ExecMainStatus"]
	}
	return st, nil
}

// lookAt tells whether a file is there, and whose it is.
func lookAt(file string) (standing, error) {
	b, err := written(file)
	if err != nil || b == nil {
		return standing{}, err
	}
	return standing{installed: true, foreign: !strings.Contains(string(b), mark)}, nil
}

// lingers tells whether the services of this person outlive their logins;
// where that cannot be told, nothing is said about it.
func (k systemd) lingers(ctx context.Context) bool {
	out, err := k.call(ctx, "loginctl", "show-user", strconv.Itoa(k.uid), "--property=Linger")
	return err != nil || strings.TrimSpace(out) != "Linger=no"
}
