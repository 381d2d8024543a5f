package risk

import (
	"encoding/json"
	"strings"

	"nod"
)

// CheckNamed refuses a list of commands that Named could never match, or that would match whole programs.
func CheckNamed(setting string, commands []string) error {
	for _, name := range commands {
		input, err := json.Marshal(map[string]string{"command": name})
		if err != nil {
			return err
		}
		if len(strings.Fields(name)) < 2 || !Named(&nod.Request{Kind: nod.KindApproval, Input: input}, []string{name}) {
			return nod.Errorf(nod.Invalid, "%s has %q: name a program and what it does, such as \"kubectl apply\", without signs", setting, name)
		}
	}
	return nil
}
