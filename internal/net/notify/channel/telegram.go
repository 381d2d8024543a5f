package channel

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"nod"
	"nod/internal/net/notify"
)

// telegram is a bot that writes to one chat. It polls Telegram for button presses, so the hub needs no public
// address.
type telegram struct {
	Outside
	base  string // contains the token: never shown
	chat  int64
	users []int64
}

func newTelegram(s Settings, o Outside) (*telegram, error) {
	server, err := address(s, "https://api.telegram.org")
	if err != nil {
		return nil, err
	}
	if s.Token.Reveal() == "" {
		return nil, missing(s.Kind, "token_file, with the token that @BotFather gave")
	}
	chat, err := strconv.ParseInt(s.Chat, 10, 64)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "a channel of kind telegram needs chat, the number of a chat: write to your bot, then ask @userinfobot who you are")
	}
	users := s.Users
	if len(users) == 0 && chat > 0 {
		users = []int64{chat} // a private chat has its person's id
	}
	return &telegram{Outside: o, base: server + "/bot" + s.Token.Reveal() + "/", chat: chat, users: users}, nil
}

type telegramMessage struct {
	Chat     int64             `json:"chat_id"`
	Message  int64             `json:"message_id,omitempty"`
	Text     string            `json:"text"`
	Entities []telegramEntity  `json:"entities,omitempty"`
	Preview  map[string]bool   `json:"link_preview_options"`
	Markup   *telegramKeyboard `json:"reply_markup,omitempty"`
	Silent   bool              `json:"disable_notification,omitempty"`
}

// telegramEntity makes the title bold by its position: agents' text is never parsed as markup.
type telegramEntity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
}

type telegramKeyboard struct {
	Rows [][]telegramButton `json:"inline_keyboard"`
}

type telegramButton struct {
	Text string `json:"text"`
	Data string `json:"callback_data,omitempty"`
	URL  string `json:"url,omitempty"`
}

func (c *telegram) message(n notify.Note) telegramMessage {
	text := n.Title
	if n.Body != "" {
		text += "\n" + n.Body
	}
	m := telegramMessage{Chat: c.chat, Preview: map[string]bool{"is_disabled": true}, Silent: n.Silent}
	var rows [][]telegramButton
	var answers []telegramButton
	for _, b := range n.Buttons {
		answers = append(answers, telegramButton{Text: b.Label, Data: b.Code})
	}
	if len(answers) > 0 {
		rows = append(rows, answers)
	}
	switch {
	case n.Link == "":
	case public(n.Link):
		rows = append(rows, []telegramButton{{Text: n.Open, URL: n.Link}})
	default: // Telegram refuses buttons with a local address
		text += "\n" + n.Link
	}
	m.Text = within(text, 4000)
	m.Entities = []telegramEntity{{Type: "bold", Length: len(utf16.Encode([]rune(n.Title)))}}
	if len(rows) > 0 {
		m.Markup = &telegramKeyboard{rows}
	}
	return m
}

func public(link string) bool {
	u, err := url.Parse(link)
	return err == nil && u.Scheme == "https" && strings.Contains(u.Hostname(), ".") && !strings.HasSuffix(u.Hostname(), ".local")
}

// Show implements notify.Sender.
func (c *telegram) Show(ctx context.Context, n notify.Note, old notify.Handle) (notify.Handle, error) {
	m := c.message(n)
	id, _ := strconv.ParseInt(string(old), 10, 64)
	if n.Silent && id != 0 {
		m.Message = id
		return old, unchanged(c.method(ctx, "editMessageText", m, nil))
	}
	var sent struct {
		ID int64 `json:"message_id"`
	}
	if err := c.method(ctx, "sendMessage", m, &sent); err != nil {
		return "", err
	}
	if id != 0 { // only now: there is never a moment without a note
		_ = c.method(ctx, "deleteMessage", map[string]int64{"chat_id": c.chat, "message_id": id}, nil) // too old to be removed: then it stays
	}
	return notify.Handle(strconv.FormatInt(sent.ID, 10)), nil
}

// Settle implements notify.Sender.
func (c *telegram) Settle(ctx context.Context, old notify.Handle, n notify.Note) error {
	id, err := strconv.ParseInt(string(old), 10, 64)
	if err != nil {
		return nil
	}
	n.Buttons, n.Link = nil, ""
	m := c.message(n)
	m.Message = id
	return unchanged(c.method(ctx, "editMessageText", m, nil))
}

// unchanged ignores the error that there is nothing left to change.
func unchanged(err error) error {
	var f *notify.Failure
	if errors.As(err, &f) && f.Status == http.StatusBadRequest {
		for _, fine := range []string{"not modified", "to edit not found", "can't be edited"} {
			if strings.Contains(f.Detail, fine) {
				return nil
			}
		}
	}
	return err
}

// method calls a bot API method, which reports errors in the body.
func (c *telegram) method(ctx context.Context, name string, in, out any) error {
	var answer struct {
		OK          bool   `json:"ok"`
		Code        int    `json:"error_code"`
		Description string `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
		Result any `json:"result"`
	}
	answer.Result = out
	text, err := encode(in)
	if err != nil {
		return &notify.Failure{Outcome: notify.Refused, Detail: err.Error()}
	}
	status, err := c.post(ctx, name, text, &answer)
	if err != nil {
		return err
	}
	if answer.OK {
		return nil
	}
	if answer.Code == 0 {
		answer.Code = status
	}
	f := &notify.Failure{Outcome: outcomeOf(answer.Code), Status: answer.Code, Detail: within(answer.Description, maxDetail)}
	f.After = time.Duration(answer.Parameters.RetryAfter) * time.Second
	if strings.Contains(f.Detail, "chat not found") {
		f.Outcome = notify.Broken
	}
	return f
}
