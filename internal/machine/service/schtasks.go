package service

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"nod/internal/present/words"
)

const taskName = "nod"

// schtasks is the task scheduler of Windows.
type schtasks struct {
	*services
	file, data string
}

func (s *services) schtasks(data string) post {
	file := filepath.Join(data, "service", "nod-task.xml")
	log := filepath.Join(data, "logs", "nod.log")
	return post{
		serviceManager: schtasks{s, file, data}, name: "schtasks", file: file, log: log,
		read: `powershell Get-Content -Wait "` + log + `"`,
	}
}

// page is in the one encoding that the scheduler takes from every Windows.
func (k schtasks) page(v serving) []byte {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(strings.ReplaceAll(task(v), "\n", "\r\n"))) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// task starts nod at logon. The scheduler takes a program that was killed for
// one that is done, so it also looks every five minutes, and starts nod unless it runs.
func task(v serving) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Source>%s</Source>
    <Description>nod: see and answer your coding agents from anywhere</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>%s</UserId>
    </LogonTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT5M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>%[2]s</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%s</Command>
      <Arguments>%s</Arguments>
      <WorkingDirectory>%s</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`, mark, escaped(v.user), escaped(v.program), escaped(windowsArguments(v.args)), escaped(v.home))
}

// windowsArguments is one line that a Windows program splits into these words again.
func windowsArguments(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = windowsWord(a)
	}
	return strings.Join(quoted, " ")
}

// windowsWord: backslashes are ordinary unless a quote follows, then each counts double.
func windowsWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"") {
		return word
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, r := range word {
		switch r {
		case '\\':
			slashes++
			continue
		case '"':
			slashes = 2*slashes + 1
		}
		b.WriteString(strings.Repeat(`\`, slashes))
		slashes = 0
		b.WriteRune(r)
	}
	b.WriteString(strings.Repeat(`\`, 2*slashes) + `"`)
	return b.String()
}

func (k schtasks) ask(ctx context.Context, args ...string) (string, error) {
	return k.call(ctx, "schtasks", args...)
}

func (k schtasks) must(ctx context.Context, args ...string) error {
	if _, err := k.ask(ctx, args...); err != nil {
		return k.Failed(words.ServiceCallFailed, "schtasks "+strings.Join(args, " "), detail(err))
	}
	return nil
}

func (k schtasks) ready(context.Context) error {
	if _, err := k.LookPath("schtasks"); err != nil {
		return k.Failed(words.ServiceNoScheduler)
	}
	return nil
}

func (k schtasks) start(ctx context.Context, fresh bool) error {
	if fresh {
		_, _ = k.ask(ctx, "/End", "/TN", taskName) // it may not run
		if err := k.must(ctx, "/Create", "/TN", taskName, "/XML", k.file, "/F"); err != nil {
			return err
		}
	}
	return k.must(ctx, "/Run", "/TN", taskName)
}

func (k schtasks) leave(ctx context.Context, drop func() error) error {
	_, _ = k.ask(ctx, "/End", "/TN", taskName)
	if err := k.must(ctx, "/Delete", "/TN", taskName, "/F"); err != nil {
		return err
	}
	return drop()
}

// look: what the scheduler says about a running task is in the language of the
// system, so the hub itself is asked.
func (k schtasks) look(ctx context.Context) (standing, error) {
	out, err := k.ask(ctx, "/Query", "/TN", taskName, "/XML")
	if err != nil {
		return standing{}, nil
	}
	st := standing{installed: true, foreign: !strings.Contains(strings.ReplaceAll(out, "\x00", ""), mark)}
	st.running = !st.foreign && k.hub(ctx, k.data) != nil
	return st, nil
}
