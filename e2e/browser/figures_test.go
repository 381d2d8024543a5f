package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
)

// The tests of this file do not run beside others: their figures would be of both.

// heaviest is how much the first visit may load, compressed.
const heaviest = 100_000

// Everything that a browser without any cache loads for the first screen.
func TestTheFirstLoadIsLight(t *testing.T) {
	h := newHub(t)
	for _, dev := range []Device{Phone, Desktop} {
		p := open(t, h, dev)
		h.agent("shop-" + dev.name).bash("git push origin main")
		send(p, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
		send(p, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		p.mu.Lock()
		clear(p.traffic)
		p.mu.Unlock()
		p.Reload()
		p.live()
		p.See("git push origin main")
		total, files := p.loaded()
		if total > heaviest || total < 10_000 {
			t.Errorf("%s: %d bytes\n%s", dev.name, total, strings.Join(files, "\n"))
		}
		t.Logf("%s: first load %.1f kB compressed with headers, %d requests", dev.name, float64(total)/1000, len(files))
	}
}

// loaded waits until nothing but the log is under way.
func (p *Page) loaded() (total int, files []string) {
	p.t.Helper()
	var open []string
	rig.Until(p.t, "the end of loading", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		total, files, open = 0, nil, nil
		for _, tr := range p.traffic {
			switch {
			case tr.url == "": // it began before
			case tr.done:
				total += int(tr.bytes)
				files = append(files, fmt.Sprintf("%6.0f %s", tr.bytes, strings.TrimPrefix(tr.url, p.hub.url)))
			case !strings.Contains(tr.url, "/v1/events") && !strings.HasSuffix(tr.url, "/shown"):
				// The log never ends, and of a receipt that the page before sent as it left
				// no end is told.
				open = append(open, tr.url)
			}
		}
		slices.Sort(files)
		return len(open) == 0
	}, func() string { return strings.Join(open, "\n") })
	return total, files
}

// Every file of a later visit comes from the service worker; how soon something
// is to be seen is told, not asserted: a busy machine proves nothing.
func TestLaterVisitsComeFromTheCache(t *testing.T) {
	h := newHub(t)
	p := open(t, h, Phone)
	h.agent("shop").bash("git push origin main")
	p.worker()
	var paints []float64
	for range 7 {
		p.Reload()
		p.live()
		p.until("a paint", `performance.getEntriesByName("first-contentful-paint").length`)
		paints = append(paints, eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
		missed := eval[[]string](p, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		  .filter((e) => !new URL(e.name).pathname.startsWith("/v1/") && !/\.(webmanifest|svg|png)$|\/sw\.js$/.test(e.name))
		  .filter((e) => e.deliveryType !== "cache-storage" && !(e.workerStart > 0)).map((e) => e.name + " " + e.deliveryType)`)
		if len(missed) > 0 {
			t.Fatalf("not from the cache: %v", missed)
		}
	}
	slices.Sort(paints)
	t.Logf("first contentful paint from the cache: median %.0f ms, best %.0f ms, worst %.0f ms; long tasks of the last load: %v",
		paints[len(paints)/2], paints[0], paints[len(paints)-1], eval[[]int](p, "longTasks"))
}

// bulk speaks to the hub as hooks do, without a process for each.
type bulk struct {
	t    testing.TB
	http *http.Client
}

func (h *hub) bulk() *bulk {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(h.data, "nod.sock"))
	}
	return &bulk{h.t, &http.Client{Transport: &http.Transport{DialContext: dial}, Timeout: rig.Patience}}
}

// send asks again with the same id when the hub was cut short, as a hook does.
func (b *bulk) send(ask string, payload fields) {
	b.t.Helper()
	body, err := json.Marshal(payload)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.post(ask, body); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bulk) post(ask string, body []byte) error {
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, "http://nod"+wire.Intake, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if ask != "" {
		r.Header.Set(wire.HeaderAsk, ask)
	}
	res, err := b.http.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode >= 300 {
		return fmt.Errorf("%s: %w", res.Status, err)
	}
	return nil
}

// A thousand decisions and a conversation of five thousand turns can be scrolled
// from one end to the other. How long the page was busy is told, not asserted.
func TestLongListsScroll(t *testing.T) {
	h := newHub(t, "[policy]", `read_only = "allow"`)
	p := open(t, h, Phone)
	b := h.bulk()
	said := fields{"session_id": "session-long", "cwd": "/home/anna/src/long"}
	with := func(more fields) fields { m := maps.Clone(said); maps.Copy(m, more); return m }
	for i := range 1000 {
		b.send(fmt.Sprintf("%020x", i+1), with(fields{"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": fields{"command": fmt.Sprint("git log -n ", i+1)}}))
	}
	for i := range 2500 {
		b.send("", with(fields{"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprint("Question ", i)}))
		b.send("", with(fields{"hook_event_name": "Stop", "last_assistant_message": fmt.Sprintf("Answer **%d**\n\n- one\n- `two`\n\n```go\nfunc f%d() int { return %d }\n```\n", i, i, i)}))
	}
	for _, c := range []struct {
		name, path, first, last string
		by                      float64 // screens for each frame
	}{
		{"history, 1,000 rows", "/history", "git log -n 1000", "That is all: 1000 decisions.", 0.75},
		{"chat, 5,000 turns", "/agents/session-long", "Answer 2499", "The conversation begins here", -3},
	} {
		p.Go(c.path)
		p.live()
		p.See(c.first)
		eval[bool](p, "longTasks.length = 0, true")
		var took float64
		for done := false; !done; {
			way := eval[struct {
				Took float64
				Done bool
			}](p, fmt.Sprintf(scroll, c.last, c.by))
			if took, done = took+way.Took, way.Done; took > 120_000 {
				t.Fatalf("%s: the other end is not reached\n%s", c.name, p.text())
			}
		}
		tasks := eval[[]int](p, "longTasks")
		slices.Sort(tasks)
		nodes := eval[int](p, `document.querySelectorAll("*").length`)
		t.Logf("%s: %.1f s to scroll through, %d long tasks, the longest %v ms, %d elements at the end", c.name, took/1000, len(tasks), tasks[max(0, len(tasks)-5):], nodes)
	}
}

// scroll goes on by part of a screen each frame until the last words are there,
// or for a second.
const scroll = `(async () => {
  const begun = performance.now();
  const box = [...document.querySelectorAll("*")].filter((e) => e.scrollHeight > e.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(e).overflowY)).sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
  let Done = false;
  while (!Done && performance.now() - begun < 1000) {
    if (document.body.textContent.includes(%q)) Done = true;
    box.scrollBy({ top: %v * box.clientHeight, behavior: "instant" });
    await new Promise(requestAnimationFrame);
  }
  return { Took: performance.now() - begun, Done };
})()`
