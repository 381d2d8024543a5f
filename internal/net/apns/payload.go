package apns

import (
	"strings"
	"time"
	"unicode/utf16"
)

// Choice is an answer that a notification offers.
type Choice struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// Permission is a pending request, in the format that the Prompt Relay apps expect.
type Permission struct {
	ID         string
	Hostname   string
	Header     string // subject; empty: Tool
	Tool       string
	Question   string // empty: the first line of Detail
	Detail     string
	Target     string // of tmux
	Choices    []Choice
	Answerable bool
	Sound      string // a file of the app; empty: the system sound
	Collapse   string
	Expires    time.Time
}

type alertBody struct {
	APS     aps      `json:"aps"`
	Request string   `json:"request_id,omitempty"`
	Type    string   `json:"type,omitempty"`
	Target  string   `json:"tmux_target,omitempty"`
	Choices []Choice `json:"choices,omitempty"`
}

type aps struct {
	Alert     *alert `json:"alert,omitempty"`
	Sound     string `json:"sound,omitempty"`
	Mutable   int    `json:"mutable-content,omitempty"`
	Level     string `json:"interruption-level,omitempty"`
	Category  string `json:"category,omitempty"`
	Available int    `json:"content-available,omitempty"`
}

type alert struct {
	Title    string `json:"title"`
	Subtitle string `json:"subtitle,omitempty"`
	Body     string `json:"body"`
}

// waitingTitle is what the apps' users know; the apps are Japanese.
const waitingTitle = "承認待ち"

// Push is the alert.
func (p Permission) Push() Push {
	title := waitingTitle
	if p.Hostname != "" {
		title += " [" + p.Hostname + "]"
	}
	subtitle := p.Header
	if subtitle == "" {
		subtitle = p.Tool
	}
	body := p.Question
	if body == "" {
		body, _, _ = strings.Cut(p.Detail, "\n")
	}
	a := aps{
		Alert: &alert{Title: title, Subtitle: subtitle, Body: shorten(body)},
		Sound: orDefault(p.Sound), Mutable: 1, Level: "time-sensitive",
	}
	if p.Answerable {
		a.Category = "PERMISSION_REQUEST"
	}
	return Push{
		Collapse: p.Collapse, Expires: p.Expires,
		Payload: alertBody{APS: a, Request: p.ID, Type: "permission_request", Target: p.Target, Choices: p.Choices},
	}
}

// Notice is information that needs no answer.
type Notice struct {
	Title, Body string
	Sound       string
	Typed       bool // newer apps need to be told that it is a notification
	Collapse    string
}

// Push is the alert.
func (n Notice) Push() Push {
	body := alertBody{APS: aps{Alert: &alert{Title: n.Title, Body: n.Body}, Sound: orDefault(n.Sound)}}
	if n.Typed {
		body.Type = "notification"
	}
	return Push{Collapse: n.Collapse, Payload: body}
}

// Dismiss silently removes the notification of a request.
func Dismiss(id string) Push {
	return Push{Background: true, Payload: alertBody{APS: aps{Available: 1}, Request: id, Type: "dismiss"}}
}

func orDefault(sound string) string {
	if sound == "" {
		return "default"
	}
	return sound
}

// The maximum that the apps show of a body, counted in UTF-16 units as JavaScript does.
const (
	mostUnits = 60
	keptUnits = 57
)

func shorten(text string) string {
	units := utf16.Encode([]rune(text))
	if len(units) <= mostUnits {
		return text
	}
	kept := units[:keptUnits]
	if last := rune(kept[keptUnits-1]); utf16.IsSurrogate(last) && last < 0xDC00 {
		kept = kept[:keptUnits-1] // drop half a surrogate pair
	}
	return string(utf16.Decode(kept)) + "…"
}
