package cli

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"rsc.io/qr"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/device"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func pairCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("pair [LINK] [--rights RIGHTS]", words.TopicPair)
	rights := cmd.Flags().String("rights", "view,answer", c.Say(words.FlagRights))
	cmd.Args = c.Arguments(0, 1, "LINK")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return redeemPairing(c, cmd, args[0])
		}
		set, err := parseRights(c, cmd, *rights)
		if err != nil {
			return err
		}
		cl, err := c.Hub()
		if err != nil {
			return err
		}
		pairing, err := cl.NewPairing(cmd.Context(), set)
		if err != nil {
			return err
		}
		return c.Println(pairingText(c.Page(), pairing, set))
	}
	cmd.AddCommand(device.PairKeyboardCommand(c))
	return cmd
}

// redeemPairing pairs this machine with the hub of the link. It prints lines for
// eval, so that the person decides where the token is kept.
func redeemPairing(c *console.Console, cmd *cobra.Command, link string) error {
	u, err := url.Parse(link)
	if err != nil || u.Fragment == "" {
		return c.Misuse(cmd, c.Say(words.PairLinkWrong, nod.OneLine(link)))
	}
	hub := url.URL{Scheme: u.Scheme, Host: u.Host}
	cl, err := client.Remote(hub.String(), "", "terminal")
	if ca := c.Getenv("NOD_CA"); err == nil && ca != "" {
		err = cl.Trust(ca)
	}
	if err != nil {
		return err
	}
	name, err := os.Hostname()
	if err != nil {
		name = "terminal"
	}
	t, err := cl.Redeem(cmd.Context(), u.Fragment, name)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Stderr, c.Say(words.PairDone, strings.Join(t.Rights.Names(), ", ")))
	return c.Println(fmt.Sprintf("export NOD_URL=%s\nexport NOD_TOKEN=%s", hub.String(), t.Secret))
}

func pairingText(p show.Page, pairing *v1.Pairing, rights nod.Rights) string {
	var b strings.Builder
	intro, picture := words.PairOpen, qrCode(p, pairing.Link)
	if picture != "" {
		intro = words.PairScan
	}
	b.WriteString(p.Say(intro) + "\n\n")
	if picture != "" {
		b.WriteString(picture + "\n")
	}
	b.WriteString("  " + nod.OneLine(pairing.Link) + "\n")
	b.WriteString("  " + p.Say(words.PairCode, p.Paint(term.Strong, nod.OneLine(pairing.Code))) + "\n\n")
	valid := p.Say(words.PairValid, p.Left(pairing.Expires.Sub(p.Now)), strings.Join(rights.Names(), ", "))
	b.WriteString(p.Wrap(valid))
	return b.String()
}

// qrCode draws a link with two modules in each character. It is empty in a pipe, and
// where the terminal is too narrow.
func qrCode(p show.Page, link string) string {
	const margin = 2 // less than the standard asks for, but enough for cameras
	code, err := qr.Encode(link, qr.L)
	if err != nil || !p.Terminal || code.Size+2*margin > p.Columns {
		return ""
	}
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		var row strings.Builder
		for x := -margin; x < code.Size+margin; x++ {
			row.WriteString(halfBlock(code.Black(x, y), code.Black(x, y+1) || y+1 >= code.Size+margin))
		}
		b.WriteString(whiteOnBlack(p, row.String()) + "\n")
	}
	return b.String()
}

// halfBlock draws light modules, because most terminals are dark; whiteOnBlack makes
// sure of that where colours are allowed.
func halfBlock(upperDark, lowerDark bool) string {
	switch {
	case upperDark && lowerDark:
		return " "
	case upperDark:
		return "▄"
	case lowerDark:
		return "▀"
	}
	return "█"
}

func whiteOnBlack(p show.Page, row string) string {
	if p.Palette.Styles == nil {
		return row
	}
	return "\x1b[38;5;231;48;5;16m" + row + "\x1b[0m"
}
