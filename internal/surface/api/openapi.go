package api

import (
	_ "embed"
	"net/http"
)

// description is generated: go test ./internal/surface/api -run TestOpenAPI -update
//
//go:embed openapi.json
var description []byte

func openapi(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(description)
	return nil
}
