package httpd

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// sink discards everything.
type sink struct{}

func (sink) Header() http.Header              { return http.Header{} }
func (sink) Write(b []byte) (int, error)      { return len(b), nil }
func (sink) WriteHeader(int)                  {}
func (sink) Flush()                           {}
func (sink) SetWriteDeadline(time.Time) error { return nil }

// One event to one follower; a thousand followers cost a thousand times this.
func BenchmarkSend(b *testing.B) {
	s, _ := NewStream(sink{}, httptest.NewRequest("GET", "/", nil))
	defer s.Close()
	body := bytes.Repeat([]byte("x"), 2048)
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Send(1, body)
	}
}
