package machine

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nod/internal/agent/mcp/server"
	"nod/internal/app"
	"nod/internal/present/words"
)

// mcp is the process that an agent starts to speak MCP with. Standard output
// carries JSON-RPC and nothing else.
func (m *Machine) mcp() *cobra.Command {
	var data string
	var verbose bool
	cmd := m.Command("mcp [--data DIR]", words.TopicMCP)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&data, dataFlag[2:], "", m.Say(words.FlagMCPData))
	f.BoolVarP(&verbose, "verbose", "v", false, m.Say(words.FlagVerbose))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if in, ok := m.Stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
			return m.Misused(words.MCPTerminal)
		}
		if data != "" {
			m.DataDir = data
		}
		return m.speakMCP(cmd.Context(), verbose)
	}
	return cmd
}

func (m *Machine) speakMCP(ctx context.Context, verbose bool) error {
	var log *slog.Logger
	if verbose {
		log = logger(m.Stderr, true)
	}
	return server.Serve(ctx, server.Options{House: m.remoteHouse(), Caller: m.caller(), Version: m.Version, Log: log}, m.Stdin, m.Stdout)
}

// remoteHouse is the hub that this machine's environment points at.
func (m *Machine) remoteHouse() *server.Remote {
	if address := m.Getenv("NOD_URL"); address != "" {
		way := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: trusting(m.Getenv("NOD_CA"))}
		return &server.Remote{HTTP: &http.Client{Transport: way}, Base: strings.TrimRight(address, "/"), Token: m.Getenv("NOD_TOKEN")}
	}
	socket := app.Socket(m.DataDir)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}
	return &server.Remote{HTTP: &http.Client{Transport: &http.Transport{DialContext: dial}}, Base: "http://nod"}
}

// trusting adds the hub's own certificate authority to those of the system. Without
// the file the system's count alone.
func trusting(file string) *tls.Config {
	text, err := os.ReadFile(file)
	if file == "" || err != nil {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	pool.AppendCertsFromPEM(text)
	return &tls.Config{RootCAs: pool}
}

// What Claude Code tells the servers that it starts.
const (
	envSession = "CLAUDE_CODE_SESSION_ID"
	envProject = "CLAUDE_PROJECT_DIR"
)

// caller is the agent that started us, as far as its environment tells. One that
// tells nothing is known by a name of its own as long as it runs.
func (m *Machine) caller() server.Caller {
	c := server.Caller{Agent: m.Getenv(envSession), Cwd: m.Getenv(envProject), PID: os.Getppid()}
	if c.Agent == "" {
		c.Agent = "mcp-" + string(server.NewID())
	}
	if c.Cwd == "" {
		c.Cwd, _ = os.Getwd()
	}
	c.Host, _ = os.Hostname()
	return c
}
