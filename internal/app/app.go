// Package app puts nod together. It alone imports every part, and has no rules and no
// handlers itself.
package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/attachment"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/net/passkey"
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
	Reload       func() (Config, error) // reads the configuration again
	InsecureHTTP bool
	Demo         bool // made-up agents, and nothing is kept
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

	certificates, err := openCertificates(o)
	if err != nil {
		return err
	}
	a := &app{
		Options: o, hub: h, store: store, certificates: certificates, started: time.Now(), files: fileStore(store, o.Data),
		credentials: auth.NewCredentials(store, time.Now, o.Log), passkeys: passkey.New(store, h.Now),
		rules: &ruleFile{judge, o.ConfigFile, o.Reload}, opened: opened{meter: meter},
	}
	a.gate = a.newGate()
	if err := a.openAdapters(); err != nil {
		return err
	}
	return a.serve(ctx)
}

// serve opens the hub's addresses and runs everything until ctx ends.
func (a *app) serve(ctx context.Context) error {
	c := httpd.Config{
		Handler: a.opened.handler(httpd.Mux(a.gate, a.Log, a.opened.routes...)), Listen: a.Config.Listen, Socket: Socket(a.Data),
		Hosts: a.Config.Hosts, InsecureHTTP: a.InsecureHTTP, Log: a.Log,
	}
	server, err := httpd.Listen(ctx, a.certificates.secure(c))
	if err != nil {
		return err
	}
	if err := a.opened.listen(ctx, c, a.certificates.secure); err != nil {
		return errors.Join(err, server.Close())
	}
	a.announcement = newAnnouncement(a.Options, server.URL(), a.certificates.ca)
	if err := a.announcement.print(ctx, a.credentials); err != nil {
		return errors.Join(err, server.Close())
	}
	ctx, end := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait() // before the hub is closed
	defer end()
	beside.Go(func() { a.announcement.inNetwork(ctx, a.opened.listeners) })
	if _, shared := a.store.(hub.Watcher); shared {
		beside.Go(func() { a.credentials.Watch(ctx, 5*time.Second) })
	}
	beside.Go(func() { a.opened.run(ctx) })
	return server.Serve(ctx)
}

// Socket is where the hub of a data directory is reached on this machine.
func Socket(data string) string { return datadir.Socket(data) }

// app is what one run is made of.
type app struct {
	Options
	hub          *hub.Hub
	store        store
	started      time.Time
	certificates certificates
	credentials  *auth.Credentials
	passkeys     *passkey.Ceremonies
	files        attachment.FileStore // that people sent to agents
	rules        *ruleFile
	gate         *httpd.Gate
	opened       opened       // what adapters contribute
	announcement announcement // empty until the hub listens
}

// hostname is what people call this machine.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

// newGate authenticates callers.
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
