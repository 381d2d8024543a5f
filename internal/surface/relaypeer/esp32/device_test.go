package esp32

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func call(t *testing.T, d *Device, method, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://device"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer 12345678")
	w, err := d.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, string(text)
}

func post(t *testing.T, d *Device, body string) string {
	t.Helper()
	status, text := call(t, d, "POST", "/permission-request", body)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || status != 200 {
		t.Fatal(status, text)
	}
	return made.ID
}

func TestAnswersLikeTheFirmware(t *testing.T) {
	d := New(time.Now)
	id := post(t, d, `{"tool_name":"Bash","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"No"}]}`)
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/health", "", 200, `{"status":"ok"}`},
		{"POST", "/permission-request", "", 400, `{"error":"empty body"}`},
		{"POST", "/permission-request", `{"message":"` + strings.Repeat("x", MostCreate) + `"}`, 400, `{"error":"invalid json"}`},
		{"GET", "/permission-request/nobody/response", "", 404, `{"error":"not found"}`},
		{"GET", "/permission-request/" + id + "/response", "", 200, `{"id":"` + id + `","response":null,"responded_at":null,"send_key":null}`},
		{"POST", "/permission-request/" + id + "/respond", `{}`, 400, `{"error":"response or choice is required"}`},
		{"POST", "/permission-request/" + id + "/respond", `{"response":"maybe"}`, 400, `{"error":"invalid response value"}`},
		{"POST", "/permission-request/" + id + "/respond", `{"choice":2}`, 200, `{"ok":true}`},
		{"POST", "/permission-request/" + id + "/respond", `{"choice":1}`, 404, `{"error":"already responded"}`},
		{"POST", "/permission-request/" + id + "/cancel", "", 404, `{"error":"not found or already responded"}`},
		{"POST", "/notify", `{"title":"Done"}`, 200, `{"ok":true}`},
		{"GET", "/elsewhere", "", 404, `{"error":"invalid uri"}`},
	} {
		if status, text := call(t, d, c.method, c.path, c.body); status != c.status || text != c.want {
			t.Errorf("%s %s %.40s: %d %s, want %d %s", c.method, c.path, c.body, status, text, c.status, c.want)
		}
	}
	if _, text := call(t, d, "GET", "/permission-request/"+id+"/response", ""); !strings.Contains(text, `"response":"deny"`) || !strings.Contains(text, `"send_key":"2"`) {
		t.Errorf("the last choice is %s", text)
	}
}

func TestOnlyTheLengthOfAKeyIsChecked(t *testing.T) {
	d := New(time.Now)
	for key, want := range map[string]int{"": 401, "Bearer 1234567": 401, "bearer 12345678": 401, "Bearer 12345678": 200, "Bearer " + strings.Repeat("k", 129): 401} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://device/permission-requests", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", key)
		w, err := d.RoundTrip(r)
		if err != nil || w.StatusCode != want {
			t.Errorf("%q: %v %v, want %d", key, w, err, want)
		}
	}
}

func TestTextsAreCutInTheMiddleOfACharacter(t *testing.T) {
	d := New(time.Now)
	post(t, d, `{"hostname":"h","description":"`+strings.Repeat("許", 300)+`","choices":[{"number":300,"text":"`+strings.Repeat("許", 20)+`"}]}`)
	s := d.Screen()
	if len(s.Message) != MessageText || len(s.Choices[0].Text) != ChoiceText || s.Choices[0].Number != 300%256 {
		t.Errorf("%d bytes of message, %+v", len(s.Message), s.Choices)
	}
	if _, text := call(t, d, "GET", "/permission-requests", ""); !strings.Contains(text, "\xe8\"") {
		t.Errorf("half a letter should go out as it is: %q", text)
	}
}

func TestFullDeviceEvictsTheOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(time.Now)
		var ids []string
		for i := range Slots + 2 {
			time.Sleep(time.Millisecond)
			if i == Slots { // one is answered: its slot is taken first
				if status, text := call(t, d, "POST", "/permission-request/"+ids[3]+"/cancel", ""); status != 200 {
					t.Fatal(text)
				}
			}
			ids = append(ids, post(t, d, fmt.Sprintf(`{"tmux_target":"t%d"}`, i)))
		}
		for i, id := range ids {
			want := 200
			if i == 3 || i == 0 {
				want = 404
			}
			if status, _ := call(t, d, "GET", "/permission-request/"+id+"/response", ""); status != want {
				t.Errorf("request %d: %d, want %d", i, status, want)
			}
		}
	})
}

func TestClockStartsAtBoot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(time.Now)
		time.Sleep(90 * time.Second)
		id := post(t, d, `{"timeout":10}`)
		if _, text := call(t, d, "GET", "/permission-requests", ""); !strings.Contains(text, `"created_at":90000,"expires_at":100000`) {
			t.Error(text)
		}
		time.Sleep(11 * time.Second)
		if _, text := call(t, d, "GET", "/permission-request/"+id+"/response", ""); !strings.Contains(text, `"response":"expired","responded_at":101000`) {
			t.Error(text)
		}
		time.Sleep(6 * time.Minute)
		if status, _ := call(t, d, "GET", "/permission-request/"+id+"/response", ""); status != 404 {
			t.Errorf("after six minutes: %d", status)
		}
		d.Reboot()
		post(t, d, `{}`)
		if _, text := call(t, d, "GET", "/permission-requests", ""); !strings.Contains(text, `"created_at":0,`) {
			t.Error(text)
		}
	})
}

// This is why nod puts only one request at a time on a device.
func TestFirmwareMayAnswerAnotherRequestThanItShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(time.Now)
		for i := range 3 {
			if i == 2 {
				d.Press(C)
			}
			time.Sleep(time.Second)
			post(t, d, fmt.Sprintf(`{"tmux_target":"t%d","choices":[{"number":1,"text":"Yes"}]}`, i))
		}
		if shown, answered := d.Screen().Target, d.Press(A); shown != "t2" || answered != "t1" {
			t.Errorf("shown %s, answered %s", shown, answered)
		}
	})
}
