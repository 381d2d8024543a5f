package api_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"nod/internal/net/httpd"
	"nod/internal/surface/transcript"
)

type object = map[string]any

func TestOpenAPIIsUpToDate(t *testing.T) {
	g := newRig(t)
	want := document(t, g.routes)
	if *transcript.Update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("openapi.json is stale: go test ./internal/surface/api -run TestOpenAPI -update")
	}
	if w := g.send("GET", "/v1/openapi.json", "", ""); w.Code != 200 || !bytes.Equal(w.Body.Bytes(), got) {
		t.Errorf("served is something else: %d, %d bytes", w.Code, w.Body.Len())
	}
}

// document builds the description from the routes and the Go types.
func document(t *testing.T, routes []httpd.Route) []byte {
	t.Helper()
	paths := object{}
	seen := 0
	for _, rt := range routes {
		op, ok := operations[rt.Method+" "+rt.Path]
		if !ok {
			t.Errorf("%s %s is not described", rt.Method, rt.Path)
			continue
		}
		seen++
		if paths[rt.Path] == nil {
			paths[rt.Path] = object{}
		}
		paths[rt.Path].(object)[strings.ToLower(rt.Method)] = describeRoute(t, rt, op)
	}
	if seen != len(operations) {
		t.Errorf("%d routes, %d descriptions", seen, len(operations))
	}
	doc := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "nod", "version": "1",
			"description": "See and answer what coding agents ask. Errors are a Failure; its code is for programs, its message for people. " +
				"On the hub's own machine the Unix socket nod.sock in the data directory needs no token.",
		},
		"security":   []any{object{"token": []any{}}},
		"paths":      paths,
		"components": object{"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "nod token create, or nod pair."}}, "schemas": schemas(t)},
	}
	body, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(body, '\n')
}

func describeRoute(t *testing.T, rt httpd.Route, op operation) object {
	t.Helper()
	responses := object{"default": failure("Any other failure.")}
	for status, v := range op.out {
		responses[strconv.Itoa(status)] = success(t, v)
	}
	for _, status := range failures(rt, op) {
		responses[strconv.Itoa(status)] = failure(meaning[status])
	}
	o := object{"operationId": op.id, "summary": op.summary, "responses": responses}
	if params := parameters(rt, op); len(params) > 0 {
		o["parameters"] = params
	}
	if op.in != nil {
		o["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": reference(t, op.in)}}}
	}
	if rt.Open {
		o["security"] = []any{}
	} else {
		o["x-nod-right"] = rt.Right.String()
	}
	return o
}

// failures are the statuses of a route that mean a failure.
func failures(rt httpd.Route, op operation) []int {
	if rt.Open {
		return op.fails
	}
	if rt.Right == 0 {
		return append([]int{401}, op.fails...)
	}
	return append([]int{401, 403}, op.fails...)
}

var meaning = map[int]string{
	400: "It cannot be understood.", 401: "Who are you?", 403: "You may not.", 404: "There is no such thing.",
	409: "Someone was first: request tells how it was settled.", 410: "It is not in the log, or no longer.", 413: "More than is accepted.",
	422: "Understood, but it does not fit this request.", 503: "Not now.",
}

func failure(about string) object {
	return object{"description": about, "content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Failure"}}}}
}

func success(t *testing.T, v any) object {
	t.Helper()
	switch v := v.(type) {
	case nil:
		return object{"description": "Done."}
	case text:
		return object{"description": "Text.", "content": object{string(v): object{"schema": object{}}}}
	}
	return object{"description": "It worked.", "content": object{"application/json": object{"schema": reference(t, v)}}}
}

func reference(t *testing.T, v any) object {
	t.Helper()
	for name, c := range components {
		if reflect.TypeOf(c) == reflect.TypeOf(v) {
			return object{"$ref": "#/components/schemas/" + name}
		}
	}
	t.Fatalf("%T has no name in the description", v)
	return nil
}

func parameters(rt httpd.Route, op operation) []any {
	var list []any
	if strings.Contains(rt.Path, "{id}") {
		list = append(list, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, p := range op.query {
		list = append(list, object{"name": p.name, "in": p.in, "description": p.about, "schema": object{"type": p.kind}})
	}
	return list
}
