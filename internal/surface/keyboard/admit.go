package keyboard

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	v1 "nod/internal/client/v1"
	"nod/internal/present/words"

	"nod"
	"nod/internal/net/httpd"
)

// via is where presses come from, in the log.
const via = "keyboard"

const (
	codeTime  = 10 * time.Minute
	mostWrong = 5
	// letters that nobody mistakes for another on a small screen.
	letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// identify finds the keyboard that a connection is of. Its address is all that
// the firmware tells about it; whoever shows a token is that.
//
// This machine is never admitted by its address: agents run there. What connects
// from it without a token is a keyboard of its own, for as long as it is
// connected, and so is whatever came through a proxy.
func (s *Surface) identify(r *http.Request, who nod.Actor) (*keyboard, error) {
	k := &keyboard{address: "this machine", temporary: true}
	switch addr, far := s.remoteAddr(r); {
	case who.Kind != "":
		if !who.Can(nod.View) || !who.Can(nod.Answering) {
			return nil, nod.Errorf(nod.Forbidden, "%s may not press keys: that takes the rights view and answer", who.Name)
		}
		who.Via = via
		k.id, k.actor = boardID("actor "+who.ID+" "+who.Name), who
	case far:
		k.id, k.address, k.temporary = boardID(addr.String()), addr.String(), false
	default:
		k.id = boardID(rand.Text())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.boards[k.id]; known != nil && (who.Kind == "" || known.actor.ID == who.ID) {
		return known, nil
	}
	if len(s.boards) >= mostKeyboards {
		return nil, nod.Errorf(nod.Unavailable, "there are %d keyboards already: revoke one", mostKeyboards)
	}
	if a, ok := s.saved.admission(k.id); ok && !k.temporary {
		k.actor, k.pin = admittedAs(k.id, a), a.Agent
	}
	s.boards[k.id] = k // now, so that two connections at once are one keyboard
	return k, nil
}

func boardID(of string) string {
	sum := sha256.Sum256([]byte("keyboard " + of))
	return "kb-" + hex.EncodeToString(sum[:])[:8]
}

func admittedAs(id string, a admission) nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: a.Name, Via: via, ID: id, Rights: nod.RightsOf(nod.View, nod.Answering)}
}

// remoteAddr is the address of a caller that is surely another machine.
func (s *Surface) remoteAddr(r *http.Request) (netip.Addr, bool) {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || proxied(r) {
		return netip.Addr{}, false
	}
	addr, own := from.Addr().Unmap().WithZone(""), s.own()
	return addr, len(own) > 0 && !addr.IsLoopback() && !addr.IsUnspecified() && !slices.Contains(own, addr)
}

func proxied(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via", "Cf-Connecting-Ip"} {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}

// codeOf is what an unknown keyboard shows. The lock is held.
func (s *Surface) codeOf(k *keyboard, now time.Time) string {
	if k.code == "" || !now.Before(k.codeEnds) {
		b := make([]byte, count)
		for i := range b {
			b[i] = letters[randomBelow(len(letters))]
		}
		k.code, k.codeEnds, k.wrong = string(b), now.Add(codeTime), 0
	}
	return k.code
}

// randomBelow is a random number below n, each as likely as the other.
func randomBelow(n int) int {
	for {
		var b [1]byte
		rand.Read(b[:])
		if int(b[0]) < 256/n*n {
			return int(b[0]) % n
		}
	}
}

func (c *conn) codeLasts() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.board.codeEnds.Sub(c.Now())
}

// Routes are the endpoints on the hub's own port: administration, and a keyboard for
// callers with a token and for browsers that are signed in.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		// Open, because a browser cannot send a header with a WebSocket: who is there is
		// asked after its first message.
		{Method: "GET", Path: "/v1/keyboard", Open: true, Handle: s.serveSignedIn},
		{Method: "GET", Path: "/v1/keyboard/images/{name}", Right: nod.View, What: "see pictures of keys", Handle: func(w http.ResponseWriter, r *http.Request) error {
			(&call{Surface: s, w: w, r: r}).picture()
			return nil
		}},
		{Method: "GET", Path: "/v1/keyboards", Right: nod.View, What: "see the keyboards", Handle: s.list},
		{Method: "POST", Path: "/v1/keyboards/{id}/admit", Right: nod.Admin, What: "admit keyboard", Body: 4096, Handle: s.admit},
		{Method: "POST", Path: "/v1/keyboards/{id}/bind", Right: nod.Answering, What: "bind keyboard", Body: 4096, Handle: s.serveBind},
		{Method: "DELETE", Path: "/v1/keyboards/{id}", Right: nod.Admin, What: "revoke keyboard", Handle: s.revoke},
	}
}

func (s *Surface) list(w http.ResponseWriter, _ *http.Request) error {
	kept := s.saved.admissions()
	var list []v1.Keyboard
	s.mu.Lock()
	for id, k := range s.boards {
		e := v1.Keyboard{ID: id, Name: k.actor.Name, Address: k.address, Admitted: k.admitted(), Connected: k.newest() != nil, Agent: k.pin, Shows: k.shown}
		a, ok := kept[id]
		if delete(kept, id); !ok {
			a = k.admission
		}
		if a.By != "" && e.Admitted {
			e.By, e.At = a.By, &a.At
		}
		list = append(list, e)
	}
	s.mu.Unlock()
	for id, a := range kept {
		list = append(list, v1.Keyboard{ID: id, Name: a.Name, Address: a.Address, Admitted: true, By: a.By, At: &a.At, Agent: a.Agent})
	}
	slices.SortFunc(list, func(a, b v1.Keyboard) int { return cmp.Compare(a.ID, b.ID) })
	return httpd.JSON(w, http.StatusOK, v1.KeyboardList{Keyboards: append([]v1.Keyboard{}, list...)})
}

// admit lets a keyboard in: the code proves that a person sees its keys.
func (s *Surface) admit(w http.ResponseWriter, r *http.Request) error {
	var in v1.KeyboardAdmission
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	id, by, now := r.PathValue("id"), httpd.ActorOf(r.Context()), s.Now()
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(in.Code))
	s.mu.Lock()
	k := s.boards[id]
	switch {
	case k == nil || k.newest() == nil:
		s.mu.Unlock()
		return s.unknown(id)
	case k.admitted():
		s.mu.Unlock()
		return nod.Errorf(nod.Conflict, "%s", s.Say.Say(words.KeyboardAlready))
	}
	if subtle.ConstantTimeCompare([]byte(s.codeOf(k, now)), []byte(code)) != 1 {
		defer s.mu.Unlock()
		if k.wrong++; k.wrong >= mostWrong {
			k.code = ""
			k.wake()
			return nod.Errorf(nod.Forbidden, "%s", s.Say.Say(words.KeyboardNewCode))
		}
		return nod.Errorf(nod.Forbidden, "%s", s.Say.Say(words.KeyboardWrongCode))
	}
	a := admission{Address: k.address, Name: clip(in.Name, 40), By: by.Name, At: now}
	if a.Name == "" {
		a.Name = "keyboard " + k.address
	}
	k.actor, k.code, k.frames, k.admission = admittedAs(id, a), "", nil, a
	passing := k.temporary
	k.wake()
	s.mu.Unlock()
	s.Log.Info("a keyboard was admitted", "keyboard", id, "address", a.Address, "by", by.Name)
	if !passing {
		if err := s.saved.edit(func(f *savedFile) { f.Keyboards[id] = a }); err != nil {
			return err
		}
	}
	return httpd.JSON(w, http.StatusOK, v1.Keyboard{ID: id, Name: a.Name, Address: a.Address, Admitted: true, Connected: true, By: a.By, At: &a.At})
}

func (s *Surface) unknown(id string) error {
	return nod.Errorf(nod.NotFound, "%s", s.Say.Say(words.KeyboardUnknown, nod.Fold(nod.OneLine(id), 40)))
}

// serveBind makes a keyboard one agent's, or everyone's.
func (s *Surface) serveBind(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Agent nod.AgentID `json:"agent"`
	}
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	s.mu.Lock()
	k := s.boards[r.PathValue("id")]
	s.mu.Unlock()
	if k == nil {
		return s.unknown(r.PathValue("id"))
	}
	known := in.Agent == ""
	s.Hub.Look(func(state *nod.State) {
		if a, ok := state.Agents[in.Agent]; ok && a.Alive() {
			known = true
		}
	})
	if !known {
		return nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", nod.Fold(nod.OneLine(string(in.Agent)), 40))
	}
	s.bind(k, in.Agent)
	s.Refresh()
	return httpd.NoContent(w)
}

// revoke sends a keyboard away. If it comes back it is unknown.
func (s *Surface) revoke(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	_, known := s.saved.admission(id)
	s.mu.Lock()
	k := s.boards[id]
	if k != nil {
		k.actor, k.frames, k.pin, k.note = nod.Actor{}, nil, "", nil
		delete(s.boards, id)
		for _, c := range k.conns {
			c.end()
		}
	}
	s.mu.Unlock()
	if k == nil && !known {
		return s.unknown(id)
	}
	if known {
		if err := s.saved.edit(func(f *savedFile) { delete(f.Keyboards, id) }); err != nil {
			return err
		}
	}
	return httpd.NoContent(w)
}
