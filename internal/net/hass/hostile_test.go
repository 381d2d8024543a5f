package hass_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod/internal/net/hass"
)

// A server that claims to be Home Assistant may send anything: the call ends, and
// nothing else breaks.
func TestGarbageEndsOnlyTheCall(t *testing.T) {
	for name, frame := range map[string]string{
		"no JSON":              "}{",
		"a list":               `[{"id":1,"type":"result","success":true}]`,
		"a number":             `7`,
		"an id that is text":   `{"id":"1","type":"result","success":true}`,
		"a failure of nothing": `{"id":1,"type":"result","success":false}`,
		"a result that is odd": `{"id":1,"type":"result","success":true,"result":"x"}`,
		"an event for nobody":  `{"id":99,"type":"event","event":{}}` + "\x00",
		"far too much":         `{"id":1,"type":"result","success":true,"result":["` + strings.Repeat("x", 33<<20) + `"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ws, err := websocket.Accept(w, r, nil)
				if err != nil {
					return
				}
				defer func() { _ = ws.CloseNow() }()
				_ = ws.Write(r.Context(), websocket.MessageText, []byte(`{"type":"auth_required"}`))
				_, _, _ = ws.Read(r.Context())
				_ = ws.Write(r.Context(), websocket.MessageText, []byte(`{"type":"auth_ok","ha_version":"\u001b[31mred"}`))
				_, _, _ = ws.Read(r.Context())
				_ = ws.Write(r.Context(), websocket.MessageText, []byte(frame))
				_, _, _ = ws.Read(r.Context()) // until the client leaves
			}))
			defer server.Close()
			client, err := hass.New(hass.Options{URL: server.URL, Token: func() (string, error) { return "t", nil }})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			err = client.Once(ctx, func(ctx context.Context) error {
				_, err := client.Entities(ctx)
				return err
			})
			if err == nil || ctx.Err() != nil {
				t.Errorf("%v, %v", err, ctx.Err())
			}
			if strings.Contains(client.Version(), "\x1b") {
				t.Errorf("version %q", client.Version())
			}
		})
	}
}

// A redirect would carry the token elsewhere.
func TestRedirectIsNotFollowed(t *testing.T) {
	reached := make(chan struct{}, 1)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- struct{}{} }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer server.Close()
	client, err := hass.New(hass.Options{URL: server.URL, Token: func() (string, error) { return "t", nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Once(t.Context(), client.Ping); err == nil {
		t.Error("it takes that for Home Assistant")
	}
	if len(reached) > 0 {
		t.Error("it went elsewhere")
	}
}
