package channel

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http/httptest"
	"net/mail"
	"strings"
	"testing"
	"time"

	"nod/internal/net/notify"
)

// post is a mail server that accepts one mail. answers replaces its response to a verb.
type post struct {
	net.Listener
	mails  chan string
	lines  chan string
	secure *tls.Config
}

func newPost(t *testing.T, implicit bool, answers map[string]string) (*post, *tls.Config) {
	t.Helper()
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &post{Listener: l, mails: make(chan string, 1), lines: make(chan string, 50), secure: &tls.Config{Certificates: web.TLS.Certificates}}
	if implicit {
		p.Listener = tls.NewListener(l, p.secure)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := p.Accept()
		if err == nil {
			p.serve(conn, implicit, answers)
		}
	}()
	return p, &tls.Config{RootCAs: roots, ServerName: "example.com"}
}

func (p *post) serve(conn net.Conn, encrypted bool, answers map[string]string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	say("220 post ready")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		verb := strings.ToUpper(strings.Fields(line + " x")[0])
		p.lines <- line
		if said, ok := answers[verb]; ok {
			say(said)
			continue
		}
		switch verb {
		case "EHLO":
			if encrypted {
				say("250-post\r\n250 AUTH PLAIN")
			} else if _, none := answers["no STARTTLS"]; none {
				say("250-post\r\n250 AUTH PLAIN")
			} else {
				say("250-post\r\n250-STARTTLS\r\n250 AUTH PLAIN")
			}
		case "STARTTLS":
			say("220 go")
			conn = tls.Server(conn, p.secure)
			in, encrypted = bufio.NewReader(conn), true
		case "AUTH":
			say("235 ok")
		case "DATA":
			say("354 go on")
			var mail strings.Builder
			for {
				row, err := in.ReadString('\n')
				if err != nil || row == ".\r\n" {
					break
				}
				mail.WriteString(row)
			}
			p.mails <- mail.String()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (p *post) sender(t *testing.T, scheme string, roots *tls.Config) *email {
	t.Helper()
	s, err := newEmail(Settings{
		Kind: "email", URL: scheme + "://" + p.Addr().String(), User: "anna", Password: "pw", From: "nod <nod@example.com>", To: []string{"Żaneta <z@example.com>"},
	}, Outside{Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	s.roots = roots
	return s
}

func TestAMailArrivesEncryptedWithTextAndPage(t *testing.T) {
	for scheme, implicit := range map[string]bool{"smtp": false, "smtps": true} {
		p, roots := newPost(t, implicit, nil)
		n := note()
		n.Title = "garden\r\nBcc: x@example.com needs you: żółw"
		if _, err := p.sender(t, scheme, roots).Show(t.Context(), n, ""); err != nil {
			t.Fatalf("%s: %v", scheme, err)
		}
		m, err := mail.ReadMessage(strings.NewReader(<-p.mails))
		if err != nil {
			t.Fatal(err)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
		if err != nil || !strings.HasSuffix(subject, "needs you: żółw") || m.Header.Get("Bcc") != "" {
			t.Errorf("subject %q, bcc %q, %v", subject, m.Header.Get("Bcc"), err)
		}
		if m.Header.Get("Auto-Submitted") != "auto-generated" || m.Header.Get("References") != "<"+sequence("agent:a1")+"@nod.invalid>" {
			t.Errorf("%v", m.Header)
		}
		_, params, _ := mime.ParseMediaType(m.Header.Get("Content-Type"))
		parts := multipart.NewReader(m.Body, params["boundary"])
		for _, want := range []string{"ls <b> [x](y)\n\nAllow: https://nod.example/n/AAA", `ls &lt;b&gt; [x](y)</pre>` + "\n" + `<p><a href="https://nod.example/n/AAA">Allow</a></p>`} {
			part, err := parts.NextPart()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
}

// The same notification from the next hub has the same Message-ID; other news, and
// mails with buttons that work at one hub only, have another.
func TestRepeatedMailHasTheSameMessageID(t *testing.T) {
	made := 0
	c := &email{from: &mail.Address{Address: "nod@example.com"}, Outside: Outside{Now: func() time.Time { made++; return noon.Add(time.Duration(made)) }}}
	name := func(change func(*notify.Note)) string {
		n := note()
		n.ID, n.Buttons = "agent:a1 r1", nil
		change(&n)
		m, err := mail.ReadMessage(bytes.NewReader(c.compose(n)))
		if err != nil {
			t.Fatal(err)
		}
		return m.Header.Get("Message-ID")
	}
	first := name(func(*notify.Note) {})
	if again := name(func(n *notify.Note) { n.Body = "a minute less is left" }); again != first || first == "<"+sequence("agent:a1")+"@nod.invalid>" {
		t.Errorf("%s, then %s", first, again)
	}
	for what, change := range map[string]func(*notify.Note){
		"another request": func(n *notify.Note) { n.ID = "agent:a1 r2" },
		"buttons":         func(n *notify.Note) { n.Buttons = note().Buttons },
		"trouble":         func(n *notify.Note) { n.ID = "" },
	} {
		if other := name(change); other == first || other == name(change) && what != "another request" {
			t.Errorf("%s: %s", what, other)
		}
	}
}

func TestWhatAMailServerRefuses(t *testing.T) {
	for _, c := range []struct {
		answers map[string]string
		want    notify.Outcome
	}{
		{map[string]string{"AUTH": "535 5.7.8 bad credentials"}, notify.Broken},
		{map[string]string{"RCPT": "550 5.1.1 no such user"}, notify.Broken},
		{map[string]string{"MAIL": "451 4.3.0 later"}, notify.Later},
		{map[string]string{"DATA": "552 5.3.4 too large"}, notify.Refused},
	} {
		p, roots := newPost(t, false, c.answers)
		_, err := p.sender(t, "smtp", roots).Show(t.Context(), note(), "")
		if f := notify.FailureOf(err); err == nil || f.Outcome != c.want {
			t.Errorf("%v: %v", c.answers, err)
		}
	}
}

func TestMailNeedsTLS(t *testing.T) {
	p, _ := newPost(t, false, map[string]string{"no STARTTLS": ""})
	s := p.sender(t, "smtp", nil)
	s.host = "localhost" // this machine: fine
	if err := s.send(t.Context(), []byte("x")); err != nil {
		t.Errorf("on this machine: %v", err)
	}
	if loopback("mail.example.com") || !loopback("127.0.0.1") || !loopback("::1") {
		t.Error("what is this machine is not known")
	}
	if f := notify.FailureOf(mailFailure(fmt.Errorf("x: %w", errNoTLS))); f.Outcome != notify.Broken {
		t.Errorf("%v", f)
	}
}

func TestMailServerThatHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if conn, err := l.Accept(); err == nil {
			defer conn.Close()
			cancel() // it is connected and says nothing
			<-t.Context().Done()
		}
	}()
	p := &post{Listener: l}
	if _, err := p.sender(t, "smtp", nil).Show(ctx, note(), ""); err == nil {
		t.Error("it was not left")
	}
}
