package httpd

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"

	"nod"
)

// InsecureFlag is the flag for Config.InsecureHTTP. It is ugly on purpose.
const InsecureFlag = "--insecure-plain-http-on-the-network"

func listenTCP(ctx context.Context, cfg Config) (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", cfg.Listen)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "%q is no address to listen on; it looks like 127.0.0.1:8742", cfg.Listen).Because(err)
	}
	if !addr.IP.IsLoopback() && cfg.TLS == nil && !cfg.InsecureHTTP {
		return nil, nod.Errorf(nod.Forbidden, "%s can be reached from the network, where plain HTTP would show every token to everyone. Add --tls (nod makes its own certificates), give one with --tls-cert and --tls-key, or listen on 127.0.0.1 behind a tunnel; %s does it all the same", cfg.Listen, InsecureFlag)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr.String()) // the address that was checked; the name could resolve to another
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, nod.Errorf(nod.Conflict, "another program listens on %s already: maybe a nod that still runs (nod status), or choose another address with --listen", cfg.Listen).Because(err)
	case err != nil:
		return nil, nod.Errorf(nod.Unavailable, "cannot listen on %s", cfg.Listen).Because(err)
	}
	return l, nil
}

// hostOf returns the host in a listen address, if there is one.
func hostOf(listen string) []string {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || host == "" {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		return nil
	}
	return []string{host}
}
