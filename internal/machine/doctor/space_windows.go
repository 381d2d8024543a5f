package doctor

import "golang.org/x/sys/windows"

// freeSpace is how much this user may still write where dir is.
func freeSpace(dir string) (bytes uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err
}

// socketLimit is how long a path of a Unix socket may be.
const socketLimit = len(windows.RawSockaddrUnix{}.Path) - 1
