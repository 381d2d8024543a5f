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

// mcp runs an MCP server for the agent that starts it. Standard output is for
// JSON-RPC only.
func (m *Machine) mcp() *cobra.Command {
	var data string
	var verbose bool
	cmd := m.Command("mcp [--data DIR]", words.TopicMCP)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&data, "data", "", m.Say(words.FlagMCPData))
	f.BoolVarP(&verbose, "verbose", "v", false, m.Say(words.FlagVerbose))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if in, ok := m.Stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
			return m.Misused(words.MCPTerminal)
		}
		if data != "" {
			m.DataDir = data
		}
		return m.serveMCP(cmd.Context(), verbose)
	}
	return cmd
}

func (m *Machine) serveMCP(ctx context.Context, verbose bool) error {
	var log *slog.Logger
	if verbose {
		log = logger(m.Stderr, false, true)
	}
	return server.Serve(ctx, server.Options{Hub: m.remoteHub(), Caller: m.caller(), Version: m.Version, Log: log}, m.Stdin, m.Stdout)
}

// remoteHub is the hub that this machine's environment points at.
func (m *Machine) remoteHub() *server.Remote {
	if address := m.Getenv("NOD_URL"); address != "" {
		transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: trustCA(m.Getenv("NOD_CA"))}
		return &server.Remote{HTTP: &http.Client{Transport: transport}, Base: strings.TrimRight(address, "/"), Token: m.Getenv("NOD_TOKEN")}
	}
	socket := app.Socket(m.DataDir)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}
	return &server.Remote{HTTP: &http.Client{Transport: &http.Transport{DialContext: dial}}, Base: "http://nod"}
}

// trustCA adds the hub's own CA to those of the system. Without the file only the
// system's count.
func trustCA(file string) *tls.Config {
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

// What Claude Code sets for the MCP servers that it starts.
const (
	envSession = "CLAUDE_CODE_SESSION_ID"
	envProject = "CLAUDE_PROJECT_DIR"
)

// caller is the agent that started us. One whose environment has no session gets a
// random name for as long as it runs.
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
