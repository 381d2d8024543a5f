package keyboard

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"nod"
)

// pid is the process that the original's daemon watches, and with which it ends: that
// of the agent on the keys, else of the agent that was last heard of. Without one it is
// 0, never the hub's own: to a shell's `kill -0 0` that is alive, so a daemon that was
// started before any agent goes on reading, and does not end when the hub restarts.
func (s *Surface) pid() (pid int, alive bool) {
	shown := s.boards.shown()
	s.Hub.Look(func(state *nod.State) {
		var newest time.Time
		for id, a := range state.Agents {
			if a.Process == nil || a.Process.PID == 0 || !a.Process.Local || !s.Hub.Here(a) {
				continue
			}
			if id == shown {
				pid, alive = a.Process.PID, a.Alive()
				return
			}
			if a.Alive() && (pid == 0 || a.Since.After(newest)) {
				pid, alive, newest = a.Process.PID, true, a.Since
			}
		}
	})
	return pid, alive
}

// drain hands over what was pressed. A press is forgotten once it was handed over or,
// for a program that asks with ?after=N, once it names the press as received.
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

// take returns what waits and the number of the newest press; careful: the program
// acknowledges what it received.
func (c *call) take() (list []input, last int64, careful bool) {
	var acknowledged *int64
	if after, err := strconv.ParseInt(c.r.URL.Query().Get("after"), 10, 64); err == nil {
		acknowledged = &after
	}
	list, last, isNew := c.inputs.take(acknowledged)
	if isNew {
		c.Refresh() // there may be more to press now
	}
	return list, last, acknowledged != nil
}

func (c *call) handOver(answer any, list []input, careful bool) {
	err := c.write(http.StatusOK, answer)
	if err == nil {
		err = http.NewResponseController(c.w).Flush() // so that a broken connection is noticed here
	}
	if err == nil || careful || len(list) == 0 {
		return
	}
	c.inputs.putBack(list)
}

func (c *call) status() {
	pid, _ := c.pid()
	c.json(http.StatusOK, struct {
		Session   string  `json:"sessionId"`
		PID       int     `json:"claudePid"`
		Connected bool    `json:"connected"`
		Queue     int     `json:"queueLength"`
		Context   string  `json:"currentContext"`
		Uptime    float64 `json:"uptime"`
	}{c.saved.session(), pid, c.boards.connected(), c.inputs.waiting(), c.programs.buttons().orStandard().context, c.Now().Sub(c.started).Seconds()})
}

func (c *call) verify() {
	pid, alive := c.pid()
	c.json(http.StatusOK, struct {
		Session string `json:"sessionId"`
		PID     int    `json:"claudePid"`
		Alive   bool   `json:"alive"`
	}{c.saved.session(), pid, alive})
}

// update sets keys or a state. The original forwards anything else to the device as
// it is; nod sends only what it has written itself.
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
	switch {
	case in.Buttons != nil:
		c.programs.set(newButtons(c.who, in.Buttons, in.Actions, in.Images, c.Now()))
	case in.Type == "status":
		c.programs.report(in.State, in.Countdown)
	}
	c.Refresh()
	if !c.boards.connected() {
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
	switch in.Event {
	case "thinking_start":
		c.programs.report(stateThinking, 0)
	case "thinking_end", "stop":
		c.programs.report(stateIdle, 0)
	case "error":
		c.programs.report(stateError, 0)
	case "rate_limit":
		seconds := 60.0
		if in.State.Countdown > 0 {
			seconds = in.State.Countdown
		} else if in.State.RetryAfter > 0 {
			seconds = in.State.RetryAfter
		}
		c.programs.report(stateLimit, seconds)
	}
	c.Refresh()
	c.done(c.boards.connected())
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
	file := c.pictures.name(in.Text, clip(in.Emoji, longestLabel), in.Color)
	if file == "" {
		c.json(http.StatusInternalServerError, struct {
			Error   string `json:"error"`
			Details string `json:"details"`
		}{"Image generation failed", "this hub draws no pictures"})
		return
	}
	c.json(http.StatusOK, struct {
		Success bool   `json:"success"`
		File    string `json:"filename"`
		Cached  bool   `json:"cached"`
	}{true, file, c.pictures.again(file)})
}

// testButton queues a press for the program that reads /inputs, as the original does.
func (c *call) testButton() {
	in := struct {
		Key  int    `json:"key"`
		Text string `json:"text"`
	}{1, "Test"}
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusBadRequest, "Invalid JSON")
		return
	}
	queued := c.inputs.push(in.Key, clip(in.Text, longestAction))
	c.json(http.StatusOK, struct {
		Success bool `json:"success"`
		Queued  int  `json:"queued"`
	}{true, queued})
}
