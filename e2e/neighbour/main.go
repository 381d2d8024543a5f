// Neighbour is another machine on the network of a test: it announces a hub,
// looks around, is a Prompt Relay device, or a hub that has one.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/mdns"
	"nod/internal/surface/relaypeer"
	"nod/internal/surface/relaypeer/esp32"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := play(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(ctx context.Context, args []string) error {
	switch args[0] {
	case "announce":
		self := mdns.Self{Host: "desk", Version: "1.2.3", Port: 8742, Also: map[string]int{"prompt-relay": 3939}}
		return mdns.Announce(ctx, self.Services())
	case "find":
		return mdns.Find(ctx, args[1], func(f mdns.Found) { tell(f) })
	case "device":
		return device(ctx)
	case "hub":
		return runHub(ctx)
	}
	return fmt.Errorf("there is no part %q", args[0])
}

// tell writes one line for the test.
func tell(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		line = []byte(err.Error())
	}
	fmt.Println(string(line))
}

// device is an M5Stack whose person reads for a second and then presses what
// stands in the next line of standard input.
func device(ctx context.Context) error {
	d := esp32.New(time.Now)
	l, err := net.Listen("tcp", ":3939")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(l, d) }()
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			time.Sleep(time.Second)
			d.Press(esp32.Button(lines.Text()[0]))
		}
	}()
	return mdns.Announce(ctx, []mdns.Service{{
		Name: "Prompt Relay ESP32", Type: mdns.HTTP, Host: "prompt-relay", Port: 3939, Text: map[string]string{"board": "m5stack", "version": "0.1.0"},
	}})
}

// runHub raises one request, and prints which device showed it and which answered.
func runHub(ctx context.Context) error {
	h, err := hub.Open(ctx, mem.New(), hub.Options{})
	if err != nil {
		return err
	}
	d := adapter.Deps{Deps: hub.Deps{Hub: h, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))}}
	surface := relaypeer.New(d, relaypeer.Needs{Found: "answer"})
	go surface.Run(ctx)
	seq, _ := h.Head()
	_, err = h.Link("test").Ask(ctx, nod.Request{
		ID: "r1", Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: ls", Display: "ls", OneTap: true,
		Agent: nod.AgentRef{ID: "agent-1", Name: "garden", Kind: "claude"}, Risk: &nod.Risk{Level: "write"},
	})
	if err != nil {
		return err
	}
	for e, err := range h.Desk(nod.Actor{Name: "test", Rights: nod.RightsOf(nod.View)}).Follow(ctx, seq) {
		switch {
		case err != nil:
			return err
		case e.Receipt != nil && e.Receipt.Step == nod.StepShown:
			tell("shown by " + e.Receipt.By)
		case e.Decision != nil:
			tell(strings.Join([]string{string(e.Decision.Verdict), "by", e.Decision.By}, " "))
		}
	}
	return nil
}
