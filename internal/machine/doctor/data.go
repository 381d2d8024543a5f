package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"nod/internal/app"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// config: a file that cannot be read keeps the hub from starting.
func (c *checkup) config(context.Context) finding {
	_, list, err := c.Load(c.DataDir, "")
	if err != nil {
		return fail(err.Error(), c.Say(words.ConfigFix))
	}
	file := filepath.Join(c.DataDir, "nod.toml")
	if named := c.Getenv("NOD_CONFIG"); named != "" {
		file = named
	} else if _, err := os.Stat(file); err != nil {
		return fine(c.Say(words.ConfigNone))
	}
	return fine(c.Say(words.ConfigRead, file, len(list)))
}

func (c *checkup) answer(context.Context) finding {
	conf, _, err := c.Load(c.DataDir, "")
	switch {
	case c.remote():
		return skip(c.Say(words.SkipRemote))
	case err != nil:
		return skip(c.Say(words.SkipConfig))
	case conf.Answer == app.AnswerDevices:
		return fine(c.Say(words.AnswerDevices))
	}
	return fine(c.Say(words.AnswerLocal))
}

// remote: the hub is somewhere else, and so are its data and its settings.
func (c *checkup) remote() bool { return c.Getenv("NOD_URL") != "" }

func (c *checkup) data(context.Context) finding {
	if c.remote() {
		return skip(c.Say(words.SkipRemote))
	}
	dir := c.DataDir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return warn(c.Say(words.DataMissing, dir), c.Say(words.DataMissingFix))
	case err != nil:
		return fail(err.Error(), c.Say(words.DataWriteFix, console.ShellWord(dir)))
	case !info.IsDir():
		return fail(c.Say(words.DataNoFolder, dir), c.Say(words.DataNoFolderFix))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fail(c.Say(words.DataOpen, dir, fmt.Sprintf("%04o", info.Mode().Perm())), c.Say(words.DataOpenFix, console.ShellWord(dir)))
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return fail(c.Say(words.DataReadOnly, dir), c.Say(words.DataWriteFix, console.ShellWord(dir)))
	}
	_ = errors.Join(f.Close(), os.Remove(f.Name()))
	return fine(dir)
}

// Below the first the log soon has no room, below the second it has none now.
const (
	spaceLittle = 100 << 20
	spaceNone   = 10 << 20
)

func (c *checkup) disk(context.Context) finding {
	if c.remote() {
		return skip(c.Say(words.SkipRemote))
	}
	free, err := c.Free(existing(c.DataDir))
	switch {
	case err != nil:
		return skip(err.Error())
	case free < spaceNone:
		return fail(c.Say(words.DiskFree, console.Size(free)), c.Say(words.DiskNoneFix))
	case free < spaceLittle:
		return warn(c.Say(words.DiskFree, console.Size(free)), c.Say(words.DiskLittleFix))
	}
	return fine(c.Say(words.DiskFree, console.Size(free)))
}

// existing is the nearest folder above that is there.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func (c *checkup) socket(context.Context) finding {
	if c.remote() {
		return skip(c.Say(words.SkipRemote))
	}
	path := app.Socket(c.DataDir)
	if len(path) > socketLimit {
		return fail(c.Say(words.SocketLong, len(path), socketLimit), c.Say(words.SocketLongFix))
	}
	return fine(path)
}
