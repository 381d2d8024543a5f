package fakepush

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What a real service refuses, this one does too: otherwise tests would be green
// where phones stay silent.
func TestInvalidMessagesAreRefused(t *testing.T) {
	s := New()
	bound := s.Subscribe("some other key")
	good := map[string]string{"TTL": "60", "Content-Encoding": "aes128gcm", "Authorization": exampleOfRFC8292}
	for name, tt := range map[string]struct {
		endpoint string
		header   map[string]string
		body     string
		status   int
		why      string
	}{
		"nobody there":      {s.URL() + "/push/x", nil, "", http.StatusNotFound, ""},
		"no TTL":            {bound.Endpoint, map[string]string{"TTL": ""}, "", http.StatusBadRequest, "TTL"},
		"not encrypted":     {bound.Endpoint, map[string]string{"Content-Encoding": ""}, "{}", http.StatusBadRequest, "aes128gcm"},
		"a long topic":      {bound.Endpoint, map[string]string{"Topic": strings.Repeat("x", 33)}, "", http.StatusBadRequest, "topic"},
		"an odd topic":      {bound.Endpoint, map[string]string{"Topic": "a.b"}, "", http.StatusBadRequest, "topic"},
		"too large":         {bound.Endpoint, nil, strings.Repeat("x", maxBody+1), http.StatusRequestEntityTooLarge, ""},
		"no signature":      {bound.Endpoint, map[string]string{"Authorization": ""}, "", http.StatusForbidden, "no vapid"},
		"a broken one":      {bound.Endpoint, map[string]string{"Authorization": strings.Replace(exampleOfRFC8292, "i3CYb7t4", "i3CYb7t5", 1)}, "", http.StatusForbidden, "signature is wrong"},
		"for somebody else": {bound.Endpoint, nil, "", http.StatusForbidden, "the audience is"},
	} {
		r := httptest.NewRequest(http.MethodPost, tt.endpoint, strings.NewReader(tt.body))
		for _, header := range []map[string]string{good, tt.header} {
			for k, v := range header {
				r.Header.Set(k, v)
			}
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.why) {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, tt.status)
		}
	}
	if got := bound.Received(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// The example of RFC 8292, section 2.4: a true signature for another service, and
// long expired.
const exampleOfRFC8292 = "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
