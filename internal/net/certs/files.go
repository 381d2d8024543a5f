package certs

import (
	"crypto/tls"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"nod"
)

// checkEvery limits how often the files are checked.
const checkEvery = time.Minute

// Files serves a certificate that another program renews. It reloads the files when they change; if certificate and
// key do not match, it keeps the old pair.
type Files struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	print   [2]print
	checked time.Time
}

// print detects whether a file was changed.
type print struct {
	at   time.Time
	size int64
}

// OpenFiles reads a certificate chain and its key, both PEM.
func OpenFiles(cert, key string, now func() time.Time, log *slog.Logger) (*Files, error) {
	f := &Files{cert: cert, key: key, now: now, log: log, checked: now()}
	f.print = f.look()
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "cannot use the certificate %s with the key %s: both must be PEM files that belong together, the key without a passphrase", cert, key).Because(err)
	}
	f.current = &pair
	return f, nil
}

// TLS is the configuration for the listener.
func (f *Files) TLS() *tls.Config {
	return &tls.Config{GetCertificate: f.certificate, MinVersion: tls.VersionTLS12}
}

// Names are the host names in the certificate, without wildcards.
func (f *Files) Names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, name := range f.current.Leaf.DNSNames {
		if !strings.HasPrefix(name, "*") {
			names = append(names, name)
		}
	}
	return names
}

func (f *Files) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.now(); now.Sub(f.checked).Abs() >= checkEvery {
		f.checked = now
		f.reload()
	}
	return f.current, nil
}

func (f *Files) reload() {
	seen := f.look()
	if seen == f.print {
		return
	}
	f.print = seen
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		f.log.Error("the new certificate cannot be used, the old one stays", "cert", f.cert, "key", f.key, "err", err)
		return
	}
	f.current = &pair
	f.log.Info("a new certificate is in use", "cert", f.cert, "until", pair.Leaf.NotAfter.Format(time.DateOnly))
}

// look runs before the files are read: a change in between is seen next time.
func (f *Files) look() (p [2]print) {
	for i, name := range []string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			p[i] = print{info.ModTime(), info.Size()}
		}
	}
	return p
}
