package words

// Keys of an agent's terminal.
var (
	TopicPress = Topic{
		Short: Message{EN: "Press a key of an agent's terminal: background or mode", PL: "Naciśnij klawisz w terminalu agenta: background lub mode", JA: "エージェントの端末のキーを押す(background、mode)"},
		Examples: []Example{
			{"nod press api background", Message{EN: "what it runs goes on in the background, and it goes on too (Ctrl+B)", PL: "to, co uruchomił, działa dalej w tle, a on pracuje dalej (Ctrl+B)", JA: "実行中のものをバックグラウンドに回し、先へ進ませる(Ctrl+B)"}},
			{"nod press api mode", Message{EN: "the next permission mode (Shift+Tab)", PL: "następny tryb uprawnień (Shift+Tab)", JA: "次の許可モードへ(Shift+Tab)"}},
		},
	}
	PressWhich       = Message{EN: "There is no key %q: choose background or mode.", PL: "Nie ma klawisza %q: wybierz background lub mode.", JA: "キー %q はありません。background か mode を選んでください。"}
	PressUnreachable = Message{EN: "nod cannot press keys in the terminal of %[1]s. Press it there, on %[2]s.", PL: "nod nie może naciskać klawiszy w terminalu %[1]s. Naciśnij tam, na %[2]s.", JA: "nod から %[1]s の端末のキーは押せません。%[2]s の端末で押してください。"}
	PressMode        = Message{EN: "%[1]s is in the mode %[2]s now.", PL: "%[1]s jest teraz w trybie %[2]s.", JA: "%[1]s は %[2]s モードになりました。"}
	PressBehind      = Message{EN: "What %s was running goes on in the background.", PL: "To, co uruchomił %s, działa dalej w tle.", JA: "%s が実行中だったものはバックグラウンドで続きます。"}
	PressFailed      = Message{EN: "%[1]s: %[2]s", PL: "%[1]s: %[2]s", JA: "%[1]s: %[2]s"}
	PressUnknown     = Message{EN: "The key is on its way to %s; what came of it is not known yet. `nod agents` shows it.", PL: "Klawisz jest w drodze do %s; skutku jeszcze nie znamy. Pokaże go `nod agents`.", JA: "キーは %s に送られましたが、結果はまだわかりません。`nod agents` で確認できます。"}
	LogKey           = Message{EN: "%[1]s pressed %[3]s through %[2]s", PL: "%[1]s: klawisz %[3]s przez %[2]s", JA: "%[1]s(%[2]s)がキー %[3]s を押した"}
)

// The same keys in the sheet about an agent, and the modes that no plan leads to.
var webKeys = []WebWord{
	{"press.mode", Message{EN: "Next mode", PL: "Następny tryb", JA: "次のモード"}},
	{"press.mode.how", Message{EN: "Shift+Tab in its terminal: the next permission mode.", PL: "Shift+Tab w terminalu: następny tryb uprawnień.", JA: "端末の Shift+Tab と同じです。次の許可モードに移ります。"}},
	{"press.background", Message{EN: "To background", PL: "W tło", JA: "バックグラウンドへ"}},
	{"press.background.how", Message{EN: "Ctrl+B in its terminal: what it runs goes on in the background, and the agent goes on too.", PL: "Ctrl+B w terminalu: to, co uruchomił, działa dalej w tle, a agent pracuje dalej.", JA: "端末の Ctrl+B と同じです。実行中のものをバックグラウンドに回し、エージェントは先へ進みます。"}},
	{"press.sent", Message{EN: "The key is on its way.", PL: "Klawisz w drodze.", JA: "キーを送りました。"}},
	{"mode.plan", Message{EN: "Plan only", PL: "Tylko planuj", JA: "計画のみ"}},
	{"mode.dontAsk", Message{EN: "Never ask", PL: "Nie pytaj", JA: "確認しない"}},
	{"mode.bypassPermissions", Message{EN: "No limits", PL: "Bez ograniczeń", JA: "制限なし"}},
}
