package service

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
)

var usualServing = spec{
	program: "/usr/local/bin/nod", home: "/home/anna",
	args: []string{"serve", "--service", "--data", "/home/anna/.local/share/nod"},
	env:  [][2]string{{"PATH", "/home/anna/.local/bin:/usr/local/bin:/usr/bin:/bin"}},
}

// oddServing has paths with every character that is special in one of the three formats.
var oddServing = spec{
	program: `/opt/my "apps" & <more>/100% $HOME/it's \o/nod`, home: `/home/ann & bob`,
	args: []string{"serve", "--service", "--data", `/srv/a b\`, "--config", `C:\x "y" %PATH% $z\\" 'q';`, "--log", ""},
	env:  [][2]string{{"PATH", `/a b:/c%d:/bin`}, {"CLAUDE_CONFIG_DIR", `/x "y" 'z' \`}},
}

var windowsServing = spec{
	program: `C:\Program Files\nod\nod.exe`, home: `C:\Users\Anna`, user: `DESK\Anna`,
	args: []string{"serve", "--service", "--data", `C:\Users\Anna\AppData\Local\nod`, "--log", `C:\Users\Anna\My Logs\nod.log`},
}

func TestServicePages(t *testing.T) {
	for name, text := range map[string]string{
		"systemd.service": unitFile(usualServing), "systemd.odd.service": unitFile(oddServing),
		"launchd.plist": agentPlist(usualServing), "launchd.odd.plist": agentPlist(oddServing),
		"task.xml": taskXML(windowsServing), "task.odd.xml": taskXML(oddServing),
	} {
		envtest.Golden(t, name, text)
	}
}

func TestSystemdAcceptsTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed:", err)
	}
	for name, v := range map[string]spec{"usual": usualServing, "odd": oddServing} {
		dir := t.TempDir()
		// It checks that programs are there, and that is not its task here.
		v.program = filepath.Join(dir, v.program)
		envtest.Must(t, os.MkdirAll(filepath.Dir(v.program), 0o700))
		envtest.Must(t, os.WriteFile(v.program, []byte("#!/bin/sh\n"), 0o700))
		file := filepath.Join(dir, unitName)
		envtest.Must(t, os.WriteFile(file, []byte(unitFile(v)), 0o600))
		cmd := exec.Command(analyze, "--user", "verify", file)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), unitName) {
			t.Errorf("%s: %v\n%s\n%s", name, err, out, unitFile(v))
		}
	}
}

func TestPropertyListsHoldAnyPath(t *testing.T) {
	var list struct {
		Array struct {
			Strings []string `xml:"string"`
		} `xml:"dict>array"`
		Keys    []string `xml:"dict>key"`
		Strings []string `xml:"dict>string"`
		Env     []string `xml:"dict>dict>string"`
	}
	envtest.Must(t, xml.Unmarshal([]byte(agentPlist(oddServing)), &list))
	if want := append([]string{oddServing.program}, oddServing.args...); !slices.Equal(list.Array.Strings, want) {
		t.Errorf("%q, want %q", list.Array.Strings, want)
	}
	if !slices.Contains(list.Strings, oddServing.home) || !slices.Equal(list.Env, []string{oddServing.env[0][1], oddServing.env[1][1]}) {
		t.Errorf("%q %q", list.Strings, list.Env)
	}
	for _, key := range []string{"KeepAlive", "ThrottleInterval", "ProcessType", "RunAtLoad"} {
		if !slices.Contains(list.Keys, key) {
			t.Errorf("no %s", key)
		}
	}
}

func TestTasksHoldAnyPath(t *testing.T) {
	for _, v := range []spec{windowsServing, oddServing} {
		var parsed struct {
			Exec struct{ Command, Arguments, WorkingDirectory string } `xml:"Actions>Exec"`
		}
		text := readable(schtasks{}.definition(v))
		envtest.Must(t, xml.Unmarshal([]byte(strings.Replace(text, "UTF-16", "UTF-8", 1)), &parsed))
		if got := windowsSplit(parsed.Exec.Arguments); !slices.Equal(got, v.args) {
			t.Errorf("%s is read as %q, want %q", parsed.Exec.Arguments, got, v.args)
		}
		if parsed.Exec.Command != v.program || parsed.Exec.WorkingDirectory != v.home {
			t.Errorf("%+v", parsed)
		}
	}
}

// windowsSplit reads a command line by the published rules of Windows' C runtime.
func windowsSplit(line string) (args []string) {
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		var word strings.Builder
		inside := false
		for line != "" && (inside || line[0] != ' ') {
			slashes := len(line) - len(strings.TrimLeft(line, `\`))
			line = line[slashes:]
			if !strings.HasPrefix(line, `"`) {
				word.WriteString(strings.Repeat(`\`, slashes))
				if slashes == 0 {
					word.WriteByte(line[0])
					line = line[1:]
				}
				continue
			}
			word.WriteString(strings.Repeat(`\`, slashes/2))
			if slashes%2 == 1 {
				word.WriteByte('"')
			} else {
				inside = !inside
			}
			line = line[1:]
		}
		args = append(args, word.String())
	}
	return args
}

func TestTaskFilesAreUTF16(t *testing.T) {
	page := schtasks{}.definition(spec{program: `C:\Zażółć\nod.exe`})
	if page[0] != 0xff || page[1] != 0xfe || page[2] != '<' || page[3] != 0 {
		t.Errorf("% x", page[:4])
	}
	if text := readable(page); !strings.Contains(text, `<Command>C:\Zażółć\nod.exe</Command>`) || strings.Contains(text, "\r") {
		t.Error(text)
	}
}
