package device

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

// PairKeyboardCommand admits the keyboard whose keys show a code, or lists them all.
func PairKeyboardCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("keyboard [CODE] [--name NAME] [--keyboard ID] [--json]", words.TopicPairKeyboard)
	name := cmd.Flags().String("name", "", c.Say(words.FlagKeyboardName))
	which := cmd.Flags().String("keyboard", "", c.Say(words.FlagKeyboardID))
	asJSON := c.JSONFlag(cmd)
	cmd.Args = c.Arguments(0, 1, "CODE")
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error {
		list, err := cl.Keyboards(ctx)
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return listKeyboards(c, list, *asJSON)
		}
		return admitKeyboard(ctx, c, cl, list, *which, args[0], *name)
	})
	return cmd
}

func listKeyboards(c *console.Console, list []v1.Keyboard, asJSON bool) error {
	if asJSON {
		return c.PrintJSON(append([]v1.Keyboard{}, list...))
	}
	if len(list) == 0 {
		return c.Println(c.Say(words.KeyboardsNone))
	}
	var lines []string
	for _, k := range list {
		state := words.KeyboardWaits
		switch {
		case k.Admitted && k.Connected:
			state = words.KeyboardThere
		case k.Admitted:
			state = words.KeyboardAway
		}
		lines = append(lines, strings.TrimRight(k.ID+"  "+nod.OneLine(k.Address)+"  "+c.Say(state)+"  "+nod.OneLine(k.Name), " "))
	}
	return c.Println(strings.Join(lines, "\n"))
}

// admitKeyboard finds the keyboard that is meant. A code is never tried on several:
// a keyboard that gets a wrong one changes its own.
func admitKeyboard(ctx context.Context, c *console.Console, cl *client.Client, list []v1.Keyboard, which, code, name string) error {
	waiting := slices.DeleteFunc(slices.Clone(list), func(k v1.Keyboard) bool {
		return k.Admitted || !k.Connected || which != "" && k.ID != which
	})
	switch {
	case len(waiting) == 0:
		return nod.Errorf(nod.NotFound, "%s", c.Say(words.KeyboardNoneWaits))
	case len(waiting) > 1:
		return nod.Errorf(nod.Invalid, "%s", c.Say(words.KeyboardSeveral, len(waiting)))
	}
	if err := cl.AdmitKeyboard(ctx, waiting[0].ID, code, name); err != nil {
		return err
	}
	return c.Println(c.Say(words.KeyboardLetIn, nod.OneLine(waiting[0].Address)))
}
