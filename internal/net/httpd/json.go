package httpd

import (
	"encoding/json"
	"net/http"
)

const jsonType = "application/json; charset=utf-8"

// JSON answers with a value. It is encoded before anything is sent, so that a
// value that cannot be encoded is still a proper error.
func JSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // whoever asked has gone: nobody is left to tell
	return nil
}

// NoContent answers that it is done and there is nothing to say.
func NoContent(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}
