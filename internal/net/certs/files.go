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

// checkEvery is how often files are looked at, at most.
const checkEvery = time.Minute

// Files shows a certificate that someone else keeps fresh. It is read again
// when the files change; a pair that does not fit together is not used, and the
// old one stays.
type Files struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	print   [2]print
	checked time.Time
}

// print tells whether a file was changed.
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

// TLS is for the listener.
func (f *Files) TLS() *tls.Config {
	return &tls.Config{GetCertificate: f.certificate, MinVersion: tls.VersionTLS12}
}

// Names are the host names in the certificate, without those that stand for many.
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

// look is taken before the files are read: what changes in between is seen next time.
func (f *Files) look() (p [2]print) {
	for i, name := range []string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			p[i] = print{info.ModTime(), info.Size()}
		}
	}
	return p
}
