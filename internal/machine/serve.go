package machine

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nod/internal/app"
	"nod/internal/net/certs"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// serve runs the hub in the foreground.
func (m *Machine) serve() *cobra.Command {
	return m.hub("serve [--listen ADDR] [--tls] [--data DIR] [--config FILE] [--demo]", words.TopicServe, func(*app.Config) error { return nil })
}

// hubFlags are those of every command that runs a hub.
type hubFlags struct {
	listen, data, file, cert, key, log, logFormat string
	ownTLS, insecure, verbose, demo, service      bool
}

func (o *hubFlags) add(f *pflag.FlagSet, say words.Printer) {
	f.StringVar(&o.listen, "listen", "", say.Say(words.FlagListen))
	f.StringVar(&o.data, "data", "", say.Say(words.FlagData))
	f.StringVar(&o.file, "config", "", say.Say(words.FlagConfig))
	f.BoolVar(&o.ownTLS, "tls", false, say.Say(words.FlagTLS))
	f.StringVar(&o.cert, "tls-cert", "", say.Say(words.FlagCert))
	f.StringVar(&o.key, "tls-key", "", say.Say(words.FlagKey))
	f.BoolVar(&o.demo, "demo", false, say.Say(words.FlagDemo))
	f.BoolVar(&o.insecure, httpd.InsecureFlag[2:], false, say.Say(words.FlagInsecure))
	f.StringVar(&o.log, "log", "", say.Say(words.FlagLog))
	f.StringVar(&o.logFormat, "log-format", "text", say.Say(words.FlagLogFormat))
	f.BoolVar(&o.service, "service", false, say.Say(words.FlagService))
	f.BoolVarP(&o.verbose, "verbose", "v", false, say.Say(words.FlagVerbose))
}

// hub is a command that runs a hub; adjust changes its configuration.
func (m *Machine) hub(use string, topic words.Topic, adjust func(*app.Config) error) *cobra.Command {
	var o hubFlags
	cmd := m.Command(use, topic)
	cmd.Args = cobra.NoArgs
	o.add(cmd.Flags(), m.Printer)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if o.logFormat != "text" && o.logFormat != "json" {
			return m.Misused(words.LogFormatUnknown, o.logFormat)
		}
		out, err := m.output(o.log, o.logFormat == "json", o.verbose)
		if err != nil {
			return m.Failed(words.LogFailed, o.log, err)
		}
		defer out.close()
		if o.data, err = filepath.Abs(cmp.Or(o.data, m.DataDir)); err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
		if o.demo {
			o.data = filepath.Join(o.data, "demo") // keeps made-up events out of the real log
		}
		c, _, err := m.Load(o.data, o.file)
		if err != nil {
			return out.ended(err)
		}
		if o.demo {
			o.listen = cmp.Or(o.listen, demoAddress)
		}
		c.Listen = cmp.Or(o.listen, c.Listen)
		if err := adjust(&c); err != nil {
			return err
		}
		if c.TLS, err = m.certificate(c.TLS, o); err != nil {
			return err
		}
		if err := m.runHub(cmd.Context(), o, c, out); err != nil {
			return out.ended(err)
		}
		return nil
	}
	return cmd
}

func (m *Machine) runHub(ctx context.Context, o hubFlags, c app.Config, out output) error {
	greet := m.greet
	if o.service || o.log != "" {
		greet = m.greetUnattended
	}
	// The hub runs all day and mostly waits: a smaller heap is worth more than the
	// time that collecting more often costs.
	debug.SetGCPercent(50)
	return app.Serve(ctx, app.Options{
		Data: o.data, Config: c, InsecureHTTP: o.insecure, Demo: o.demo, Version: m.Version,
		ConfigFile: m.ConfigFile(o.data, o.file),
		Reload: func() (app.Config, error) {
			c, _, err := m.Load(o.data, o.file)
			return c, err
		},
		Out: out, Greet: greet, Trust: m.trustLine, Log: out.log,
	})
}

// demoAddress is not the usual one, so that a demo can run beside the real hub.
const demoAddress = "127.0.0.1:8743"

// greet says how to pair the first device.
func (m *Machine) greet(link string, valid time.Duration) string {
	if link == "" {
		return m.Say(words.ServePairLater)
	}
	return m.Say(words.ServePair, link, m.Span(valid))
}

// greetUnattended has no pairing link: logs are kept, and others read them.
func (m *Machine) greetUnattended(string, time.Duration) string {
	return m.Say(words.ServePairLater)
}

// certificate is the one that the flags name, or else the configuration.
func (m *Machine) certificate(configured certs.Config, o hubFlags) (certs.Config, error) {
	switch {
	case o.ownTLS && (o.cert != "" || o.key != ""):
		return configured, m.Misused(words.TLSOneWay)
	case o.ownTLS:
		return certs.Config{Own: true}, nil
	case (o.cert == "") != (o.key == ""):
		return configured, m.Misused(words.TLSBoth)
	case o.cert != "":
		return certs.Config{Cert: o.cert, Key: o.key}, nil
	}
	return configured, nil
}

// trustLine says how a device comes to trust a hub with its own CA.
func (m *Machine) trustLine(link, fingerprint string) string {
	return m.Say(words.ServeTrust, link, fingerprint)
}
