package channel

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"nod/internal/net/notify"
)

func TestTelegram(t *testing.T) {
	f := newFar(t, func(call string) (int, string) {
		if strings.Contains(call, "/sendMessage") {
			return 200, `{"ok":true,"result":{"message_id":77,"chat":{"id":42,"type":"private"},"date":1}}`
		}
		return 200, `{"ok":true,"result":true}`
	})
	s := f.make(t, Settings{Kind: "telegram", Token: "123:abc", Chat: "42"})
	n := note()
	for i := range n.Buttons {
		n.Buttons[i].URL, n.Buttons[i].Code = "", strings.Repeat(string(rune('A'+i)), 43)
	}
	first, err := s.Show(t.Context(), n, "")
	if err != nil || first != "77" {
		t.Fatalf("%q %v", first, err)
	}
	silent := n
	silent.Silent, silent.Buttons = true, nil
	if h, err := s.Show(t.Context(), silent, first); err != nil || h != "77" {
		t.Fatalf("%q %v", h, err)
	}
	if _, err := s.Show(t.Context(), n, first); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context(), first, settled()); err != nil {
		t.Fatal(err)
	}
	text := `"text":"garden needs you\nread · ls <b> [x](y)","entities":[{"type":"bold","offset":0,"length":16}],"link_preview_options":{"is_disabled":true}`
	open := `[{"text":"Open nod","url":"https://nod.example/?request=r1"}]`
	loud := `POST /bot123:abc/sendMessage {"chat_id":42,` + text + `,"reply_markup":{"inline_keyboard":[[{"text":"Allow","callback_data":"` + strings.Repeat("A", 43) +
		`"},{"text":"Deny","callback_data":"` + strings.Repeat("B", 43) + `"}],` + open + `]}}`
	f.wants(t, loud,
		`POST /bot123:abc/editMessageText {"chat_id":42,"message_id":77,`+text+`,"reply_markup":{"inline_keyboard":[`+open+`]},"disable_notification":true}`,
		loud, `POST /bot123:abc/deleteMessage {"chat_id":42,"message_id":77}`,
		`POST /bot123:abc/editMessageText {"chat_id":42,"message_id":77,"text":"Allowed by anna (phone)","entities":[{"type":"bold","offset":0,"length":23}],"link_preview_options":{"is_disabled":true},"disable_notification":true}`)
}

func TestTelegramGetsNoLinkToAPrivateAddress(t *testing.T) {
	f := newFar(t, always(200, `{"ok":true,"result":{"message_id":1}}`))
	n := note()
	n.Buttons, n.Link = nil, "http://192.168.1.5:8742/?request=r1"
	if _, err := f.make(t, Settings{Kind: "telegram", Token: "123:abc", Chat: "42"}).Show(t.Context(), n, ""); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(f.calls[0], "inline_keyboard") || !strings.Contains(f.calls[0], `\nhttp://192.168.1.5:8742/?request=r1"`) {
		t.Error(f.calls[0])
	}
}

func TestAnEditThatChangesNothingIsFine(t *testing.T) {
	for text, fine := range map[string]bool{"message is not modified: x": true, "message to edit not found": true, "message can't be edited": true, "message is too long": false} {
		f := newFar(t, always(400, `{"ok":false,"error_code":400,"description":"Bad Request: `+text+`"}`))
		if err := f.make(t, Settings{Kind: "telegram", Token: "1:a", Chat: "42"}).Settle(t.Context(), "77", settled()); (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestOnlyTheConfiguredChatIsHeard(t *testing.T) {
	press := func(id int, chat, from int64, data string) string {
		return fmt.Sprintf(`{"update_id":%d,"callback_query":{"id":"q%d","from":{"id":%d},"message":{"message_id":1,"chat":{"id":%d}},"data":%q}}`, id, id, from, chat, data)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var offsets []any
	f := newFar(t, nil)
	f.answer = func(call string) (int, string) {
		if !strings.Contains(call, "/getUpdates") {
			return 200, `{"ok":true,"result":true}`
		}
		var in map[string]any
		_ = json.Unmarshal([]byte(call[strings.Index(call, "{"):]), &in)
		offsets = append(offsets, in["offset"])
		switch len(offsets) {
		case 1:
			return 200, `{"ok":true,"result":[` + press(10, 42, 42, "mine") + "," + press(11, 666, 666, "theirs") + "," + press(12, 42, 666, "a guest's") + `,{"update_id":13,"message":{}}]}`
		default:
			cancel()
			return 200, `{"ok":true,"result":[]}`
		}
	}
	var heard []string
	s := f.make(t, Settings{Kind: "telegram", Token: "123:abc", Chat: "42"})
	s.(notify.Listener).Listen(ctx, func(_ context.Context, code string) string {
		heard = append(heard, code)
		return "Allowed"
	})
	if strings.Join(heard, ",") != "mine" {
		t.Errorf("heard %q", heard)
	}
	if len(offsets) != 2 || offsets[0] != 0.0 || offsets[1] != 14.0 {
		t.Errorf("offsets %v", offsets)
	}
	f.wants(t,
		`POST /bot123:abc/getUpdates {"allowed_updates":["callback_query"],"offset":0,"timeout":50}`,
		`POST /bot123:abc/answerCallbackQuery {"callback_query_id":"q10","text":"Allowed"}`,
		`POST /bot123:abc/answerCallbackQuery {"callback_query_id":"q11","text":""}`,
		`POST /bot123:abc/answerCallbackQuery {"callback_query_id":"q12","text":""}`,
		`POST /bot123:abc/getUpdates {"allowed_updates":["callback_query"],"offset":14,"timeout":50}`)
}

func TestInAGroupOnlyNamedPeopleAnswer(t *testing.T) {
	s, err := newTelegram(Settings{Token: "1:a", Chat: "-100", Users: []int64{7}, URL: "http://127.0.0.1:1"}, Outside{})
	if err != nil || len(s.users) != 1 || s.users[0] != 7 {
		t.Errorf("%v %v", s, err)
	}
	if s, _ = newTelegram(Settings{Token: "1:a", Chat: "-100", URL: "http://127.0.0.1:1"}, Outside{}); len(s.users) != 0 {
		t.Errorf("a whole group may answer: %v", s.users)
	}
}
