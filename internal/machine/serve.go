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

	"nod"
	"nod/internal/app"
	"nod/internal/config"
	"nod/internal/httpd"
	"nod/internal/words"
)

// serve runs the hub in the foreground.
func (m *Machine) serve() *cobra.Command {
	var listen, data, file, cert, key string
	var insecure, verbose bool
	cmd := m.command("serve [--listen ADDR] [--data DIR] [--config FILE]", words.TopicServe)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "", m.say.Say(words.FlagListen))
	f.StringVar(&data, "data", "", m.say.Say(words.FlagData))
	f.StringVar(&file, "config", "", m.say.Say(words.FlagConfig))
	f.StringVar(&cert, "tls-cert", "", m.say.Say(words.FlagCert))
	f.StringVar(&key, "tls-key", "", m.say.Say(words.FlagKey))
	f.BoolVar(&insecure, httpd.InsecureFlag[2:], false, m.say.Say(words.FlagInsecure))
	f.BoolVarP(&verbose, "verbose", "v", false, m.say.Say(words.FlagVerbose))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if data == "" {
			data = m.DataDir
		}
		data, err := filepath.Abs(data)
		if err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
		c, _, err := m.load(data, file)
		if err != nil {
			return &said{nod.Visible(err.Error()), exitFailed}
		}
		if listen != "" {
			c.Listen = listen
		}
		if cert != "" || key != "" {
			c.TLS = config.TLS{Cert: cert, Key: key}
		}
		// The hub is there all day and mostly waits: memory is worth more than the
		// little time that collecting sooner costs.
		debug.SetGCPercent(50)
		err = app.Serve(cmd.Context(), app.Options{
			Data: data, Config: c, InsecureHTTP: insecure, Version: m.Version,
			Out: m.Stdout, Greet: m.greet, Log: logger(m.Stderr, verbose),
		})
		if err != nil {
			// Whoever starts the hub is its administrator: they see the cause too.
			return &said{nod.Visible(err.Error()), exitFailed}
		}
		return nil
	}
	return cmd
}

// greet says how the first device gets in.
func (m *Machine) greet(link string, valid time.Duration) string {
	if link == "" {
		return m.say.Say(words.ServePairLater)
	}
	return m.say.Say(words.ServePair, link, m.say.Span(valid))
}

// load reads the configuration of a data directory, or the file that was named
// by flag or environment.
func (m *Machine) load(data, file string) (config.Config, []config.Setting, error) {
	if file == "" {
		file = m.Getenv("NOD_CONFIG")
	}
	if file != "" {
		return config.Load(file, true, m.Getenv)
	}
	return config.Load(filepath.Join(data, "nod.toml"), false, m.Getenv)
}

// logger writes for people: colours on a terminal, plain lines elsewhere.
func logger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	file, ok := w.(*os.File)
	plain := !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("NO_COLOR") != ""
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", NoColor: plain}))
}
