package notify

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/net/notify"
	"nod/internal/present/words"
)

// linkPath is where one-time links lead.
const linkPath = "/n/"

// Routes are the endpoints of the surface. A link is its own credential: it is good for
// one answer to one request, once. It may come from another site, because a push
// service's own web page calls it.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "GET", Path: linkPath + "{code}", Open: true, CrossSite: true, Handle: s.ask},
		{Method: "POST", Path: linkPath + "{code}", Open: true, CrossSite: true, Body: 4 << 10, Handle: s.press},
		{Method: "GET", Path: "/v1/notify", Right: nod.View, What: "see channels", Handle: s.list},
		{Method: "POST", Path: "/v1/notify/{id}/test", Right: nod.Admin, What: "try the channel", Handle: s.try},
	}
}

// ask shows what a link would do. It decides nothing: chats and mail programs
// open every link they see.
func (s *Surface) ask(w http.ResponseWriter, r *http.Request) error {
	o, t := s.look(r.Context(), r.PathValue("code"))
	p := s.page(r, t)
	if o.err != nil {
		return p.result(w, r, o)
	}
	return p.question(w, o)
}

// press decides. It writes errors itself, because the server would log the path, and
// the path is the credential.
func (s *Surface) press(w http.ResponseWriter, r *http.Request) error {
	// A page of another origin cannot read this answer otherwise, and would tell
	// its user that the press had failed.
	w.Header().Set("Access-Control-Allow-Origin", "*")
	code := r.PathValue("code")
	found, t := s.look(r.Context(), code)
	p := s.page(r, t)
	if found.err == nil && !s.LinksFromHere && s.fromHere(r) {
		return p.refusal(w, r, http.StatusForbidden, words.LinkNotNow, words.LinkHere)
	}
	if wanted := r.URL.Query().Get("verdict"); found.err == nil && wanted != "" && wanted != string(found.verdict) {
		return p.refusal(w, r, http.StatusUnprocessableEntity, words.LinkNotNow, words.LinkOpen)
	}
	o, _ := s.answer(r.Context(), code, "")
	if o.err != nil {
		s.Log.Info("a link came to nothing", "err", o.err)
	}
	return p.result(w, r, o)
}

// fromHere reports whether a request was made on this machine. Agents run here, and one
// that reads where notifications go could press its own button. Headers of a proxy do
// not count: an agent can send them too.
func (s *Surface) fromHere(r *http.Request) bool {
	if httpd.LocalConn(r.Context()) != nil {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return true
	}
	addr := from.Addr().Unmap().WithZone("")
	mine := s.own()
	return len(mine) == 0 || addr.IsLoopback() || addr.IsUnspecified() || slices.Contains(mine, addr)
}

func (s *Surface) list(w http.ResponseWriter, r *http.Request) error {
	return httpd.JSON(w, http.StatusOK, map[string]any{"channels": s.channels.states(words.Accept(r.Header.Get("Accept-Language")))})
}

// try sends a notification at once, also in quiet hours: a person is waiting for it.
func (s *Surface) try(w http.ResponseWriter, r *http.Request) error {
	t := s.channels.find(r.PathValue("id"))
	if t == nil {
		names := make([]string, len(s.channels.list))
		for i, t := range s.channels.list {
			names[i] = t.Name
		}
		return nod.Errorf(nod.NotFound, "there is no channel of that name; there are: %s", strings.Join(names, ", "))
	}
	ctx, end := outlive(r.Context())
	defer end()
	if _, err := t.Sender.Show(ctx, s.voice(t).Trial(), ""); err != nil {
		f := notify.FailureOf(err)
		return nod.Errorf(nod.Unavailable, "%s", printer(t.person.Lang).Say(problem(f))).Because(f)
	}
	s.delivered(t, func() {})
	t.wake()
	return httpd.NoContent(w)
}
