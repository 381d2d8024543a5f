package httpd

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"testing"
)

func TestOpenStreamsAreCounted(t *testing.T) {
	ended := make(chan struct{}, 3)
	handler := Handle(quiet, func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.Path != "/stream" {
			_, err := io.WriteString(w, strconv.FormatInt(Streams(r.Context()), 10))
			return err
		}
		s, ctx := NewStream(w, r)
		<-ctx.Done()
		s.Close()
		s.Close() // twice must not count twice
		ended <- struct{}{}
		return nil
	})
	s, _, _ := start(t, Config{Listen: "127.0.0.1:0", Handler: handler})
	count := func() string {
		res, err := http.Get(s.URL() + "/")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return string(text)
	}
	var stops []context.CancelFunc
	for range 3 {
		ctx, stop := context.WithCancel(t.Context())
		stops = append(stops, stop)
		r, _ := http.NewRequestWithContext(ctx, "GET", s.URL()+"/stream", nil)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
	}
	if got := count(); got != "3" {
		t.Errorf("%s are open, want 3", got)
	}
	for _, stop := range stops {
		stop()
		<-ended
	}
	if got := count(); got != "0" {
		t.Errorf("%s are open after all went, want 0", got)
	}
}
