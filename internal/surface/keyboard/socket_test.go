package keyboard

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/present/words"
	"nod/internal/surface/keyboard/fakekeyboard"
)

// kinds are the messages from an index on, in a word or two each.
func kinds(b *fakekeyboard.Board, since int) string {
	var list []string
	for _, text := range b.Log()[since:] {
		var m struct{ Type, State string }
		_ = json.Unmarshal([]byte(text), &m)
		list = append(list, strings.TrimSpace(m.Type+" "+m.State))
	}
	return strings.Join(list, ", ")
}

func TestGreetingMatchesOriginal(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.board("192.168.1.7")
		if got := kinds(b, 0); got != "status idle, update_options" {
			g.Errorf("it heard %s", got)
		}
		var m struct {
			Options []map[string]any
		}
		if err := json.Unmarshal([]byte(b.Log()[1]), &m); err != nil || len(m.Options) != 4 {
			g.Fatalf("%v %s", err, b.Log()[1])
		}
		for _, o := range m.Options {
			for _, name := range []string{"text", "action", "image", "color"} {
				if _, ok := o[name].(string); !ok {
					g.Errorf("%s is no text in %v", name, o)
				}
			}
		}
	})
}

// At no moment does a key show Continue or Retry and mean something else.
func TestKeysMatchTroubleScreens(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		at := len(b.Log())
		step := func(want string) {
			g.Helper()
			if got := kinds(b, at); got != want {
				g.Errorf("it heard %s; want %s", got, want)
			}
			at = len(b.Log())
		}
		g.agent("shop", nod.AgentError)
		step("update_options, status error")
		g.shows(b, "ERROR", "!", "Continue", "Retry")
		limited := func(d time.Duration) {
			until := time.Now().Add(d)
			g.agent("shop", nod.AgentLimited, func(a *nod.Agent) { a.Until = &until })
		}
		limited(90 * time.Second)
		step("status idle, update_options, status limit")
		g.shows(b, "RATE", "LIMIT", "1:30", "Continue")
		limited(150 * time.Second)
		step("status limit") // the clock alone
		g.shows(b, "RATE", "LIMIT", "2:30", "Continue")
		g.ask("shop", "r1", "ls")
		step("status idle, update_options, display_update")
		g.shows(b, "Yes", "No", "", "shop: Bash: ls")
	})
}

func TestFirmwareKeysInTrouble(t *testing.T) {
	for _, tt := range []struct {
		state nod.AgentState
		key   int
		hears string
	}{
		{nod.AgentError, 3, words.KeyboardSayContinue.EN}, {nod.AgentError, 4, words.KeyboardSayRetry.EN}, {nod.AgentLimited, 4, words.KeyboardSayContinue.EN},
		{nod.AgentError, 1, ""}, {nod.AgentError, 2, ""}, {nod.AgentLimited, 1, ""}, {nod.AgentLimited, 3, ""},
	} {
		t.Run(fmt.Sprint(tt.state, tt.key), func(t *testing.T) {
			bubble(t, func(g *rig) {
				g.agent("shop", tt.state)
				b := g.admitted("192.168.1.7")
				before := b.State()
				g.press(b, tt.key)
				if got := strings.Join(g.messages("shop"), ""); got != tt.hears {
					g.Errorf("it heard %q", got)
				}
				later(badNoteTime)
				if b.State() != before { // it left by itself, and nothing has changed
					g.Errorf("the device shows %s, and the agent is still %s", b.State(), tt.state)
				}
			})
		})
	}
}

func TestPicturesExistBeforeTheyAreNamed(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		screens := b.Screens()
		for i, s := range screens[:3] {
			if s.Image == "" || len(b.Picture(s.Image)) != fakekeyboard.PictureSize {
				g.Errorf("key %d has no picture: %+v", i+1, s)
			}
		}
	})
}

func TestNewestConnectionShowsKeys(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "ls")
		b := g.admitted("192.168.1.7")
		late := g.pressLater(b, 1, "yes")
		half := g.board("192.168.1.7") // the firmware restarted and left the old connection half open
		g.shows(half, "Yes", "No", "", "shop: Bash: ls")
		at := len(b.Log())
		late() // it was on its way through the old one
		if !g.Request("r1").Settled() {
			g.Error("a press through the older connection was lost")
		}
		b.Drop()
		later(time.Second)
		if len(b.Log()) != at || !half.Connected() {
			g.Error("the old connection is still the keyboard")
		}
		g.ask("shop", "r2", "ls")
		g.press(half, 2)
		if !g.Request("r2").Settled() {
			g.Error("the end of the old connection ended the keyboard")
		}
	})
}

func TestFlappingConnectionsDoNotPileUp(t *testing.T) {
	bubble(t, func(g *rig) {
		g.admitted("192.168.1.7")
		var last *fakekeyboard.Board
		for range 20 {
			last = g.board("192.168.1.7")
		}
		g.surface.boards.mu.Lock()
		n := len(g.surface.boards.byID[boardID("192.168.1.7")].conns)
		g.surface.boards.mu.Unlock()
		if n > mostConns || !last.Connected() {
			g.Errorf("%d connections of one keyboard", n)
		}
	})
}

func TestRebootDuringPress(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "ls")
		b := g.admitted("192.168.1.7")
		b.Press(1)
		b.Press(4) // both: it restarts, and the first was said
		synctest.Wait()
		if !g.Request("r1").Settled() || b.State() != fakekeyboard.Connecting {
			g.Errorf("%v %s", g.Request("r1").Status, b.State())
		}
		b.Press(2) // lost: it is not connected
		g.ask("shop", "r2", "ls")
		g.reconnect(b)
		g.shows(b, "Yes", "No", "", "shop: Bash: ls")
		if g.Request("r2").Settled() {
			g.Error("a press from before the reboot answered")
		}
	})
}

// frozen is a device that does not read its socket for a while.
type frozen struct {
	net.Conn
	gate chan chan struct{}
}

func (f frozen) Read(b []byte) (int, error) {
	n, err := f.Conn.Read(b)
	select {
	case wait := <-f.gate:
		<-wait
	default:
	}
	return n, err
}

func TestShortSilenceIsToleratedDeadConnectionIsNot(t *testing.T) {
	bubble(t, func(g *rig) {
		gate := make(chan chan struct{}, 1)
		dial := g.dialFrom("192.168.1.7")
		g.agent("shop", nod.AgentWorking)
		g.admitted("192.168.1.7").Drop()
		b := g.board("192.168.1.7", func(o *fakekeyboard.Options) {
			o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				c, err := dial(ctx, network, address)
				return frozen{c, gate}, err
			}
		})
		freeze := func() chan struct{} {
			wait := make(chan struct{})
			gate <- wait
			g.agent("shop", nod.AgentIdle) // something to say
			g.agent("shop", nod.AgentWorking)
			return wait
		}
		thaw := freeze()
		later(10 * time.Second)
		close(thaw)
		synctest.Wait()
		if !g.surface.boards.connected() || !b.Connected() {
			g.Error("ten seconds of silence, and it was dropped")
		}
		thaw = freeze()
		later(2 * pingEvery)
		if g.surface.boards.connected() {
			g.Error("a dead keyboard counts as connected")
		}
		close(thaw)
		synctest.Wait()
	})
}

func TestHostileTextFitsTheDevice(t *testing.T) {
	hostile := []string{
		"\x1b[2J\x1b[31mYes", strings.Repeat("A", 10_000), "\u202eoN", "N\u200bo\u200b", "`$(rm -rf ~)`; \" '", "\x00\xff\xfe", "日本語のとても長いラベル", "👩‍👩‍👧‍👦",
	}
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking, func(a *nod.Agent) { a.Name = hostile[0] + hostile[1] })
		b := g.admitted("192.168.1.7")
		g.ask("shop", "r1", "", func(r *nod.Request) {
			r.Kind, r.Title = nod.KindQuestion, strings.Join(hostile, " ")
			q := nod.Question{Text: "Which?"}
			for _, h := range hostile {
				q.Choices = append(q.Choices, nod.Choice{Label: strings.ToValidUTF8(h, "?")})
			}
			r.Questions = []nod.Question{q}
		})
		for range hostile {
			for i, s := range b.Screens() {
				if strings.Trim(s.Text, printable()) != "" || len(s.Text) > longestLabel || strings.Trim(s.Content, printable()) != "" || len(s.Content) > 40 {
					g.Errorf("key %d: %+v", i+1, s)
				}
			}
			g.press(b, 3)
		}
		g.press(b, 1) // whatever is on it is one of the choices
		if r := g.Request("r1"); r.Decision == nil {
			g.Error("it cannot be answered")
		}
		for _, text := range b.Log() {
			if len(text) > 2000 {
				g.Errorf("a message of %d bytes", len(text))
			}
		}
	})
}

func printable() string {
	var b strings.Builder
	for c := byte(' '); c <= '~'; c++ {
		b.WriteByte(c)
	}
	return b.String()
}

func TestFiftyKeyboardsAtOnce(t *testing.T) {
	bubble(t, func(g *rig) {
		var boards []*fakekeyboard.Board
		for i := range 50 {
			boards = append(boards, g.admitted(fmt.Sprintf("192.168.2.%d", i+1)))
		}
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "ls")
		time.Sleep(time.Second)
		for _, b := range boards {
			g.shows(b, "Yes", "No", "", "shop: Bash: ls")
		}
		for _, b := range boards {
			b.Press(1)
		}
		synctest.Wait()
		won, late := 0, 0
		for _, b := range boards {
			switch b.Screens()[3].Text {
			case "Allowed":
				won++
			case "Too late", "Press anew": // depending on which was on the key
				late++
			}
		}
		if won != 1 || late != 49 {
			g.Errorf("%d won and %d were told that they were late", won, late)
		}
		if g.stopping("shop") {
			g.Error("a Yes that came late became a STOP")
		}
	})
}
