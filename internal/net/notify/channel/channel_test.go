package channel

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"nod/internal/net/notify"
)

func TestNtfy(t *testing.T) {
	seq := sequence("agent:a1")
	f := newFar(t, always(200, `{"id":"x1","time":1,"event":"message","topic":"alerts","sequence_id":"`+seq+`"}`))
	story(t, f.make(t, Settings{Kind: "ntfy", Topic: "alerts", Token: "tk_secret"}))
	loud := `POST / {"topic":"alerts","title":"garden needs you","message":"read · ls <b> [x](y)","priority":4,"tags":["raised_hand"],"click":"https://nod.example/?request=r1",` +
		`"actions":[{"action":"http","label":"Allow","url":"https://nod.example/n/AAA","method":"POST","clear":true},` +
		`{"action":"http","label":"Deny","url":"https://nod.example/n/DDD","method":"POST","clear":true},` +
		`{"action":"view","label":"Open nod","url":"https://nod.example/?request=r1"}],"sequence_id":"` + seq + `"}`
	quiet := `POST / {"topic":"alerts","title":"garden needs you","message":"read · ls <b> [x](y)","priority":2,"tags":["raised_hand"],"click":"https://nod.example/?request=r1",` +
		`"actions":[{"action":"view","label":"Open nod","url":"https://nod.example/?request=r1"}],"sequence_id":"` + seq + `"}`
	f.wants(t, loud, quiet, loud, "DELETE /alerts/"+seq)
	if got := f.header(0, "Authorization"); got != "Bearer tk_secret" {
		t.Errorf("authorization %q", got)
	}
}

func TestOlderNtfyCannotWithdraw(t *testing.T) {
	f := newFar(t, always(200, `{"id":"x1","event":"message","topic":"alerts"}`))
	s := f.make(t, Settings{Kind: "ntfy", Topic: "alerts", User: "anna", Password: "pw"})
	if h, err := s.Show(t.Context(), note(), ""); h != "" || err != nil {
		t.Errorf("%q %v", h, err)
	}
	if got := f.header(0, "Authorization"); got != "Basic YW5uYTpwdw==" {
		t.Errorf("authorization %q", got)
	}
}

func TestDiscord(t *testing.T) {
	f := newFar(t, func(call string) (int, string) {
		if strings.HasPrefix(call, "DELETE") {
			return 204, ""
		}
		return 200, `{"id":"1112","type":0,"channel_id":"5"}`
	})
	story(t, f.make(t, Settings{Kind: "discord", URL: f.URL + "/api/webhooks/7/token?thread_id=3"}))
	loud := `{"embeds":[{"title":"garden needs you","description":"read · ls \\<b\\> \\[x\\]\\(y\\)\n\n[Allow](https://nod.example/n/AAA) · [Deny](https://nod.example/n/DDD) · [Open nod](https://nod.example/?request=r1)",` +
		`"url":"https://nod.example/?request=r1","color":12736268}],"allowed_mentions":{"parse":[]}}`
	quiet := `{"embeds":[{"title":"garden needs you","description":"read · ls \\<b\\> \\[x\\]\\(y\\)\n\n[Open nod](https://nod.example/?request=r1)","url":"https://nod.example/?request=r1","color":12736268}],"allowed_mentions":{"parse":[]},"flags":4096}`
	f.wants(t,
		"POST /api/webhooks/7/token?thread_id=3&wait=true "+loud,
		"PATCH /api/webhooks/7/token/messages/1112?thread_id=3 "+quiet,
		"POST /api/webhooks/7/token?thread_id=3&wait=true "+loud,
		"DELETE /api/webhooks/7/token/messages/1112?thread_id=3",
		`PATCH /api/webhooks/7/token/messages/1112?thread_id=3 {"embeds":[{"title":"Allowed by anna \\(phone\\)","color":9079434}],"allowed_mentions":{"parse":[]},"flags":4096}`)
}

func TestSlackThroughAWebhookAndAsABot(t *testing.T) {
	f := newFar(t, always(200, "ok"))
	story(t, f.make(t, Settings{Kind: "slack", URL: f.URL + "/services/T/B/x"}))
	if len(f.calls) != 3 || !strings.Contains(f.calls[0], `{"type":"section","text":{"type":"plain_text","text":"read · ls <b> [x](y)"}}`) ||
		!strings.Contains(f.calls[0], `<https://nod.example/n/AAA|Allow>  ·  <https://nod.example/n/DDD|Deny>`) {
		t.Errorf("%s", strings.Join(f.calls, "\n"))
	}
	f = newFar(t, always(200, `{"ok":true,"channel":"C9","ts":"1700.1"}`))
	story(t, f.make(t, Settings{Kind: "slack", Token: "xoxb", Chat: "C9"}))
	var got []string
	for _, c := range f.calls {
		got = append(got, fields(t, c, "channel", "ts"))
	}
	want := []string{`POST /chat.postMessage channel="C9"`, `POST /chat.update channel="C9" ts="1700.1"`, `POST /chat.postMessage channel="C9"`, `POST /chat.delete channel="C9" ts="1700.1"`, `POST /chat.update channel="C9" ts="1700.1"`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestPushover(t *testing.T) {
	f := newFar(t, always(200, `{"status":1,"request":"647d2300"}`))
	story(t, f.make(t, Settings{Kind: "pushover", Token: "app", User: "uQi"}))
	want := `POST /1/messages.json {"token":"app","user":"uQi","title":"garden needs you","message":"read · ls &lt;b&gt; [x](y)\n<a href=\"https://nod.example/n/AAA\">Allow</a>\n<a href=\"https://nod.example/n/DDD\">Deny</a>",` +
		`"html":1,"priority":1,"url":"https://nod.example/?request=r1","url_title":"Open nod","timestamp":1780315200,"ttl":120}`
	if len(f.calls) != 3 || f.calls[0] != want {
		t.Errorf("%s\nwant\n%s", f.calls[0], want)
	}
}

func TestGotify(t *testing.T) {
	f := newFar(t, always(200, `{"id":25,"appid":5,"message":"m","date":"2026-06-01T12:00:00Z"}`))
	story(t, f.make(t, Settings{Kind: "gotify", Token: "app", Clear: "client"}))
	loud := `POST /message {"extras":{"client::display":{"contentType":"text/markdown"},"client::notification":{"click":{"url":"https://nod.example/?request=r1"}}},` +
		`"message":"read · ls \\<b\\> \\[x\\]\\(y\\)\n\n[Allow](https://nod.example/n/AAA)\n\n[Deny](https://nod.example/n/DDD)","priority":8,"title":"garden needs you"}`
	if f.calls[0] != loud || f.calls[2] != "DELETE /message/25" || f.calls[5] != "DELETE /message/25" || len(f.calls) != 6 {
		t.Errorf("%s", strings.Join(f.calls, "\n"))
	}
	if f.header(0, "X-Gotify-Key") != "app" || f.header(2, "X-Gotify-Key") != "client" {
		t.Error("the wrong token was used")
	}
	if h, err := newFar(t, always(200, `{"id":25}`)).make(t, Settings{Kind: "gotify", Token: "app"}).Show(t.Context(), note(), ""); h != "" || err != nil {
		t.Errorf("without a client token: %q %v", h, err)
	}
}

func TestAWebhookIsSigned(t *testing.T) {
	f := newFar(t, always(204, ""))
	story(t, f.make(t, Settings{Kind: "webhook", URL: f.URL + "/in", Secret: "s3cret"}))
	body, _ := strings.CutPrefix(f.calls[0], "POST /in ")
	mac := hmac.New(sha256.New, []byte("s3cret"))
	fmt.Fprintf(mac, "%d.%s", noon.Unix(), body)
	if want := fmt.Sprintf("t=%d,v1=%s", noon.Unix(), hex.EncodeToString(mac.Sum(nil))); f.header(0, SignatureHeader) != want {
		t.Errorf("%q, want %q", f.header(0, SignatureHeader), want)
	}
	want := `{"version":1,"type":"note","key":"agent:a1","kind":"waiting","title":"garden needs you","body":"read · ls <b> [x](y)","link":"https://nod.example/?request=r1","lang":"en","at":"2026-06-01T12:00:00Z","until":"2026-06-01T12:02:00Z",` +
		`"agent":{"id":"a1","name":"garden","host":"desk"},"request":"r1","risk":"read","buttons":[{"label":"Allow","verdict":"allow","url":"https://nod.example/n/AAA"},{"label":"Deny","verdict":"deny","url":"https://nod.example/n/DDD"}]}`
	if body != want {
		t.Errorf("%s\nwant\n%s", body, want)
	}
	if got := fields(t, f.calls[3], "type", "kind", "title"); got != `POST /in type="settled" kind="settled" title="Allowed by anna (phone)"` {
		t.Error(got)
	}
}

func TestWebhookHasKeyAndID(t *testing.T) {
	f := newFar(t, always(204, ""))
	s := f.make(t, Settings{Kind: "webhook", URL: f.URL + "/in"})
	for _, id := range []string{"agent:a1 r1", "agent:a1 r1", "agent:a1 r2", ""} {
		n := note()
		n.ID = id
		if _, err := s.Show(t.Context(), n, ""); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for _, call := range f.calls {
		ids = append(ids, fields(t, call, "id"))
	}
	if ids[0] != ids[1] || ids[0] == ids[2] || strings.Contains(f.calls[3], `"id":"nod-`) || !strings.Contains(f.calls[0], `"id":"nod-`) {
		t.Errorf("%q", ids)
	}
}

func TestAServiceOfTheLibrary(t *testing.T) {
	f := newFar(t, always(200, "ok"))
	at := "mattermost://" + strings.TrimPrefix(f.URL, "http://") + "/toktoktok?disabletls=yes"
	s, err := New(Settings{Kind: "shoutrrr", URL: at}, Outside{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Show(t.Context(), note(), ""); err != nil {
		t.Fatal(err)
	}
	if len(f.calls) != 1 || !strings.HasPrefix(f.calls[0], "POST /hooks/toktoktok ") || !strings.Contains(f.calls[0], "Allow: https://nod.example/n/AAA") {
		t.Errorf("%s", f.calls)
	}
	f.answer = always(500, "no")
	_, err = s.Show(t.Context(), note(), "")
	if err == nil || strings.Contains(err.Error(), "toktoktok") {
		t.Errorf("the error tells the token: %v", err)
	}
	if _, err := New(Settings{Kind: "shoutrrr", URL: "teams://x"}, Outside{}); err == nil || !strings.Contains(err.Error(), "matrix") {
		t.Errorf("%v", err)
	}
}

func TestWhatServicesRefuse(t *testing.T) {
	for _, c := range []struct {
		kind, url string
		status    int
		body      string
		want      notify.Outcome
		after     time.Duration
	}{
		{"ntfy", "", 401, `{"code":40101,"http":401,"error":"unauthorized"}`, notify.Broken, 0},
		{"ntfy", "", 413, `{"code":41301}`, notify.Refused, 0},
		{"ntfy", "", 429, "after 7", notify.Later, 7 * time.Second},
		{"discord", "/api/webhooks/7/t", 404, `{"message":"Unknown Webhook","code":10015}`, notify.Broken, 0},
		{"discord", "/api/webhooks/7/t", 429, "after 0.5", notify.Later, 500 * time.Millisecond},
		{"slack", "", 200, `{"ok":false,"error":"channel_not_found"}`, notify.Broken, 0},
		{"slack", "", 200, `{"ok":false,"error":"ratelimited"}`, notify.Later, 0},
		{"slack", "", 200, `{"ok":false,"error":"msg_too_long"}`, notify.Refused, 0},
		{"pushover", "", 400, `{"user":"invalid","errors":["user identifier is invalid"],"status":0}`, notify.Broken, 0},
		{"pushover", "", 400, `{"message":"cannot be blank","status":0}`, notify.Refused, 0},
		{"gotify", "", 401, `{"error":"Unauthorized","errorCode":401}`, notify.Broken, 0},
		{"webhook", "", 503, "", notify.Later, 0},
		{"webhook", "", 302, "", notify.Refused, 0},
		{"telegram", "", 403, `{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}`, notify.Broken, 0},
		{"telegram", "", 400, `{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`, notify.Broken, 0},
		{"telegram", "", 400, `{"ok":false,"error_code":400,"description":"Bad Request: message text is empty"}`, notify.Refused, 0},
		{"telegram", "", 429, `{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":5}}`, notify.Later, 5 * time.Second},
		{"telegram", "", 502, `<html>bad gateway</html>`, notify.Later, 0},
	} {
		f := newFar(t, always(c.status, c.body))
		s := f.make(t, Settings{Kind: c.kind, URL: f.URL + c.url, Topic: "t", Token: "toktoktok", Chat: "42", User: "u"})
		_, err := s.Show(t.Context(), note(), "")
		var fail *notify.Failure
		if !errors.As(err, &fail) || fail.Outcome != c.want || fail.After != c.after {
			t.Errorf("%s %d %s: %v (%+v)", c.kind, c.status, c.body, err, fail)
			continue
		}
		if strings.Contains(err.Error(), "toktoktok") {
			t.Errorf("%s tells its token: %v", c.kind, err)
		}
	}
}

func TestUnreachableServiceIsRetriedAndLogsNoToken(t *testing.T) {
	f := newFar(t, always(200, ""))
	at := f.URL
	f.Close()
	for _, kind := range []string{"ntfy", "telegram", "slack", "pushover", "gotify", "webhook", "discord"} {
		s, err := New(Settings{Kind: kind, URL: at + "/toktoktok", Topic: "t", Token: "toktoktok", Chat: "42", User: "u"}, Outside{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Show(t.Context(), note(), "")
		if fail := notify.FailureOf(err); err == nil || fail.Outcome != notify.Later || strings.Contains(err.Error(), "toktoktok") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestMissingSettingsAreNamed(t *testing.T) {
	for _, c := range []struct {
		s    Settings
		want string
	}{
		{Settings{Kind: "pigeon"}, `unknown kind "pigeon"`}, {Settings{Kind: "ntfy"}, "topic"}, {Settings{Kind: "telegram"}, "BotFather"},
		{Settings{Kind: "telegram", Token: "x", Chat: "me"}, "chat"}, {Settings{Kind: "discord"}, "url"}, {Settings{Kind: "slack", Token: "x"}, "chat"},
		{Settings{Kind: "pushover", Token: "x"}, "user"}, {Settings{Kind: "gotify", URL: "https://g.example"}, "token"}, {Settings{Kind: "webhook", URL: "ftp://x"}, "https://"},
		{Settings{Kind: "email", URL: "mail.example.com"}, "smtps://"}, {Settings{Kind: "email", URL: "smtp://mail.example.com", From: "nod@example.com"}, "to"},
	} {
		if _, err := New(c.s, Outside{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.s.Kind, err, c.want)
		}
	}
}

func TestASecretMasksItself(t *testing.T) {
	s := Settings{Token: "toktoktok"}
	for _, text := range []string{fmt.Sprint(s), fmt.Sprintf("%+v", s), fmt.Sprintf("%#v", s)} {
		if strings.Contains(text, "toktoktok") {
			t.Error(text)
		}
	}
	if b, _ := encode(s); strings.Contains(string(b), "toktoktok") {
		t.Errorf("%s", b)
	}
}

func TestDesktopNotification(t *testing.T) {
	type started struct {
		name      string
		args, env []string
	}
	for _, c := range []struct{ system, want string }{
		{"linux", "notify-send|--app-name=nod|--print-id|--urgency=critical|--|-e $(x)|ls &lt;b&gt;\nnotify-send|--app-name=nod|--urgency=low|--expire-time=4000|--replace-id=17|--|Allowed by anna (phone)|"},
		{"darwin", `osascript|-e|on run argv|-e|display notification (item 2 of argv) with title (item 1 of argv)|-e|end run|--|-e $(x)|ls <b>`},
	} {
		var got []string
		s, err := desktopFor(c.system, Outside{Run: func(_ context.Context, name string, args, _ []string) (string, error) {
			got = append(got, strings.Join(append([]string{name}, args...), "|"))
			return "17\n", nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		n := note()
		n.Title, n.Body = "-e $(x)", "ls <b>"
		h, err := s.Show(t.Context(), n, "")
		if err == nil && h != "" {
			err = s.Settle(t.Context(), h, settled())
		}
		if err != nil || strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %v\n%s", c.system, err, strings.Join(got, "\n"))
		}
	}
	var one started
	s, _ := desktopFor("windows", Outside{Run: func(_ context.Context, name string, args, env []string) (string, error) {
		one = started{name, args, env}
		return "", nil
	}})
	n := note()
	n.Title = `'; rm "x`
	if _, err := s.Show(t.Context(), n, ""); err != nil || strings.Contains(strings.Join(one.args, " "), "rm") || one.env[0] != `NOD_NOTE_TITLE='; rm "x` {
		t.Errorf("%v %+v", err, one)
	}
	if _, err := desktopFor("plan9", Outside{}); err == nil {
		t.Error("plan9 has a screen")
	}
}

func TestNoRedirectIsFollowed(t *testing.T) {
	var elsewhere bool
	other := newFar(t, func(string) (int, string) { elsewhere = true; return 200, "{}" })
	f := newFar(t, always(200, ""))
	f.Config.Handler = http.RedirectHandler(other.URL, http.StatusTemporaryRedirect)
	if _, err := f.make(t, Settings{Kind: "webhook"}).Show(t.Context(), note(), ""); err == nil || elsewhere {
		t.Errorf("%v, elsewhere %v", err, elsewhere)
	}
}
