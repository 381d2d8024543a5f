package keyboard

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"time"

	"nod"
)

// pid is the process that the original's daemon watches: that of the agent on
// the keys, or the hub's own, which lives as long as there is anything to read.
func (s *Surface) pid() (pid int, alive bool) {
	s.mu.Lock()
	var shown nod.AgentID
	for _, k := range s.boards {
		if k.admitted() && k.shown != "" {
			shown = k.shown
		}
	}
	s.mu.Unlock()
	pid, alive = os.Getpid(), true
	s.Hub.Look(func(state *nod.State) {
		if a, ok := state.Agents[shown]; ok && a.Process != nil && a.Process.PID != 0 && a.Process.Local && s.Hub.Here(a) {
			pid, alive = a.Process.PID, a.Alive()
		}
	})
	return pid, alive
}

// drain hands over what was pressed. It is gone when it was taken in whole, or,
// for those who ask with ?after=N, when they come back and name what they have.
func (c *call) drain() {
	pid, _ := c.pid()
	list, last, careful := c.take()
	answer := struct {
		Session string  `json:"sessionId"`
		PID     int     `json:"claudePid"`
		Inputs  []input `json:"inputs"`
		Seq     *int64  `json:"seq,omitempty"`
	}{Session: c.saved.session(), PID: pid, Inputs: list}
	if careful {
		answer.Seq = &last
	}
	c.handOver(answer, list, careful)
}

func (c *call) legacyDrain() {
	list, _, careful := c.take()
	c.handOver(struct {
		Inputs []input `json:"inputs"`
	}{list}, list, careful)
}

// take is what waits, and the number of the last of it. Whoever is careful has
// told what arrived.
func (c *call) take() (list []input, last int64, careful bool) {
	after, err := strconv.ParseInt(c.r.URL.Query().Get("after"), 10, 64)
	careful = err == nil
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.Now(); now.Sub(c.inputs.polled) > pollTime {
		c.inputs.polled = now
		for _, k := range c.boards { // now there is somebody to press for
			k.wake()
		}
	} else {
		c.inputs.polled = now
	}
	if careful {
		c.inputs.upTo(after)
	}
	list = append([]input{}, c.inputs.list...)
	last = c.inputs.next
	if !careful {
		c.inputs.list = nil // so that two who ask at once do not get the same
	}
	return list, last, careful
}

func (c *call) handOver(answer any, list []input, careful bool) {
	text, err := json.Marshal(answer)
	if err == nil {
		c.w.Header().Set("Content-Type", "application/json")
		c.w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, err = c.w.Write(text)
	}
	if err == nil {
		err = http.NewResponseController(c.w).Flush() // so that a broken connection is noticed here
	}
	if err == nil || careful || len(list) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inputs.list = append(list, c.inputs.list...) // before those that came since
}

func (c *call) status() {
	pid, _ := c.pid()
	connected := c.connected()
	c.mu.Lock()
	context, queued := c.contextNow().context, len(c.inputs.list)
	c.mu.Unlock()
	c.json(http.StatusOK, struct {
		Session   string  `json:"sessionId"`
		PID       int     `json:"claudePid"`
		Connected bool    `json:"connected"`
		Queue     int     `json:"queueLength"`
		Context   string  `json:"currentContext"`
		Uptime    float64 `json:"uptime"`
	}{c.saved.session(), pid, connected, queued, context, c.Now().Sub(c.started).Seconds()})
}

func (c *call) verify() {
	pid, alive := c.pid()
	c.json(http.StatusOK, struct {
		Session string `json:"sessionId"`
		PID     int    `json:"claudePid"`
		Alive   bool   `json:"alive"`
	}{c.saved.session(), pid, alive})
}

// update sets keys, or a state. The original forwards anything else to the
// device as it is; here nothing reaches it that nod has not written itself.
func (c *call) update() {
	var in struct {
		Type      string   `json:"type"`
		State     string   `json:"state"`
		Countdown float64  `json:"countdown"`
		Buttons   []string `json:"buttons"`
		Actions   []string `json:"actions"`
		Images    []string `json:"images"`
		Options   []option `json:"options"`
	}
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusBadRequest, "Invalid JSON")
		return
	}
	if in.Type == "update_options" {
		for _, o := range in.Options {
			in.Buttons, in.Actions, in.Images = append(in.Buttons, o.Text), append(in.Actions, o.Action), append(in.Images, o.Image)
		}
	}
	c.mu.Lock()
	switch {
	case in.Buttons != nil:
		c.custom = newButtons(c.who, in.Buttons, in.Actions, in.Images, c.Now())
	case in.Type == "status":
		c.hookSays(in.State, in.Countdown)
	}
	c.mu.Unlock()
	c.Refresh()
	if !c.connected() {
		c.json(http.StatusServiceUnavailable, struct {
			Success   bool   `json:"success"`
			Error     string `json:"error"`
			Connected bool   `json:"connected"`
		}{false, "T-Keyboard not connected", false})
		return
	}
	c.done(true)
}

func (c *call) done(connected bool) {
	c.json(http.StatusOK, struct {
		Success   bool `json:"success"`
		Connected bool `json:"connected"`
	}{true, connected})
}

// hookSays notes a state. The lock is held.
func (c *call) hookSays(state string, seconds float64) {
	switch state {
	case stateIdle, stateThinking, stateError:
		c.hooks = hookState{state: state}
	case stateLimit:
		const most = 8 * 24 * 3600.0
		c.hooks = hookState{state: state}
		if seconds > 0 {
			c.hooks.until = c.Now().Add(time.Duration(min(seconds, most) * float64(time.Second)))
		}
	}
}

func (c *call) stateUpdate() {
	var in struct {
		Event string `json:"event"`
		State struct {
			Countdown  float64 `json:"countdown"`
			RetryAfter float64 `json:"retry_after"`
		} `json:"state"`
	}
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusBadRequest, "Invalid JSON")
		return
	}
	c.mu.Lock()
	switch in.Event {
	case "thinking_start":
		c.hookSays(stateThinking, 0)
	case "thinking_end", "stop":
		c.hookSays(stateIdle, 0)
	case "error":
		c.hookSays(stateError, 0)
	case "rate_limit":
		seconds := 60.0
		if in.State.Countdown > 0 {
			seconds = in.State.Countdown
		} else if in.State.RetryAfter > 0 {
			seconds = in.State.RetryAfter
		}
		c.hookSays(stateLimit, seconds)
	}
	c.mu.Unlock()
	c.Refresh()
	c.done(c.connected())
}

func (c *call) generate() {
	var in struct{ Emoji, Text, Color string }
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusBadRequest, "Invalid JSON")
		return
	}
	if in.Emoji == "" && in.Text == "" {
		c.fail(http.StatusBadRequest, "Either emoji or text required")
		return
	}
	if !hexColour(in.Color) {
		in.Color = "#FFFFFF"
	}
	file := ""
	if c.icons != nil {
		file = c.icons.Name(clip(in.Text, longestLabel), clip(in.Emoji, longestLabel), in.Color)
	}
	if file == "" || len(file) > longestName {
		c.json(http.StatusInternalServerError, struct {
			Error   string `json:"error"`
			Details string `json:"details"`
		}{"Image generation failed", "this hub draws no pictures"})
		return
	}
	c.mu.Lock()
	cached := c.pictures[file]
	if len(c.pictures) > 1000 { // it only answers "cached"
		clear(c.pictures)
	}
	c.pictures[file] = true
	c.mu.Unlock()
	c.json(http.StatusOK, struct {
		Success bool   `json:"success"`
		File    string `json:"filename"`
		Cached  bool   `json:"cached"`
	}{true, file, cached})
}

// testButton queues a press for whoever reads /inputs, as the original does.
func (c *call) testButton() {
	in := struct {
		Key  int    `json:"key"`
		Text string `json:"text"`
	}{1, "Test"}
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusBadRequest, "Invalid JSON")
		return
	}
	c.mu.Lock()
	c.inputs.add(in.Key, clip(in.Text, longestAction), c.Now())
	c.inputs.list = c.inputs.list[max(0, len(c.inputs.list)-mostInputs):]
	queued := len(c.inputs.list)
	c.mu.Unlock()
	c.json(http.StatusOK, struct {
		Success bool `json:"success"`
		Queued  int  `json:"queued"`
	}{true, queued})
}
