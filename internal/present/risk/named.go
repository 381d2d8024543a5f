package risk

import (
	"strings"

	"nod"
)

// CheckNamed refuses a list of commands that Named could never match, or that would match whole programs.
func CheckNamed(setting string, commands []string) error {
	for _, name := range commands {
		if len(strings.Fields(name)) < 2 || strings.ContainsAny(name, special) {
			return nod.Errorf(nod.Invalid, "%s has %q: name a program and what it does, such as \"kubectl apply\", without signs", setting, name)
		}
	}
	return nil
}
