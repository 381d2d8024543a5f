// Package app puts the house together. It alone sees every room; it holds no
// rules and no handlers.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"nod"
	"nod/internal/auth"
	"nod/internal/config"
	"nod/internal/httpd"
	"nod/internal/hub"
	"nod/internal/store/sqlite"
)

// Options are what a person chose for this run.
type Options struct {
	Data         string
	Config       config.Config
	InsecureHTTP bool
	Version      string
	Out          io.Writer                                     // what a person reads: the first line is the address
	Greet        func(link string, valid time.Duration) string // the second: how to pair; an empty link means later. nil: no second line
	Log          *slog.Logger
}

// Serve runs the hub until ctx ends.
func Serve(ctx context.Context, o Options) (err error) {
	store, err := sqlite.Open(ctx, filepath.Join(o.Data, "nod.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	judge, err := rules(o.Config.Policy)
	if err != nil {
		return err
	}
	h, err := hub.Open(ctx, store, hub.Options{Log: o.Log, Version: o.Version, Policy: judge})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close(context.WithoutCancel(ctx))) }()

	keeper := auth.NewKeeper(store, time.Now, o.Log)
	house := &house{Options: o, hub: h, keeper: keeper, started: time.Now()}
	gate := house.gate()
	certificate, err := certificate(o.Config.TLS)
	if err != nil {
		return err
	}
	server, err := httpd.Listen(ctx, httpd.Config{
		Handler: httpd.Mux(gate, o.Log, house.routes()...), Listen: o.Config.Listen, Socket: Socket(o.Data),
		Hosts: o.Config.Hosts, TLS: certificate, InsecureHTTP: o.InsecureHTTP, Log: o.Log,
	})
	if err != nil {
		return err
	}
	house.address = server.URL()
	house.public = publicAddress(house.address, hostname(), o.Config.Hosts)
	if err := house.announce(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	ctx, end := context.WithCancel(ctx)
	adapters := house.start(ctx)
	defer adapters.Wait() // before the hub is closed under them
	defer end()
	return server.Serve(ctx)
}

// certificate is the TLS that was configured, or none.
func certificate(c config.TLS) (*tls.Config, error) {
	if c.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "cannot use the certificate %s with the key %s: both must be PEM files that belong together", c.Cert, c.Key).Because(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// Socket is where the hub of a data directory is reached on this machine.
func Socket(data string) string { return filepath.Join(data, "nod.sock") }

// house is what one run is made of.
type house struct {
	Options
	hub     *hub.Hub
	keeper  *auth.Keeper
	address string // as it listens
	public  string // as others call it
	started time.Time
	run     []func(context.Context) // adapters that live beside the server
}

// start lets adapters live until ctx ends.
func (h *house) start(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, f := range h.run {
		all.Go(func() { f(ctx) })
	}
	return &all
}

// announce prints the address, first of all and alone on its line because
// scripts wait for it, and how to pair a device.
func (h *house) announce(ctx context.Context) error {
	if _, err := fmt.Fprintf(h.Out, "listening on %s\n", h.address); err != nil {
		return err
	}
	if h.Greet == nil {
		return nil
	}
	link, valid, err := h.firstPairing(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(h.Out, h.Greet(link, valid))
	return err
}

// firstPairing is a link for the very first device. Once there is one, no code
// is printed any more: what a service prints ends up in logs that an agent can
// read, and `nod pair` asks who wants it.
func (h *house) firstPairing(ctx context.Context) (link string, valid time.Duration, err error) {
	known, err := h.keeper.List(ctx)
	if err != nil || len(known) > 0 {
		return "", 0, err
	}
	system := nod.Actor{Kind: nod.System, Name: "nod serve", Rights: auth.Paired | nod.RightsOf(nod.Admin)}
	p, err := h.keeper.Pair(system, auth.Paired)
	if err != nil {
		return "", 0, err
	}
	return h.public + "/pair#" + p.Code, time.Until(p.Expires).Round(time.Minute), nil
}

// publicAddress is the address as another machine would type it: a hub that
// listens everywhere has to be called by some name.
func publicAddress(address, host string, hosts []string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err != nil || !ip.IsUnspecified() {
		return address
	}
	if len(hosts) > 0 {
		host = hosts[0]
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

// hostname is what people call this machine.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

// gate knows who comes in.
func (h *house) gate() *httpd.Gate {
	return &httpd.Gate{
		Keeper: h.keeper,
		Local:  &auth.Local{Judge: judge(h.hub), Host: hostname(), DevicesOnly: h.Config.Answer == config.AnswerDevices},
		Hosts:  h.Config.Hosts,
		Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
			return h.hub.Desk(by).Allowed(ctx, right, what)
		},
	}
}
