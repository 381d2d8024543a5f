package machine

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nod/internal/app"
	"nod/internal/machine/env"
	"nod/internal/net/certs"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// serve runs the hub in the foreground.
func (m *Machine) serve() *cobra.Command {
	return m.hub("serve [--listen ADDR] [--tls] [--data DIR] [--config FILE] [--demo]", words.TopicServe, func(*app.Config) error { return nil })
}

// hub is a command that runs a hub; more is what it settles beyond the
// configuration.
func (m *Machine) hub(use string, topic words.Topic, more func(*app.Config) error) *cobra.Command {
	var listen, data, file, cert, key, log, format string
	var own, insecure, verbose, demo, unattended bool
	cmd := m.Command(use, topic)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "", m.Say(words.FlagListen))
	f.StringVar(&data, "data", "", m.Say(words.FlagData))
	f.StringVar(&file, "config", "", m.Say(words.FlagConfig))
	f.BoolVar(&own, "tls", false, m.Say(words.FlagTLS))
	f.StringVar(&cert, "tls-cert", "", m.Say(words.FlagCert))
	f.StringVar(&key, "tls-key", "", m.Say(words.FlagKey))
	f.BoolVar(&demo, "demo", false, m.Say(words.FlagDemo))
	f.BoolVar(&insecure, httpd.InsecureFlag[2:], false, m.Say(words.FlagInsecure))
	f.StringVar(&log, "log", "", m.Say(words.FlagLog))
	f.StringVar(&format, "log-format", "text", m.Say(words.FlagLogFormat))
	f.BoolVar(&unattended, "service", false, m.Say(words.FlagService))
	f.BoolVarP(&verbose, "verbose", "v", false, m.Say(words.FlagVerbose))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if format != "text" && format != "json" {
			return m.Misused(words.LogFormatUnknown, format)
		}
		out, err := m.outlet(log, format == "json", verbose)
		if err != nil {
			return m.Failed(words.LogFailed, log, err)
		}
		defer out.close()
		if data == "" {
			data = m.DataDir
		}
		data, err := filepath.Abs(data)
		if err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
		if demo {
			data = filepath.Join(data, "demo") // a place of its own: nothing real is ever near it
		}
		c, _, err := m.Load(data, file)
		if err != nil {
			return out.ended(err)
		}
		if demo && listen == "" {
			listen = demoAddress
		}
		if listen != "" {
			c.Listen = listen
		}
		if err := more(&c); err != nil {
			return err
		}
		if c.TLS, err = m.certificate(c.TLS, own, cert, key); err != nil {
			return err
		}
		greet := m.greet
		if unattended || log != "" {
			greet = m.greetUnattended
		}
		// The hub is there all day and mostly waits: memory is worth more than the
		// little time that collecting sooner costs.
		debug.SetGCPercent(50)
		err = app.Serve(cmd.Context(), app.Options{
			Data: data, Config: c, InsecureHTTP: insecure, Demo: demo, Version: m.Version,
			ConfigFile: m.ConfigFile(data, file),
			Reload: func() (app.Config, error) {
				c, _, err := m.Load(data, file)
				return c, err
			},
			Out: out, Greet: greet, Trust: m.trustLine, Log: out.log,
		})
		if err != nil {
			return out.ended(err)
		}
		return nil
	}
	return cmd
}

// demoAddress is beside the usual one, so that a demo can run next to the real
// hub.
const demoAddress = "127.0.0.1:8743"

// greet says how the first device gets in.
func (m *Machine) greet(link string, valid time.Duration) string {
	if link == "" {
		return m.Say(words.ServePairLater)
	}
	return m.Say(words.ServePair, link, m.Span(valid))
}

// greetUnattended: a log is kept and read by others, so no way in stands in it.
func (m *Machine) greetUnattended(string, time.Duration) string {
	return m.Say(words.ServePairLater)
}

// outlet is where a hub writes.
type outlet struct {
	io.Writer
	log   *slog.Logger
	close func()
}

// ended is why there is no hub (any more). Whoever starts it is its administrator:
// they see the cause too. Nobody sees the terminal of a service.
func (o outlet) ended(err error) error {
	if _, kept := o.Writer.(*logFile); kept {
		o.log.Error("the hub ended", "err", err)
	}
	return env.Visible(err)
}

// outlet is the terminal, or a log file that nod rotates itself.
func (m *Machine) outlet(file string, asJSON, verbose bool) (outlet, error) {
	logger := logger
	if asJSON {
		logger = jsonLogger
	}
	if file == "" {
		return outlet{m.Stdout, logger(m.Stderr, verbose), func() {}}, nil
	}
	l, err := openLog(file, logLimit, logFiles, func(f *os.File) {
		_ = debug.SetCrashOutput(f, debug.CrashOptions{}) // the end of a hub must not go unread
	})
	if err != nil {
		return outlet{}, err
	}
	return outlet{l, logger(l, verbose), func() { _ = l.Close() }}, nil
}

// certificate is what the flags say about HTTPS, or else the configuration.
func (m *Machine) certificate(configured certs.Config, own bool, cert, key string) (certs.Config, error) {
	switch {
	case own && (cert != "" || key != ""):
		return configured, m.Misused(words.TLSOneWay)
	case own:
		return certs.Config{Own: true}, nil
	case (cert == "") != (key == ""):
		return configured, m.Misused(words.TLSBoth)
	case cert != "":
		return certs.Config{Cert: cert, Key: key}, nil
	}
	return configured, nil
}

// trustLine says how a device comes to trust a hub that signs for itself.
func (m *Machine) trustLine(link, fingerprint string) string {
	return m.Say(words.ServeTrust, link, fingerprint)
}

// logger writes for people: colours on a terminal, plain lines elsewhere.
func logger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	file, ok := w.(*os.File)
	format := "15:04:05"
	if _, kept := w.(*logFile); kept { // it is read days later
		format = time.DateTime
	}
	plain := !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("NO_COLOR") != ""
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: format, NoColor: plain}))
}

// jsonLogger writes for programs that collect logs: one object on each line.
func jsonLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}
