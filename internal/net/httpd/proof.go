package httpd

import (
	"net/http"

	"nod"
)

// ProofHeader carries the ticket that a person got for a passkey.
const ProofHeader = "Nod-Proof"

// prove marks an actor that has confirmed the request it is about to answer. A
// ticket that does not count is no error here: to deny takes none, and the hub
// says what an allow still needs. That nobody can tell is one: to ask for another
// touch would not help.
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
