package push

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"nod"
	"nod/internal/net/httpd"
	wire "nod/internal/net/push"
	"nod/internal/present/words"
)

// Settings are the notification settings of a device, as it sees them itself.
type Settings struct {
	Key        string      `json:"key"` // applicationServerKey, for the browser to subscribe with
	Subscribed bool        `json:"subscribed"`
	Endpoint   string      `json:"endpoint,omitempty"` // of this device, to compare with what the browser has
	Notify     wire.Notify `json:"notify"`
	Quiet      *wire.Quiet `json:"quiet,omitempty"`
	Lang       string      `json:"lang,omitempty"`
	Problem    string      `json:"problem,omitempty"` // why the last notification did not arrive
}

// Wish is how a device wants to be notified. Without a subscription it keeps the one it
// has; without quiet hours it has none.
type Wish struct {
	Subscription *Browser    `json:"subscription,omitempty"`
	Notify       wire.Notify `json:"notify,omitempty"` // "": as before, or what waits
	Quiet        *wire.Quiet `json:"quiet,omitempty"`
	Lang         string      `json:"lang,omitempty"` // "": as before, or English
}

// Browser is a subscription as PushSubscription.toJSON() gives it.
type Browser struct {
	Endpoint       string          `json:"endpoint"`
	ExpirationTime json.RawMessage `json:"expirationTime,omitempty"` // browsers send null
	Keys           Keys            `json:"keys"`
}

// Keys encrypt messages so that only this browser can read them, in base64url.
type Keys struct {
	P256DH string `json:"p256dh"`
	Auth   string `json:"auth"`
}

func (s *Surface) show(w http.ResponseWriter, r *http.Request) error {
	n, _, err := s.find(r.Context(), httpd.ActorOf(r.Context()))
	if err != nil {
		return err
	}
	return s.answer(w, r, n)
}

func (s *Surface) subscribe(w http.ResponseWriter, r *http.Request) error {
	by := httpd.ActorOf(r.Context())
	if err := wantDevice(by); err != nil {
		return err
	}
	var wish Wish
	if err := httpd.Decode(w, r, &wish); err != nil {
		return err
	}
	n, known, err := s.find(r.Context(), by)
	if err != nil {
		return err
	}
	if wish.Subscription == nil && !known {
		return nod.Errorf(nod.Invalid, "this device has no subscription yet: send the one that the browser gives, as subscription")
	}
	if n, err = wish.change(n, s.Private); err != nil {
		return err
	}
	if err := s.Store.PutSubscriber(r.Context(), n); err != nil {
		return err
	}
	if n.Notify == wire.Nothing { // so that everything that is pending is sent when it is turned on again
		if err := s.Store.NoteTold(r.Context(), n.Token, n.Subscription.Endpoint, nil); err != nil {
			return err
		}
	}
	s.poke()
	return s.answer(w, r, n)
}

// change is the subscriber after a wish.
func (w Wish) change(n wire.Subscriber, private bool) (wire.Subscriber, error) {
	if w.Subscription != nil {
		to, err := w.Subscription.wire()
		if err == nil {
			err = to.Check(private)
		}
		if err != nil {
			return n, nod.Errorf(nod.Invalid, "this is no subscription that nod can use: %s", err)
		}
		n.Subscription = to
	}
	if w.Quiet != nil {
		if err := w.Quiet.Check(); err != nil {
			return n, nod.Errorf(nod.Invalid, "%s", err)
		}
	}
	n.Quiet = w.Quiet
	if w.Notify != "" {
		n.Notify = w.Notify
	}
	if !slices.Contains([]wire.Notify{wire.All, wire.WaitingOnly, wire.Nothing}, n.Notify) {
		return n, nod.Errorf(nod.Invalid, "unknown notify %q: use all, waiting or none", n.Notify)
	}
	if w.Lang != "" {
		n.Lang = langOf(w.Lang)
	}
	return n, nil
}

func (b Browser) wire() (wire.Subscription, error) {
	key, err := unbase64(b.Keys.P256DH)
	if err != nil {
		return wire.Subscription{}, err
	}
	secret, err := unbase64(b.Keys.Auth)
	return wire.Subscription{Endpoint: b.Endpoint, P256DH: key, Auth: secret}, err
}

// unbase64 reads both alphabets: browsers write base64url, some libraries do not.
func unbase64(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(s))
}

// langOf is one of the languages nod speaks.
func langOf(lang string) string {
	switch printer(lang).Lang() {
	case words.Polish:
		return "pl"
	case words.Japanese:
		return "ja"
	}
	return "en"
}

func (s *Surface) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	by := httpd.ActorOf(r.Context())
	if err := wantDevice(by); err != nil {
		return err
	}
	if err := s.Store.DeleteSubscriber(r.Context(), by.ID, ""); err != nil && nod.CodeOf(err) != nod.NotFound {
		return err
	}
	s.poke()
	return httpd.NoContent(w)
}

// test sends a notification at once, also in quiet hours: a person is waiting for it.
func (s *Surface) test(w http.ResponseWriter, r *http.Request) error {
	by := httpd.ActorOf(r.Context())
	if err := wantDevice(by); err != nil {
		return err
	}
	n, known, err := s.find(r.Context(), by)
	if err != nil {
		return err
	}
	if !known {
		return nod.Errorf(nod.NotFound, "this device gets no notifications yet: turn them on first")
	}
	sender, _, err := s.ready(r.Context())
	if err != nil {
		return err
	}
	p := printer(n.Lang)
	m, err := seal(Payload{Type: "test", ID: "test", Title: p.Say(words.PushTestTitle), Body: p.Say(words.PushTestBody)}, wire.Topic("test"), wire.High, testLife)
	if err != nil {
		return err
	}
	free, ok := s.slots.take(r.Context(), hostOf(n.Subscription.Endpoint))
	if !ok {
		return r.Context().Err()
	}
	defer free()
	return s.verdict(w, r, n, sender.Send(r.Context(), n.Subscription, m))
}

// verdict is the result of the test, for a person.
func (s *Surface) verdict(w http.ResponseWriter, r *http.Request, n wire.Subscriber, result wire.Result) error {
	if d := s.attended(n.Token); d != nil {
		d.result(result, s.Now())
		d.wake()
	}
	p := printer(n.Lang)
	switch result.Outcome {
	case wire.Delivered:
		return httpd.NoContent(w)
	case wire.Gone:
		s.drop(r.Context(), n, "the browser has unsubscribed")
		return nod.Errorf(nod.Gone, "this browser has given up its subscription: turn notifications off and on again")
	case wire.Later:
		return nod.Errorf(nod.Unavailable, "%s", p.Say(words.PushBusy)).Because(said(result))
	}
	return nod.Errorf(nod.Unavailable, "%s", p.Say(words.PushRefused)).Because(said(result))
}

// said is a result as an error for the log.
type said wire.Result

func (s said) Error() string { return wire.Result(s).Outcome.String() + ": " + nod.OneLine(s.Detail) }

// wantDevice refuses callers that are not a paired device: a subscription belongs to
// one.
func wantDevice(by nod.Actor) error {
	if by.Kind == nod.ActorDevice && by.ID != "" {
		return nil
	}
	return nod.Errorf(nod.Forbidden, "notifications belong to a paired device, and %s is none: pair it with `nod pair`, open nod there and turn them on", nameless(by.Name))
}

func nameless(name string) string {
	if name == "" {
		return "this"
	}
	return name
}

// find is the caller's own subscription, or a new one with defaults.
func (s *Surface) find(ctx context.Context, by nod.Actor) (n wire.Subscriber, known bool, err error) {
	n = wire.Subscriber{Token: by.ID, Notify: wire.WaitingOnly}
	if wantDevice(by) != nil {
		return n, false, nil
	}
	all, err := s.Store.Subscribers(ctx)
	if err != nil {
		return n, false, err
	}
	if i := slices.IndexFunc(all, func(n wire.Subscriber) bool { return n.Token == by.ID }); i >= 0 {
		return all[i], true, nil
	}
	return n, false, nil
}

func (s *Surface) answer(w http.ResponseWriter, r *http.Request, n wire.Subscriber) error {
	_, key, err := s.ready(r.Context())
	if err != nil {
		return err
	}
	out := Settings{Key: key, Notify: n.Notify, Quiet: n.Quiet, Lang: n.Lang, Endpoint: n.Subscription.Endpoint, Subscribed: n.Subscription.Endpoint != ""}
	if !out.Subscribed {
		out.Notify = wire.Nothing
	}
	out.Problem = s.problem(n)
	return httpd.JSON(w, http.StatusOK, out)
}

// problem is a failure in words that help a person.
func (s *Surface) problem(n wire.Subscriber) string {
	d := s.attended(n.Token)
	if d == nil {
		return ""
	}
	switch _, trouble := d.now(); trouble {
	case wire.Later:
		return printer(n.Lang).Say(words.PushBusy)
	case wire.Refused, wire.TooLarge:
		return printer(n.Lang).Say(words.PushRefused)
	}
	return ""
}

// attended is the worker of a device, or nil.
func (s *Surface) attended(token string) *device {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.devices[token]
}
