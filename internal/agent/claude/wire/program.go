package wire

import (
	"fmt"
	"strings"
)

// Protocol is the version of what a hook and the hub say to each other. A hook
// sends its own with every call, and hubs and hooks of different versions work
// together:
//
//	1  hooks that send no version. On the hub's machine they confirm a delivery
//	   with DeliveredMark.
//	2  they confirm it with a HookReport, wherever the hub is.
const Protocol = 2

// HookName is the name of the hook program, without the extension that it has on
// Windows.
const HookName = "nod-hook"

// The arguments of nod-hook, and of `nod hook`, which is the same.
const (
	DataFlag    = "--data"    // followed by the data directory
	VersionFlag = "--version" // print what Program.String makes
)

// Program is what a hook program says about itself.
type Program struct {
	Version  string
	Protocol int
}

// String is the line that it prints.
func (p Program) String() string {
	return fmt.Sprintf("%s %s protocol %d", HookName, p.Version, p.Protocol)
}

// ParseProgram reads such a line; ok is false for any other text.
func ParseProgram(line string) (p Program, ok bool) {
	n, err := fmt.Sscanf(line, HookName+" %s protocol %d", &p.Version, &p.Protocol)
	return p, err == nil && n == 2 && strings.TrimSpace(line) == p.String()
}
