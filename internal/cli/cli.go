// Package cli is the command line of nod. It knows the hub only through the client,
// so any other program can do the same.
package cli

import (
	"context"

	"nod/internal/cli/console"
	"nod/internal/cli/device"
	"nod/internal/cli/talk"
	"nod/internal/cli/watch"
)

// Env is what a command knows of the outside.
type Env = console.Env

// Run executes one command line and returns the exit code of the process.
func Run(ctx context.Context, env Env, args []string) int {
	c := console.New(env)
	return c.Run(ctx, args,
		requestsCommand(c), showCommand(c), allowCommand(c), denyCommand(c), answerCommand(c), watch.Command(c), leasesCommand(c), leaseCommand(c),
		stopCommand(c), talk.AskCommand(c), talk.ChatCommand(c), sayCommand(c), pressCommand(c), agentsCommand(c), hostsCommand(c), logCommand(c), statusCommand(c),
		pairCommand(c), tokenCommand(c), device.Command(c), device.HomeAssistantCommand(c))
}
