// Command nod-hook is what Claude Code starts at every step of an agent. It links
// next to nothing, so that it starts at once and waits in little memory.
package main

import (
	"os"

	"nod/internal/hook"
)

func main() { hook.Main(os.Args[1:]) }
