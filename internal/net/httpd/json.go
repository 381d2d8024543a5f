package httpd

import (
	"encoding/json"
	"net/http"
)

const jsonType = "application/json; charset=utf-8"

// JSON responds with a value. It encodes before it sends anything, so that a value
// that cannot be encoded still becomes an error response.
func JSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // an error means that the client is gone
	return nil
}

// NoContent responds without a body.
func NoContent(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}
