//go:build unix

package replace

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner matters when root edits a user's file; without permission to chown it does nothing.
func keepOwner(f *os.File, like fs.FileInfo) {
	if st, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}
