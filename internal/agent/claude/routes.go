package claude

import (
	"net/http"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/net/httpd"
)

// routes are what hooks call. They need the right to raise and no other, which
// every process of this user has on the local socket.
func (in *intake) routes() []httpd.Route {
	return []httpd.Route{
		{Method: "POST", Path: wire.Intake, Right: nod.Raise, What: "raise a request", Body: maxPayload, Handle: in.take},
		{Method: "POST", Path: wire.Intake + "/{id}", Right: nod.Raise, What: "speak for the hook of request", Handle: in.takeReport},
	}
}

func (in *intake) takeReport(w http.ResponseWriter, r *http.Request) error {
	var report wire.HookReport
	if err := httpd.Decode(w, r, &report); err != nil {
		return err
	}
	if err := in.driver.HandleReport(r.Context(), nod.RequestID(r.PathValue("id")), report); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
