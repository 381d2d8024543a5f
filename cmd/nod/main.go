// Command nod lets a person see, answer and steer coding agents from any device.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"nod/internal/cli"
	"nod/internal/hook"
	"nod/internal/machine"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		// Before anything else: an agent waits for this process, and nothing that is
		// wrong with nod must hold it up. Settings name nod-hook today, which is the
		// same without the rest of nod.
		hook.Main(os.Args[2:])
		return
	}
	m, err := machine.New()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Run(ctx, cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now,
		Client: m.Client, Commands: m.Commands(),
	}, os.Args[1:]))
}
