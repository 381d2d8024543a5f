package hook

import (
	"io"
	"os"
	"runtime"

	"nod/internal/agent/claude/wire"
	"nod/internal/sys/datadir"
	"nod/internal/sys/version"
)

// Main is the whole program.
func Main(args []string) {
	if len(args) == 1 && args[0] == wire.VersionFlag {
		_, _ = io.WriteString(os.Stdout, wire.Program{Version: version.String(), Protocol: wire.Protocol}.String()+"\n")
		return
	}
	env := Env{Stdin: os.Stdin, Stdout: os.Stdout, Getenv: os.Getenv}
	if env.DataDir = dataDir(args, os.Getenv); env.DataDir != "" {
		Run(env)
	}
}

// dataDir is empty when nothing says where it is: then there is no hub either.
func dataDir(args []string, getenv func(string) string) string {
	if len(args) == 2 && args[0] == wire.DataFlag {
		return args[1]
	}
	dir, _ := datadir.Find(getenv, runtime.GOOS)
	return dir
}
