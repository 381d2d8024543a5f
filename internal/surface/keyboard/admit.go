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

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// via is where presses come from, in the log.
const via = "keyboard"

const (
	codeTime  = 10 * time.Minute
	mostWrong = 5
	// letters that cannot be mistaken for one another on a small screen.
	letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
)

func boardID(of string) string {
	sum := sha256.Sum256([]byte("keyboard " + of))
	return "kb-" + hex.EncodeToString(sum[:])[:8]
}

func admittedAs(id string, a admission) nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: a.Name, Via: via, ID: id, Rights: nod.RightsOf(nod.View, nod.Answering)}
}

// remoteAddr is the caller's address; ok if it is certainly another machine.
func (g *registry) remoteAddr(r *http.Request) (netip.Addr, bool) {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || proxied(r) {
		return netip.Addr{}, false
	}
	addr, own := from.Addr().Unmap().WithZone(""), g.own()
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

// randomBelow is a random number below n, uniformly distributed.
func randomBelow(n int) int {
	for {
		var b [1]byte
		rand.Read(b[:])
		if int(b[0]) < 256/n*n {
			return int(b[0]) % n
		}
	}
}

func (g *registry) list(w http.ResponseWriter, _ *http.Request) error {
	kept := g.saved.admissions()
	var list []v1.Keyboard
	g.mu.Lock()
	for id, k := range g.byID {
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
	g.mu.Unlock()
	for id, a := range kept {
		list = append(list, v1.Keyboard{ID: id, Name: a.Name, Address: a.Address, Admitted: true, By: a.By, At: &a.At, Agent: a.Agent})
	}
	slices.SortFunc(list, func(a, b v1.Keyboard) int { return cmp.Compare(a.ID, b.ID) })
	return httpd.JSON(w, http.StatusOK, v1.KeyboardList{Keyboards: append([]v1.Keyboard{}, list...)})
}

// admit admits a keyboard: the code proves that a person sees its keys.
func (g *registry) admit(w http.ResponseWriter, r *http.Request) error {
	var in v1.KeyboardAdmission
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	id, by, now := r.PathValue("id"), httpd.ActorOf(r.Context()), g.Now()
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(in.Code))
	g.mu.Lock()
	k := g.byID[id]
	switch {
	case k == nil || k.newest() == nil:
		g.mu.Unlock()
		return g.unknown(id)
	case k.admitted():
		g.mu.Unlock()
		return nod.Errorf(nod.Conflict, "%s", g.Say.Say(words.KeyboardAlready))
	}
	if subtle.ConstantTimeCompare([]byte(k.codeAt(now)), []byte(code)) != 1 {
		defer g.mu.Unlock()
		if k.wrong++; k.wrong >= mostWrong {
			k.code = ""
			k.wake()
			return nod.Errorf(nod.Forbidden, "%s", g.Say.Say(words.KeyboardNewCode))
		}
		return nod.Errorf(nod.Forbidden, "%s", g.Say.Say(words.KeyboardWrongCode))
	}
	a := admission{Address: k.address, Name: clip(in.Name, 40), By: by.Name, At: now}
	if a.Name == "" {
		a.Name = "keyboard " + k.address
	}
	k.actor, k.code, k.frames, k.admission = admittedAs(id, a), "", nil, a
	passing := k.temporary
	k.wake()
	g.mu.Unlock()
	g.Log.Info("a keyboard was admitted", "keyboard", id, "address", a.Address, "by", by.Name)
	if !passing {
		if err := g.saved.edit(func(f *savedFile) { f.Keyboards[id] = a }); err != nil {
			return err
		}
	}
	return httpd.JSON(w, http.StatusOK, v1.Keyboard{ID: id, Name: a.Name, Address: a.Address, Admitted: true, Connected: true, By: a.By, At: &a.At})
}

func (g *registry) unknown(id string) error {
	return nod.Errorf(nod.NotFound, "%s", g.Say.Say(words.KeyboardUnknown, nod.Fold(nod.OneLine(id), 40)))
}

// serveBind binds a keyboard to one agent, or to none.
func (g *registry) serveBind(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Agent nod.AgentID `json:"agent"`
	}
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	g.mu.Lock()
	k := g.byID[r.PathValue("id")]
	g.mu.Unlock()
	if k == nil {
		return g.unknown(r.PathValue("id"))
	}
	known := in.Agent == ""
	g.Hub.Look(func(state *nod.State) {
		if a, ok := state.Agents[in.Agent]; ok && a.Alive() {
			known = true
		}
	})
	if !known {
		return nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", nod.Fold(nod.OneLine(string(in.Agent)), 40))
	}
	g.bind(k, in.Agent)
	g.refresh()
	return httpd.NoContent(w)
}

// revoke forgets a keyboard and disconnects it. If it comes back it is unknown.
func (g *registry) revoke(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	_, known := g.saved.admission(id)
	g.mu.Lock()
	k := g.byID[id]
	if k != nil {
		k.actor, k.frames, k.pin, k.note = nod.Actor{}, nil, "", nil
		delete(g.byID, id)
		for _, c := range k.conns {
			c.end()
		}
	}
	g.mu.Unlock()
	if k == nil && !known {
		return g.unknown(id)
	}
	if known {
		if err := g.saved.edit(func(f *savedFile) { delete(f.Keyboards, id) }); err != nil {
			return err
		}
	}
	return httpd.NoContent(w)
}
