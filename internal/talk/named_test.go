package talk_test

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
	"nod/internal/talk"
)

func TestOnScreenUnlessNamed(t *testing.T) {
	named := []string{"kubectl apply"}
	for _, c := range []struct {
		command, level string
		screen         bool
	}{
		{"kubectl apply -f manifest.yaml", "destructive", false},
		{"kubectl apply -f manifest.yaml", "secret", true},
		{"kubectl delete -f manifest.yaml", "destructive", true},
		{"kubectl apply -f a.yaml && rm -r x", "destructive", true},
		{"kubectl apply -xw -f a.yaml", "destructive", true}, // options that cannot be heard
		{"kubectl apply -f " + strings.Repeat("folder/", 40) + "a.yaml " + strings.Repeat("word ", 30), "destructive", true},
		{"make", "write", false},
	} {
		input, _ := json.Marshal(map[string]string{"command": c.command})
		r := &nod.Request{Kind: nod.KindApproval, Tool: "Bash", Input: input, OneTap: true, Risk: &nod.Risk{Level: c.level}}
		if got := talk.OnScreenUnless(r, nod.Answer{Verdict: nod.VerdictAllow}, named); got != c.screen {
			t.Errorf("%.40s (%s) needs a screen: %v", c.command, c.level, got)
		}
		if r.Risk.Level != c.level {
			t.Error("the request was changed")
		}
	}
}
