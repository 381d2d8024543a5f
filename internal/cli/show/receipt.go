package show

import (
	"strings"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/present/words"
)

// ReceiptLines draws the receipts in their order, as many on a line as fit.
func ReceiptLines(p Page, r *nod.Request) []string {
	var lines []string
	line := ""
	for _, receipt := range r.Receipts {
		part := receiptText(p, receipt)
		switch {
		case line == "":
			line = part
		case p.Terminal && lipgloss.Width(line+part)+5 > p.Columns:
			lines = append(lines, p.Block(line, 2)...)
			line = part
		default:
			line += " · " + part
		}
	}
	return append(lines, p.Block(line, 2)...)
}

func receiptText(p Page, receipt nod.Receipt) string {
	parts := []string{stepText(p, receipt), p.Clock(receipt.At)}
	if receipt.Proof != "" {
		parts = append(parts, "("+nod.OneLine(receipt.Proof)+")")
	}
	return strings.Join(parts, " ")
}

// stepText is the step, with who did it if that matters.
func stepText(p Page, receipt nod.Receipt) string {
	switch {
	case receipt.Step != nod.StepDecided:
	case receipt.Via == nod.ViaPolicy:
		return p.Say(words.AutoDecided, nod.OneLine(receipt.By))
	case receipt.Via == nod.ViaLease:
		return p.Say(words.AutoByLease, nod.OneLine(receipt.By))
	}
	who := nod.OneLine(receipt.By)
	if receipt.Via != "" {
		who += " (" + nod.OneLine(receipt.Via) + ")"
	}
	switch {
	case who == "":
	case receipt.Step == nod.StepShown:
		return p.Say(words.ShownTo, who)
	case receipt.Step == nod.StepDecided:
		return p.Say(words.DecidedBy, who)
	}
	return p.Step(receipt.Step)
}
