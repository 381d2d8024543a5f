package channel

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"strings"

	"nod"
	"nod/internal/net/notify"
)

// Runner starts a program on this machine without a shell. env is added to the program's environment.
type Runner func(ctx context.Context, name string, args, env []string) (stdout string, err error)

func runProgram(ctx context.Context, name string, args, env []string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(cmd.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}

// newDesktop sends to the screen of the hub's machine.
func newDesktop(o Outside) (notify.Sender, error) { return desktopFor(runtime.GOOS, o) }

func desktopFor(system string, o Outside) (notify.Sender, error) {
	switch system {
	case "linux", "freebsd", "openbsd", "netbsd":
		return &freedesktop{o.Run}, nil
	case "darwin":
		return &mac{o.Run}, nil
	case "windows":
		return &windows{o.Run}, nil
	}
	return nil, nod.Errorf(nod.Invalid, "nod does not know how to show a note on the screen of %s", system)
}

func notShown(err error) error {
	if err == nil {
		return nil
	}
	return &notify.Failure{Outcome: notify.Later, Detail: err.Error()}
}

// freedesktop covers every desktop that notify-send supports.
type freedesktop struct{ run Runner }

// Show implements notify.Sender.
func (c *freedesktop) Show(ctx context.Context, n notify.Note, old notify.Handle) (notify.Handle, error) {
	urgency := "normal"
	switch {
	case n.Silent:
		urgency = "low"
	case n.Urgent():
		urgency = "critical" // it stays until the user dismisses it
	}
	args := []string{"--app-name=nod", "--print-id", "--urgency=" + urgency}
	if old != "" {
		args = append(args, "--replace-id="+string(old))
	}
	// Most desktops read the body as markup, none the title.
	out, err := c.run(ctx, "notify-send", append(args, "--", n.Title, slackEscape(n.Body)), nil)
	return notify.Handle(digits(out)), notShown(err)
}

// Settle implements notify.Sender.
func (c *freedesktop) Settle(ctx context.Context, old notify.Handle, n notify.Note) error {
	_, err := c.run(ctx, "notify-send", []string{
		"--app-name=nod", "--urgency=low", "--expire-time=4000", "--replace-id=" + string(old), "--", n.Title, slackEscape(n.Body),
	}, nil)
	return notShown(err)
}

func digits(s string) string {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "0123456789") != "" {
		return ""
	}
	return s
}

// mac shows notes through AppleScript, which cannot remove them.
type mac struct{ run Runner }

// Show implements notify.Sender. The texts are arguments of the script, never part of it.
func (c *mac) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	_, err := c.run(ctx, "osascript", []string{
		"-e", "on run argv", "-e", `display notification (item 2 of argv) with title (item 1 of argv)`, "-e", "end run",
		"--", n.Title, n.Body,
	}, nil)
	return "", notShown(err)
}

// Settle implements notify.Sender.
func (c *mac) Settle(context.Context, notify.Handle, notify.Note) error { return nil }

// windows shows toasts through PowerShell. A tag lets a newer toast replace an older one.
type windows struct{ run Runner }

// The texts come in the environment: the script is the same for every note.
const (
	toastBegin = `$ErrorActionPreference='Stop';` +
		`$null=[Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime];` +
		`$app='{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe';`
	toastShow = toastBegin +
		`$x=[Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02);` +
		`$t=$x.GetElementsByTagName('text');` +
		`$null=$t.Item(0).AppendChild($x.CreateTextNode($env:NOD_NOTE_TITLE));` +
		`$null=$t.Item(1).AppendChild($x.CreateTextNode($env:NOD_NOTE_BODY));` +
		`$n=[Windows.UI.Notifications.ToastNotification]::new($x);$n.Tag=$env:NOD_NOTE_TAG;$n.Group='nod';` +
		`[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($n)`
	toastRemove = toastBegin +
		`[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($env:NOD_NOTE_TAG,'nod',$app)`
)

// Show implements notify.Sender.
func (c *windows) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	tag := sequence(n.Key)
	return notify.Handle(tag), c.script(ctx, toastShow, "NOD_NOTE_TITLE="+n.Title, "NOD_NOTE_BODY="+n.Body, "NOD_NOTE_TAG="+tag)
}

// Settle implements notify.Sender.
func (c *windows) Settle(ctx context.Context, old notify.Handle, _ notify.Note) error {
	return c.script(ctx, toastRemove, "NOD_NOTE_TAG="+string(old))
}

func (c *windows) script(ctx context.Context, script string, env ...string) error {
	_, err := c.run(ctx, "powershell.exe", []string{"-NoProfile", "-NonInteractive", "-Command", script}, env)
	return notShown(err)
}
