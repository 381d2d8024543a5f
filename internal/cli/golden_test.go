package cli

import (
	"bytes"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func TestGoldenLists(t *testing.T) {
	var hosts []v1.Host
	for i, h := range clitest.SomeHosts() {
		hosts = append(hosts, v1.Host{Host: *h, Agents: i, Pending: i % 2})
	}
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		p := show.Page{Layout: term.Layout{Printer: lang, Columns: columns, Terminal: true, Now: clitest.Noon.Add(12 * time.Second)}}
		check("hosts", hostList(p.With(clitest.RemoteSnapshot()), hosts))
		check("status", term.TwoColumns(statusRows(p, "/run/nod.sock", someHealth())))
	})
}

func someHealth() *v1.Health {
	return &v1.Health{
		Version:  "0.1.0",
		Identity: &v1.Identity{You: &nod.Actor{Name: "anna at desk", Via: "terminal"}, Rights: nod.RightsOf(nod.View, nod.Answering)},
		Details: &v1.Details{
			Started: clitest.Noon.Add(-26 * time.Hour), Now: clitest.Noon, Head: 1234, Hash: nod.Hash(bytes.Repeat([]byte{0xab}, 32)),
			Listen: "127.0.0.1:8742", Pending: 2, Agents: 3, Viewers: 1,
		},
	}
}
