package httpd

import (
	"net/http"

	"nod"
)

// ProofHeader carries the ticket for a confirmation with a passkey.
const ProofHeader = "Nod-Proof"

// prove marks an actor who has confirmed the request it is about to answer. An
// invalid ticket is no error here: a denial needs none, and the hub says what an
// allow still needs. If the ticket cannot be checked it is an error, because
// another confirmation would not help.
func (g *Gate) prove(r *http.Request, rt Route, who nod.Actor) (nod.Actor, error) {
	ticket, id := r.Header.Get(ProofHeader), nod.RequestID(r.PathValue("id"))
	if ticket == "" || id == "" || rt.Right != nod.Answering || g.Proof == nil {
		return who, nil
	}
	confirmed, err := g.Proof(r.Context(), who, ticket, id)
	if err == nil && confirmed {
		who.Proven = id
	}
	return who, err
}
