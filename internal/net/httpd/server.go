package httpd

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"nod"
)

const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	// shutdownTimeout limits how long requests may take at shutdown; streams end at once.
	shutdownTimeout = 5 * time.Second
)

// Config configures a Server.
type Config struct {
	Handler      http.Handler
	Listen       string      // TCP address such as "127.0.0.1:8742"; empty: none
	Socket       string      // path of the Unix socket; empty: none
	Hosts        []string    // names of the hub besides its address and localhost
	TLS          *tls.Config // nil: plain HTTP
	PlainPaths   []string    // with TLS: paths that plain HTTP serves too; others redirect to https
	InsecureHTTP bool        // plain HTTP beyond this machine, where anyone can read the tokens
	Log          *slog.Logger
}

// Server serves one handler on a TCP address and on a Unix socket.
type Server struct {
	http     *http.Server
	tcp      net.Listener
	unix     net.Listener
	tls      bool
	log      *slog.Logger
	newConns newConns
	drain    context.CancelFunc // ends streams
	cancel   context.CancelFunc // ends everything
}

// Listen opens the address and the socket, so that clients wait instead of failing.
// Call Serve afterwards.
func Listen(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{log: cfg.Log, tls: cfg.TLS != nil, newConns: newConns{conns: map[net.Conn]struct{}{}}}
	var err error
	if cfg.Listen != "" {
		if s.tcp, err = listenTCP(ctx, cfg); err != nil {
			return nil, err
		}
	}
	if cfg.Socket != "" {
		if s.unix, err = listenUnix(ctx, cfg.Socket, cfg.Log); err != nil {
			if s.tcp != nil {
				_ = s.tcp.Close()
			}
			return nil, err
		}
	}
	// Requests live as long as the server, not as long as this call.
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	serving, drain := context.WithCancel(base)
	s.drain, s.cancel = drain, cancel
	base = context.WithValue(base, servingKey{}, serving)
	base = context.WithValue(base, streamsKey{}, new(atomic.Int64))
	hosts := append(hostOf(cfg.Listen), cfg.Hosts...)
	if s.tcp != nil && s.tls {
		if cfg.TLS = cfg.TLS.Clone(); len(cfg.TLS.NextProtos) == 0 {
			// Without it net/http offers HTTP/2 and then disconnects if it served the socket first.
			cfg.TLS.NextProtos = []string{"h2", "http/1.1"}
		}
		s.tcp = splitTLS(s.tcp, guard(Handle(cfg.Log, plainHTTP(cfg.Handler, cfg.PlainPaths)), hosts, cfg.Log), cfg.Log)
	}
	s.http = &http.Server{
		Handler:           guard(cfg.Handler, hosts, cfg.Log),
		TLSConfig:         cfg.TLS,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnContext:       withConn,
		ConnState:         s.newConns.track,
		ErrorLog:          slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// Serve serves until ctx ends, then waits for open requests and closes.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, 2)
	var running sync.WaitGroup
	if s.tcp != nil {
		running.Go(func() {
			if s.tls {
				failed <- s.http.ServeTLS(s.tcp, "", "")
				return
			}
			failed <- s.http.Serve(s.tcp)
		})
	}
	if s.unix != nil {
		running.Go(func() { failed <- s.http.Serve(s.unix) })
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	s.shutdown()
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Server) shutdown() {
	s.drain()
	s.newConns.close()
	grace, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := s.http.Shutdown(grace); err != nil {
		s.log.Warn("requests were cut off at the end", "err", err)
		s.cancel()
		_ = s.http.Close()
	}
	s.cancel()
}

// Close closes the listeners of a server that never served.
func (s *Server) Close() error {
	s.cancel()
	var errs []error
	for _, l := range []net.Listener{s.tcp, s.unix} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	return errors.Join(errs...)
}

// URL is the address for a browser on this machine; empty without TCP.
func (s *Server) URL() string {
	if s.tcp == nil {
		return ""
	}
	if s.tls {
		return "https://" + s.tcp.Addr().String()
	}
	return "http://" + s.tcp.Addr().String()
}

type servingKey struct{}

// WhileServing returns a copy of ctx that also ends when the server begins to shut
// down. Handlers that wait for a person or for news use it, so that they do not
// delay the shutdown.
func WhileServing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := func() bool { return true }
	if serving, ok := ctx.Value(servingKey{}).(context.Context); ok {
		stop = context.AfterFunc(serving, func() {
			cancel(nod.Errorf(nod.Unavailable, "the hub is shutting down; start it again with: nod serve"))
		})
	}
	return ctx, func() { stop(); cancel(context.Canceled) }
}
