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
	tool
	file, data string
}

func atSchtasks(s *system, data string) installation {
	file := filepath.Join(data, "service", "nod-task.xml")
	log := filepath.Join(data, "logs", "nod.log")
	return installation{
		manager: schtasks{tool{s, "schtasks", nil}, file, data}, name: "schtasks", file: file, log: log,
		logCommand: `powershell Get-Content -Wait "` + log + `"`,
	}
}

// definition is in the one encoding that the scheduler takes from every Windows.
func (k schtasks) definition(v spec) []byte {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(strings.ReplaceAll(taskXML(v), "\n", "\r\n"))) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// taskXML starts nod at logon. The scheduler takes a program that was killed for
// one that is done, so it also looks every five minutes, and starts nod unless it runs.
func taskXML(v spec) string {
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

// windowsArguments is a command line that Windows programs split into args again.
func windowsArguments(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = windowsWord(a)
	}
	return strings.Join(quoted, " ")
}

// windowsWord: before a quote, and only there, backslashes are doubled.
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

func (k schtasks) remove(ctx context.Context, drop func() error) error {
	_, _ = k.ask(ctx, "/End", "/TN", taskName)
	if err := k.must(ctx, "/Delete", "/TN", taskName, "/F"); err != nil {
		return err
	}
	return drop()
}

// state: what the scheduler says about a running task is in the language of the
// system, so the hub itself is asked.
func (k schtasks) state(ctx context.Context) (state, error) {
	out, err := k.ask(ctx, "/Query", "/TN", taskName, "/XML")
	if err != nil {
		return state{}, nil
	}
	st := state{installed: true, foreign: !strings.Contains(strings.ReplaceAll(out, "\x00", ""), mark)}
	st.running = !st.foreign && k.health(ctx, k.data) != nil
	return st, nil
}
