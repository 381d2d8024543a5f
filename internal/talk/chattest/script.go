package chattest

import (
	"encoding/json"
	"fmt"
	"strings"

	"nod"
	"nod/internal/talk/scripted"
)

// script is the assistant. The first word says what it does.
func (g *Rig) script(turn *scripted.Turn) {
	var agent *nod.Agent
	g.Hub.Look(func(s *nod.State) { agent = s.Agents[turn.Message.Agent] })
	verb, rest, _ := strings.Cut(turn.Message.Text, " ")
	switch verb {
	case "told":
		turn.Reply(fmt.Sprintf("Hints: %q. Hint: %q.", agent.Talk.Hints, turn.Message.Hint))
	case "fail":
		turn.Fail(nod.Trouble(rest), "The log has more.")
	case "refuse":
		turn.Refuse(nod.TroubleRefused, "A rule says no.")
	case "wait", "break":
		for step := <-g.Steps; step != "end"; step = <-g.Steps {
			turn.Piece(step)
		}
		if verb == "break" {
			turn.Fail(nod.TroubleCrash, "It broke.")
		}
	case "run", "wipe", "fetch":
		risk := map[string]string{"run": "write", "wipe": "destructive", "fetch": "network"}[verb]
		input, _ := json.Marshal(map[string]string{"command": rest})
		r := turn.Ask(nod.Request{ID: nod.RequestID("request-" + turn.Message.ID), Tool: "Bash", Title: "Bash: " + rest, Input: input, OneTap: true, Risk: &nod.Risk{Level: risk}})
		if r != nil && r.Decision != nil {
			turn.Reply("It was answered: " + string(r.Decision.Verdict) + ".")
		}
	case "choose":
		r := turn.Ask(nod.Request{
			ID: nod.RequestID("request-" + turn.Message.ID), Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which room?",
			Questions: []nod.Question{{Text: "Which room?", FreeText: true, Choices: []nod.Choice{{Label: "Kitchen"}, {Label: "Garden"}}}},
		})
		if r != nil && r.Decision != nil {
			turn.Reply("You chose " + r.Decision.Answers["Which room?"].Joined() + ".")
		}
	default:
		turn.Reply(fmt.Sprintf("%s: question %d of this conversation.", turn.Message.Text, agent.Talk.Turns+1))
	}
}
