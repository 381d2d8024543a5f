// Package app puts nod together. It alone imports every part; it holds no rules and
// no handlers.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/mcp"
	"nod/internal/hub"
	"nod/internal/hub/attachment"
	"nod/internal/net/auth"
	"nod/internal/net/certs"
	"nod/internal/net/httpd"
	"nod/internal/net/mqttd"
	"nod/internal/net/passkey"
	"nod/internal/surface/keyboard"
	"nod/internal/surface/metrics"
	passkeys "nod/internal/surface/passkey"
	"nod/internal/surface/voicebridge"
	"nod/internal/sys/datadir"
)

// Options are what a person chose for this run.
type Options struct {
	Data         string
	Config       Config
	ConfigFile   string                 // where rules are written
	Reload       func() (Config, error) // reads the configuration anew
	InsecureHTTP bool
	Demo         bool // make-believe agents, and nothing is kept
	Version      string
	Out          io.Writer                                     // what a person reads: the first line is the address
	Greet        func(link string, valid time.Duration) string // the second: how to pair; an empty link means later. nil: no second line
	Trust        func(link, fingerprint string) string         // the third, if the hub has a CA of its own: how to trust it
	Log          *slog.Logger
}

// Serve runs the hub until ctx ends.
func Serve(ctx context.Context, o Options) (err error) {
	store, err := openStore(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	judge, err := newPolicyJudge(o.Config.Policy)
	if err != nil {
		return err
	}
	meter := metrics.NewMeter()
	h, err := hub.Open(ctx, store, hub.Options{Count: meter.Commit, Name: hubName(store, o.Data), Host: hostname(), Log: o.Log, Version: o.Version, Policy: judge, Proof: o.Config.Passkey.Required, Assistants: o.assistants()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close(context.WithoutCancel(ctx))) }()

	keeper := auth.NewCredentials(store, time.Now, o.Log)
	a := &app{Options: o, hub: h, meter: meter, store: store, passkeys: passkey.New(store, h.Now), credentials: keeper, files: fileStore(store, o.Data), rules: &ruleFile{judge, o.ConfigFile, o.Reload}, started: time.Now()}
	a.gate = a.newGate()
	if _, shared := store.(hub.Watcher); shared {
		a.run = append(a.run, func(ctx context.Context) { keeper.Watch(ctx, 5*time.Second) })
	}
	if err := a.openCertificates(); err != nil {
		return err
	}
	if err := a.uplink(); err != nil {
		return err
	}
	routes, err := a.routes()
	if err != nil {
		return err
	}
	mux := httpd.Mux(a.gate, o.Log, routes...)
	server, err := httpd.Listen(ctx, a.secure(httpd.Config{
		Handler: a.keys.Middleware(mux), Listen: o.Config.Listen, Socket: Socket(o.Data),
		Hosts: o.Config.Hosts, InsecureHTTP: o.InsecureHTTP, Log: o.Log,
	}))
	if err != nil {
		return err
	}
	if err := a.listenBeside(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	a.address = server.URL()
	a.public = a.publicly()
	a.announceSelf()
	if err := a.announce(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	ctx, end := context.WithCancel(ctx)
	adapters := a.start(ctx)
	defer adapters.Wait() // before the hub is closed under them
	defer end()
	return server.Serve(ctx)
}

// Socket is where the hub of a data directory is reached on this machine.
func Socket(data string) string { return datadir.Socket(data) }

// app is what one run is made of.
type app struct {
	Options
	hub         *hub.Hub
	meter       *metrics.Meter
	store       store
	passkeys    *passkey.Ceremonies
	credentials *auth.Credentials
	files       attachment.FileStore // that people sent to agents
	rules       *ruleFile
	gate        *httpd.Gate
	address     string // as it listens
	public      string // as others call it
	started     time.Time
	source      source                  // of the certificate; nil: plain HTTP
	ca          *certs.Authority        // of this hub, if it has one
	run         []func(context.Context) // adapters that live beside the server
	health      health                  // of adapters
	listeners   []listener              // addresses beside the hub's own
	keys        *keyboard.Surface       // keyboards with pictures
	advice      *advice
	tools       *mcp.Driver // what agents ask for themselves; nil in a demo
	mqtt        mqttd.Bus   // nil: none, or no adapter wanted it yet
}

// start lets adapters live until ctx ends.
func (a *app) start(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, f := range a.run {
		all.Go(func() { f(ctx) })
	}
	return &all
}

// announce prints the address, first of all and alone on its line because
// scripts wait for it, and how to pair a device.
func (a *app) announce(ctx context.Context) error {
	if _, err := fmt.Fprintf(a.Out, "listening on %s\n", a.address); err != nil {
		return err
	}
	if a.Greet == nil {
		return nil
	}
	link, valid, err := a.firstPairing(ctx)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(a.Out, a.Greet(link, valid)); err == nil && a.ca != nil && a.Trust != nil {
		_, err = fmt.Fprintln(a.Out, a.Trust(a.trustLink(), a.ca.Fingerprint()))
	}
	return err
}

// firstPairing is a link for the very first device. Once there is one, no code
// is printed any more: what a service prints ends up in logs that an agent can
// read, and `nod pair` asks who wants it.
func (a *app) firstPairing(ctx context.Context) (link string, valid time.Duration, err error) {
	known, err := a.credentials.List(ctx)
	if err != nil || len(known) > 0 {
		return "", 0, err
	}
	system := nod.Actor{Kind: nod.ActorSystem, Name: "nod serve", Rights: auth.Paired | nod.RightsOf(nod.Admin)}
	p, err := a.credentials.Offer(ctx, system, auth.Paired)
	if err != nil {
		return "", 0, err
	}
	return a.public + "/pair#" + p.Code, time.Until(p.Expires).Round(time.Minute), nil
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

// newGate is what knows who comes in.
func (a *app) newGate() *httpd.Gate {
	return &httpd.Gate{
		Credentials: a.credentials,
		Local:       &auth.Local{Judge: judge(a.hub), Host: hostname(), DevicesOnly: a.Config.Answer == AnswerDevices},
		Hosts:       a.Config.Hosts,
		Proof:       passkeys.RedeemProof(a.passkeys),
		Trusted:     httpd.TrustNetworks(httpd.OwnAddresses, voicebridge.Trusted(a.Config.VoiceBridge.TrustedNetworks), a.Config.Brain.Trust(compatible), metrics.Trusted(a.Config.Metrics.TrustedNetworks)),
		Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
			return a.hub.Desk(by).Allowed(ctx, right, what)
		},
	}
}
