package claude

import (
	"net/http"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/net/httpd"
)

// Routes are the hook's doors. They take the right to raise and no other, which
// every process of this user has on the local socket.
func (in *Intake) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "POST", Path: wire.Intake, Right: nod.Raise, What: "raise a request", Body: maxPayload, Handle: in.Take},
		{Method: "POST", Path: wire.Intake + "/{id}", Right: nod.Raise, What: "speak for the hook of request", Handle: in.takeWord},
	}
}

func (in *Intake) takeWord(w http.ResponseWriter, r *http.Request) error {
	var word wire.HookReport
	if err := httpd.Decode(w, r, &word); err != nil {
		return err
	}
	if err := in.driver.Hear(r.Context(), nod.RequestID(r.PathValue("id")), word); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
