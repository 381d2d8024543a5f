package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"nod/internal/app"
	"nod/internal/machine/console"
	"nod/internal/present/words"
	"nod/internal/sys/peer"
)

// config: with a file that cannot be read the hub does not start.
func (d *Doctor) config(context.Context) Finding {
	_, list, err := d.Load(d.DataDir, "")
	if err != nil {
		return fail(err.Error(), d.Say(words.ConfigFix))
	}
	file := filepath.Join(d.DataDir, "nod.toml")
	if named := d.Getenv("NOD_CONFIG"); named != "" {
		file = named
	} else if _, err := os.Stat(file); err != nil {
		return fine(d.Say(words.ConfigNone))
	}
	return fine(d.Say(words.ConfigRead, file, len(list)))
}

func (d *Doctor) answer(context.Context) Finding {
	conf, _, err := d.Load(d.DataDir, "")
	switch {
	case d.remote():
		return skip(d.Say(words.SkipRemote))
	case err != nil:
		return skip(d.Say(words.SkipConfig))
	case conf.Answer == app.AnswerDevices:
		return fine(d.Say(words.AnswerDevices))
	}
	return fine(d.Say(words.AnswerLocal))
}

// remote: the hub is on another machine, and so are its data and settings.
func (d *Doctor) remote() bool { return d.Getenv("NOD_URL") != "" }

func (d *Doctor) data(context.Context) Finding {
	if d.remote() {
		return skip(d.Say(words.SkipRemote))
	}
	dir := d.DataDir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return warn(d.Say(words.DataMissing, dir), d.Say(words.DataMissingFix))
	case err != nil:
		return fail(err.Error(), d.Say(words.DataWriteFix, console.ShellWord(dir)))
	case !info.IsDir():
		return fail(d.Say(words.DataNoFolder, dir), d.Say(words.DataNoFolderFix))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fail(d.Say(words.DataOpen, dir, fmt.Sprintf("%04o", info.Mode().Perm())), d.Say(words.DataOpenFix, console.ShellWord(dir)))
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return fail(d.Say(words.DataReadOnly, dir), d.Say(words.DataWriteFix, console.ShellWord(dir)))
	}
	_ = errors.Join(f.Close(), os.Remove(f.Name()))
	return fine(dir)
}

// Below spaceLittle the log is about to run out of room, below spaceNone it has.
const (
	spaceLittle = 100 << 20
	spaceNone   = 10 << 20
)

func (d *Doctor) disk(context.Context) Finding {
	if d.remote() {
		return skip(d.Say(words.SkipRemote))
	}
	free, err := d.Free(existing(d.DataDir))
	switch {
	case err != nil:
		return skip(err.Error())
	case free < spaceNone:
		return fail(d.Say(words.DiskFree, console.Size(free)), d.Say(words.DiskNoneFix))
	case free < spaceLittle:
		return warn(d.Say(words.DiskFree, console.Size(free)), d.Say(words.DiskLittleFix))
	}
	return fine(d.Say(words.DiskFree, console.Size(free)))
}

// existing is the nearest parent folder that exists.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func (d *Doctor) socket(context.Context) Finding {
	if d.remote() {
		return skip(d.Say(words.SkipRemote))
	}
	path := app.Socket(d.DataDir)
	if len(path) > socketLimit {
		return fail(d.Say(words.SocketLong, len(path), socketLimit), d.Say(words.SocketLongFix))
	}
	return fine(path)
}

// markedAncestor finds the process that makes the hub take this one for an agent's.
func (d *Doctor) markedAncestor() (a peer.Ancestor, mark string, ok bool) {
	line, err := d.Lineage(os.Getpid())
	if err != nil {
		return a, "", false
	}
	for _, a := range line {
		if marks, err := d.Marks(a.PID, peer.AgentMarks()); err == nil && len(marks) > 0 {
			return a, marks[0], true
		}
	}
	return a, "", false
}

// processes: the hub distinguishes a person from an agent by the ancestors of their
// processes, so it has to see them.
func (d *Doctor) processes(context.Context) Finding {
	if d.remote() {
		return skip(d.Say(words.SkipRemote))
	}
	_, err := d.Lineage(os.Getpid())
	switch mounts, _ := os.ReadFile("/proc/self/mountinfo"); {
	case errors.Is(err, peer.ErrUnsupported):
		return warn(d.Say(words.ProcessesUnknown), d.Say(words.UseDevices))
	case err != nil && hidepid(string(mounts)) != "":
		return fail(d.Say(words.ProcessesHidden, hidepid(string(mounts))), d.Say(words.ProcessesHiddenFix))
	case err != nil:
		return fail(d.Say(words.ProcessesUnseen, err), d.Say(words.UseDevices))
	}
	return fine(d.Say(words.ProcessesSeen))
}

// hidepid is the mount option with which /proc hides other users' processes, or
// empty.
func hidepid(mountinfo string) string {
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) < 5 || fields[4] != "/proc" {
			continue
		}
		for option := range strings.SplitSeq(fields[len(fields)-1], ",") {
			if strings.HasPrefix(option, "hidepid=") && option != "hidepid=0" && option != "hidepid=off" {
				return option
			}
		}
	}
	return ""
}
