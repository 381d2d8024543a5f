package relay

import "time"

// The payloads that the original's apps and service worker read.
type (
	apsAlert struct {
		Title    string `json:"title"`
		Subtitle string `json:"subtitle,omitempty"`
		Body     string `json:"body"`
	}
	aps struct {
		Alert     *apsAlert `json:"alert,omitempty"`
		Sound     string    `json:"sound,omitempty"`
		Mutable   int       `json:"mutable-content,omitempty"`
		Level     string    `json:"interruption-level,omitempty"`
		Category  string    `json:"category,omitempty"`
		Available int       `json:"content-available,omitempty"`
	}
	applePayload struct {
		APS     aps      `json:"aps"`
		Request string   `json:"request_id,omitempty"`
		Type    string   `json:"type,omitempty"`
		Target  string   `json:"tmux_target,omitempty"`
		Choices []choice `json:"choices,omitempty"`
	}
	webData struct {
		Request string   `json:"request_id,omitempty"`
		Type    string   `json:"type,omitempty"`
		Choices []choice `json:"choices,omitempty"`
	}
	webPayload struct {
		Title    string  `json:"title"`
		Body     string  `json:"body"`
		Subtitle string  `json:"subtitle,omitempty"`
		Tag      string  `json:"tag,omitempty"`
		Data     webData `json:"data"`
	}
)

const (
	typeRequest = "permission_request"
	typeNotice  = "notification"
	typeDismiss = "dismiss"
	category    = "PERMISSION_REQUEST"
)

// apple is a job as a notification of one Apple device.
func (j *job) apple(d *appleDevice) Notification {
	n := Notification{Token: d.Token, Watch: d.Platform == watchOS}
	var p applePayload
	switch {
	case j.dismiss != "":
		n.Background = true
		p = applePayload{APS: aps{Available: 1}, Type: typeDismiss, Request: j.dismiss}
	case j.request != nil:
		a := j.request
		n.CollapseID, n.Expires = a.collapse, a.expires
		p = applePayload{APS: aps{Alert: &apsAlert{a.title, a.subtitle, a.body}, Mutable: 1, Level: "time-sensitive"},
			Request: a.id, Type: typeRequest, Target: a.target, Choices: a.choices}
		if a.answerable {
			p.APS.Category = category
		}
	default:
		p = applePayload{APS: aps{Alert: &apsAlert{Title: j.notice.heading(), Body: j.notice.message}}, Type: typeNotice}
		n.CollapseID = j.notice.collapse()
	}
	if j.dismiss == "" {
		if p.APS.Sound = d.Sounds[p.Type]; p.APS.Sound == "" {
			p.APS.Sound = "default"
		}
	}
	n.Payload = encode(p)
	n.Expires = n.Expires.Truncate(time.Second)
	return n
}

// web is a job as the payload of a browser.
func (j *job) web() []byte {
	if a := j.request; a != nil {
		return encode(webPayload{
			Title: a.title, Body: a.body, Subtitle: a.subtitle, Tag: a.collapse,
			Data: webData{Request: a.id, Type: typeRequest, Choices: a.choices},
		})
	}
	return encode(webPayload{Title: j.notice.heading(), Body: j.notice.message, Tag: j.notice.collapse()})
}

func (n *notice) heading() string { return withHost(n.title, &n.hostname) }

func (n *notice) collapse() string {
	if n.target == "" {
		return ""
	}
	return collapse(n.target, "")
}
