package certs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"nod"
	"nod/internal/sys/replace"
)

const (
	secretFile = "ca.key"
	// PublicFile is the certificate without its key, for devices that should trust it.
	PublicFile = "PromptRelay-CA.pem"
)

// openAuthority reads the CA of a directory, or makes it. If several processes make it at the same time, one wins and
// all use that one.
func openAuthority(dir, host string, us Names, now time.Time) (*Authority, error) {
	if err := privateDir(dir); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, secretFile)
	a, err := readAuthority(file, now)
	if !errors.Is(err, fs.ErrNotExist) {
		return a, err
	}
	if a, err = newAuthority(host, us, now); err != nil {
		return nil, err
	}
	secret, err := a.secret()
	if err != nil {
		return nil, err
	}
	if err := writeOnce(file, secret); err != nil {
		return nil, nod.Errorf(nod.Unavailable, "cannot keep the CA in %s: is the disk full, or the folder someone else's?", dir).Because(err)
	}
	return readAuthority(file, now)
}

func privateDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil && runtime.GOOS != "windows" {
		err = os.Chmod(dir, 0o700)
	}
	if err != nil {
		return nod.Errorf(nod.Unavailable, "cannot use %s, where certificates are kept", dir).Because(err)
	}
	return nil
}

// advice is what to do when a CA is no longer usable.
const advice = "delete it and start again: nod then makes a new CA, which every device has to trust anew"

func readAuthority(file string, now time.Time) (*Authority, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, nod.Errorf(nod.Unavailable, "cannot read %s, which holds the key of this hub's CA", file).Because(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, nod.Errorf(nod.Forbidden, "%s holds the key of this hub's CA, and others on this machine can read it (mode %04o). If nobody else uses this machine: chmod 600 %s. Otherwise %s", file, info.Mode().Perm(), file, advice)
	}
	secret, err := os.ReadFile(file)
	if err != nil {
		return nil, nod.Errorf(nod.Unavailable, "cannot read %s, which holds the key of this hub's CA: does it belong to another user?", file).Because(err)
	}
	a, err := parseAuthority(secret)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "%s is damaged, and with it this hub's CA. Put a copy back from a backup, or %s", file, advice).Because(err)
	}
	if now.After(a.cert.NotAfter) {
		return nil, nod.Errorf(nod.Invalid, "the CA in %s ended on %s. Look at this machine's clock; if it is right, %s", file, a.cert.NotAfter.Format(time.DateOnly), advice)
	}
	return a, nil
}

// writeOnce creates a file atomically, unless it exists.
func writeOnce(file string, content []byte) error {
	temp, err := writeTemp(file, content)
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	err = os.Link(temp, file) // unlike a rename it never replaces
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil: // a file system without links; the data directory's lock must suffice
		if err := os.Rename(temp, file); err != nil {
			return err
		}
	}
	return syncDir(filepath.Dir(file))
}

// renew writes a file unless it already has this content.
func renew(file string, content []byte, mode fs.FileMode) error {
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return replace.File(file, content, mode)
}

func writeTemp(file string, content []byte) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // readable by its owner only
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("writing %s: %w", file, err)
	}
	return f.Name(), nil
}

// syncDir makes a new name survive a power failure.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
