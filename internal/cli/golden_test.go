package cli

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	"nod/internal/present/words"
)

func TestGoldenLists(t *testing.T) {
	var hosts []client.Host
	for i, h := range clitest.SomeHosts() {
		hosts = append(hosts, client.Host{Host: *h, Agents: i, Pending: i % 2})
	}
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		p := show.Page{Layout: term.Layout{Printer: lang, Columns: columns, Terminal: true, Now: clitest.Noon.Add(12 * time.Second)}}
		check("hosts", hostList(p.With(clitest.RemoteSnapshot()), hosts))
		check("status", term.TwoColumns(statusRows(p, "/run/nod.sock", someHealth())))
	})
}

func someHealth() *client.Health {
	return &client.Health{
		Version: "0.1.0", Started: clitest.Noon.Add(-26 * time.Hour), Now: clitest.Noon, Head: 1234, Hash: strings.Repeat("ab", 32),
		Listen: "127.0.0.1:8742", Pending: 2, Agents: 3, Viewers: 1,
		You: &nod.Actor{Name: "anna at desk", Via: "terminal"}, Rights: nod.RightsOf(nod.View, nod.Answering),
	}
}
