package httpd

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	v1 "nod/internal/client/v1"

	"nod"
)

// FailureOf reduces an error to what clients may see.
func FailureOf(err error) v1.Failure {
	return v1.Failure{Error: v1.Error{Code: nod.CodeOf(err), Message: nod.MessageOf(err)}, Request: nod.WinnerOf(err)}
}

// StatusOf maps nod's error codes to HTTP statuses.
func StatusOf(err error) int {
	var verb *methodNotAllowed
	if errors.As(err, &verb) {
		return http.StatusMethodNotAllowed
	}
	switch nod.CodeOf(err) {
	case nod.Invalid:
		return http.StatusBadRequest
	case nod.Unauthorized:
		return http.StatusUnauthorized
	case nod.Forbidden, nod.ProofNeeded:
		return http.StatusForbidden
	case nod.NotFound:
		return http.StatusNotFound
	case nod.Conflict, nod.Unreachable:
		return http.StatusConflict
	case nod.Gone:
		return http.StatusGone
	case nod.TooLarge:
		return http.StatusRequestEntityTooLarge
	case nod.Unprocessable:
		return http.StatusUnprocessableEntity
	case nod.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// StatusOfTrouble does the same for a question that got no answer.
func StatusOfTrouble(t nod.Trouble) int {
	switch t {
	case nod.TroubleLimit:
		return http.StatusTooManyRequests
	case nod.TroubleRefused:
		return http.StatusForbidden
	case nod.TroubleTimeout:
		return http.StatusGatewayTimeout
	case nod.TroubleLogin, nod.TroubleProgram, nod.TroubleBusy, nod.TroubleRestart, nod.TroubleStopped:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadGateway
}

// writeError sends an error response. It is the only place that does.
func writeError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	status := StatusOf(err)
	level := slog.LevelDebug
	switch {
	case status == http.StatusInternalServerError:
		level = slog.LevelError
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusServiceUnavailable:
		level = slog.LevelInfo
	}
	log.Log(r.Context(), level, "request failed", logAttrs(r, "method", r.Method, "path", r.URL.Path, "status", status, "err", err)...)
	var verb *methodNotAllowed
	if errors.As(err, &verb) {
		w.Header().Set("Allow", verb.allowed)
	}
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="nod"`)
	}
	// A handler may have set headers before it failed.
	w.Header().Del("Content-Length")
	body, encodeErr := json.Marshal(FailureOf(err))
	if encodeErr != nil {
		log.Error("an error could not be told", "err", encodeErr)
		body = []byte(`{"error":{"code":"internal","message":"Something went wrong inside nod; its log has the details."}}`)
	}
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
