package words

import (
	"testing"
	"time"
)

func TestForFollowsTheFirstVariableThatIsSet(t *testing.T) {
	tests := []struct {
		env  map[string]string
		want Lang
	}{
		{nil, English},
		{map[string]string{"LANG": "pl_PL.UTF-8"}, Polish},
		{map[string]string{"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "pl"}, Polish},
		{map[string]string{"LANG": "pl_PL", "LC_ALL": "C"}, English},
		{map[string]string{"LC_ALL": "pl_PL", "NOD_LANG": "ja"}, Japanese},
		{map[string]string{"NOD_LANG": "JA-jp"}, Japanese},
		{map[string]string{"NOD_LANG": "plt_MG"}, English}, // Malagasy begins like Polish and is not
		{map[string]string{"LANG": "de_DE.UTF-8"}, English},
	}
	for _, tt := range tests {
		if got := For(func(k string) string { return tt.env[k] }).Lang(); got != tt.want {
			t.Errorf("%v: language %d, want %d", tt.env, got, tt.want)
		}
	}
}

func TestPolishHasThreeForms(t *testing.T) {
	want := map[int]string{
		0: "0 agentów pracuje.", 1: "1 agent pracuje.", 2: "2 agenty pracują.", 4: "4 agenty pracują.",
		5: "5 agentów pracuje.", 12: "12 agentów pracuje.", 14: "14 agentów pracuje.", 21: "21 agentów pracuje.",
		22: "22 agenty pracują.", 112: "112 agentów pracuje.", 124: "124 agenty pracują.",
	}
	for n, sentence := range want {
		if got := In(Polish).Count(AgentsWorking, n); got != sentence {
			t.Errorf("%d: %q, want %q", n, got, sentence)
		}
	}
}

func TestDurationsHaveOneUnit(t *testing.T) {
	tests := []struct {
		d          time.Duration
		en, pl, ja string
	}{
		{-time.Hour, "just now", "przed chwilą", "たった今"},
		{300 * time.Millisecond, "just now", "przed chwilą", "たった今"},
		{4 * time.Second, "4 s ago", "4 s temu", "4 秒前"},
		{150 * time.Second, "2 min ago", "2 min temu", "2 分前"},
		{26 * time.Hour, "26 h ago", "26 godz. temu", "26 時間前"},
		{72 * time.Hour, "3 days ago", "3 dni temu", "3 日前"},
	}
	for _, tt := range tests {
		got := [3]string{In(English).Ago(tt.d), In(Polish).Ago(tt.d), In(Japanese).Ago(tt.d)}
		if want := [3]string{tt.en, tt.pl, tt.ja}; got != want {
			t.Errorf("%v: %q, want %q", tt.d, got, want)
		}
	}
}

func TestTimeLeftIsRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]string{
		119 * time.Second: "2 min", 2 * time.Minute: "2 min", 500 * time.Millisecond: "1 s", 3 * time.Second: "3 s", -time.Second: "0 s",
	} {
		if got := In(English).Left(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestLeaseDurations(t *testing.T) {
	for d, want := range map[time.Duration][2]string{
		20 * time.Minute:               {"20 min", "20 min"},
		20*time.Minute - time.Second/2: {"20 min", "20 min"}, // the hub's clock went on between asking and granting
		time.Hour:                      {"1 h", "60 min"},
		61*time.Minute + time.Second:   {"61 min", "62 min"},
		24 * time.Hour:                 {"24 h", "24 h"},
		49 * time.Second:               {"1 min", "49 s"},
	} {
		if got := [2]string{In(English).LeaseSpan(d), In(English).LeaseLeft(d)}; got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestSayReordersArguments(t *testing.T) {
	got := In(Japanese).Say(AlreadyAllowed, "anna at desk", "terminal", "4 秒前")
	if want := "4 秒前、anna at desk が terminal からすでに許可しています。"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
