package channel

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"mime"
	"net"
	"net/mail"
	"net/netip"
	"net/smtp"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"nod"
	"nod/internal/net/notify"
)

// email sends mails through a server. All mails about one agent form one thread.
type email struct {
	Outside
	host, port string
	implicit   bool // TLS from the first byte (smtps)
	user, pass string
	from       *mail.Address
	to         []*mail.Address
	roots      *tls.Config // nil: those of the system
}

func newEmail(s Settings, o Outside) (*email, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, nod.Errorf(nod.Invalid, "a channel of kind email needs url, such as smtps://mail.example.com or smtp://mail.example.com:587")
	}
	c := &email{Outside: o, host: u.Hostname(), port: u.Port(), implicit: u.Scheme == "smtps", user: s.User, pass: s.Password.Reveal()}
	if c.port == "" {
		if c.port = "587"; c.implicit {
			c.port = "465"
		}
	}
	if c.from, err = mail.ParseAddress(s.From); err != nil {
		return nil, nod.Errorf(nod.Invalid, "a channel of kind email needs from, an address such as nod@example.com")
	}
	for _, to := range s.To {
		a, err := mail.ParseAddress(to)
		if err != nil {
			return nil, nod.Errorf(nod.Invalid, "%q in to is no mail address", to)
		}
		c.to = append(c.to, a)
	}
	if len(c.to) == 0 {
		return nil, missing(s.Kind, "to, a list of mail addresses")
	}
	return c, nil
}

// Show implements notify.Sender.
func (c *email) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	if err := c.send(ctx, c.compose(n)); err != nil {
		return "", mailFailure(err)
	}
	return "", nil
}

// Settle implements notify.Sender: a mail cannot be withdrawn.
func (c *email) Settle(context.Context, notify.Handle, notify.Note) error { return nil }

// compose builds the whole mail, in text and HTML. Titles are one line and addresses were parsed, so nothing can
// inject a header.
func (c *email) compose(n notify.Note) []byte {
	const boundary = "nod-42b1e5c07d"
	thread := "<" + sequence(n.Key) + "@nod.invalid>"
	var b bytes.Buffer
	head := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	to := make([]string, len(c.to))
	for i, a := range c.to {
		to[i] = a.String()
	}
	head("From", c.from.String())
	head("To", strings.Join(to, ", "))
	head("Subject", mime.QEncoding.Encode("utf-8", within(nod.OneLine(n.Title), 200)))
	head("Date", c.Now().Format(time.RFC1123Z))
	head("Message-ID", c.messageID(n))
	head("References", thread)
	head("Auto-Submitted", "auto-generated") // suppresses out-of-office replies
	if n.Urgent() {
		head("Importance", "high")
	}
	head("MIME-Version", "1.0")
	head("Content-Type", `multipart/alternative; boundary="`+boundary+`"`)
	b.WriteString("\r\n")
	text, page := mailTexts(n)
	for _, part := range []struct{ kind, text string }{{"text/plain", text}, {"text/html", page}} {
		fmt.Fprintf(&b, "--%s\r\nContent-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n", boundary, part.kind)
		for code := base64.StdEncoding.EncodeToString([]byte(part.text)); code != ""; {
			row := code[:min(76, len(code))]
			code = code[len(row):]
			b.WriteString(row + "\r\n")
		}
	}
	fmt.Fprintf(&b, "--%s--\r\n", boundary)
	return b.Bytes()
}

// messageID names a mail. A hub that takes over from a killed one may send the same mail again, and many mailboxes
// keep only one mail per id. Mails with buttons get unique ids: the buttons of the first died with its hub.
func (c *email) messageID(n notify.Note) string {
	if n.ID == "" || len(n.Buttons) > 0 {
		return fmt.Sprintf("<%s.%d@nod.invalid>", sequence(n.Key), c.Now().UnixNano())
	}
	return "<" + sequence("mail "+n.ID) + "@nod.invalid>"
}

func mailTexts(n notify.Note) (text, page string) {
	text = n.Title + "\n\n" + n.Body + "\n"
	page = "<p><b>" + html.EscapeString(n.Title) + "</b></p>\n<pre>" + html.EscapeString(n.Body) + "</pre>\n"
	link := func(label, at string) {
		text += "\n" + label + ": " + at
		page += `<p><a href="` + html.EscapeString(at) + `">` + html.EscapeString(label) + "</a></p>\n"
	}
	for _, b := range n.Buttons {
		if b.URL != "" {
			link(b.Label, b.URL)
		}
	}
	if n.Link != "" {
		link(n.Open, n.Link)
	}
	return text, page
}

var errNoTLS = errors.New("the mail server offers no TLS, and the mail would be readable on the way: use smtps:// or a server on this machine")

// send talks to the server, encrypted unless it is on this machine.
func (c *email) send(ctx context.Context, text []byte) (err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(c.host, c.port))
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	config := &tls.Config{ServerName: c.host, MinVersion: tls.VersionTLS12}
	if c.roots != nil {
		config = c.roots
	}
	if c.implicit {
		conn = tls.Client(conn, config)
	}
	client, err := smtp.NewClient(conn, c.host)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	defer func() { _ = client.Close() }()
	if !c.implicit {
		if ok, _ := client.Extension("STARTTLS"); ok {
			if err := client.StartTLS(config); err != nil {
				return err
			}
		} else if !loopback(c.host) {
			return errNoTLS
		}
	}
	if c.user != "" {
		if err := client.Auth(smtp.PlainAuth("", c.user, c.pass, c.host)); err != nil {
			return err
		}
	}
	return c.hand(client, text)
}

func (c *email) hand(client *smtp.Client, text []byte) error {
	if err := client.Mail(c.from.Address); err != nil {
		return err
	}
	for _, a := range c.to {
		if err := client.Rcpt(a.Address); err != nil {
			return err
		}
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the mail is accepted; how the session ends does not matter
	return nil
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func mailFailure(err error) error {
	f := &notify.Failure{Outcome: notify.Later, Detail: err.Error()}
	var response *textproto.Error
	switch {
	case errors.Is(err, errNoTLS):
		f.Outcome = notify.Broken
	case errors.As(err, &response):
		f.Detail = within(response.Msg, maxDetail)
		switch {
		case response.Code == 530 || response.Code == 534 || response.Code == 535 || response.Code == 550 || response.Code == 553:
			f.Outcome = notify.Broken // our login or the recipient is refused
		case response.Code >= 500:
			f.Outcome = notify.Refused
		}
	}
	return f
}
