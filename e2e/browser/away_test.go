package browser

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/rig"
)

// linkTo is another machine: `nod link` with data of its own. visit starts it, and
// again after it was killed.
func linkTo(t testing.TB, home *hub, name string) (far *hub, visit func()) {
	t.Helper()
	far = idleHub(t)
	token := filepath.Join(far.data, "link.token")
	if err := os.WriteFile(token, []byte(home.nod("hosts", "add", name)), 0o600); err != nil {
		t.Fatal(err)
	}
	return far, func() {
		t.Helper()
		far.cmd = exec.Command(binary, "link", "--listen", "127.0.0.1:0", "--hub", home.url, "--token-file", token)
		far.cmd.Env, far.cmd.Stderr = far.env(), far.log
		out, err := far.cmd.StdoutPipe()
		if err == nil {
			err = far.cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if first, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(first, "listening on ") {
			t.Fatalf("the link said %q, %v\n%s", first, err, far.log)
		}
		go func() { _, _ = io.Copy(io.Discard, out) }()
	}
}

// With one machine its name is not shown. Then a laptop is linked, asks, and goes
// offline: people see that, answer anyway, and see it come back.
func TestAHostThatIsAway(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	phone, desk := open(t, h, Phone), open(t, h, Desktop)
	shop := h.agent("shop")
	name := h.host("session-shop")
	asked := shop.bash("git push origin main")
	for _, p := range []*Page{phone, desk} {
		p.See("git push origin main")
		p.Gone(name)
	}
	far, visit := linkTo(t, h, "laptop")
	visit()
	q := far.agent("thesis").bash("git push origin thesis")
	for _, p := range []*Page{phone, desk} {
		p.See("laptop")
		p.See(name)
		p.Gone("away ")
		p.Tap("button", "git push origin thesis")
		p.See("Run this command?")
	}
	far.kill()
	const waits = "laptop is away: your answer waits until it is back."
	for _, p := range []*Page{phone, desk} {
		p.See(waits)
		p.See("away ")
		p.Look("away-card")
		p.Tap("link", "Agents")
		p.See("away ")
		p.Look("away-agents")
		p.Go("/agents/session-thesis")
		p.live()
		p.See(waits)
		p.See("away ")
		p.Look("away-chat")
	}
	if list := h.nod("agents"); !strings.Contains(list, "thesis on laptop · away ") {
		t.Errorf("nod agents says\n%s", list)
	}
	desk.Go("/?request=" + string(q.id))
	desk.live()
	phone.Tap("button", "Allow")
	h.request(q.id, "decided", func(r *nod.Request) bool { return r.Status == nod.Decided })
	phone.See(waits) // the laptop does not know yet
	phone.Look("away-decided")
	visit()
	q.allowed()
	for _, p := range []*Page{phone, desk} {
		p.Gone(waits)
		p.Gone("away ")
	}
	h.nod("deny", string(asked.id))
}

// host is the machine that an agent runs on.
func (h *hub) host(id nod.AgentID) (name string) {
	h.t.Helper()
	rig.Until(h.t, "the agent "+string(id), func() bool {
		s, err := h.client.State(h.t.Context())
		for i := 0; err == nil && i < len(s.Agents); i++ {
			if s.Agents[i].ID == id {
				name = s.Agents[i].Host
			}
		}
		return name != ""
	}, func() string { return "nobody" })
	return name
}
