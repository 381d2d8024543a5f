package words

// What went wrong, what it means, what to do next.
var (
	HubAway = Message{
		EN: "The hub at %s does not answer. Nothing was sent; your agents' own prompts still work in their terminals. Start the hub with `nod serve`, or try `nod doctor`.",
		PL: "Hub %s nie odpowiada. Nic nie wysłano; okna agentów w ich terminalach nadal działają. Uruchom hub przez `nod serve` albo spróbuj `nod doctor`.",
		JA: "ハブ %s が応答しません。何も送っていません。エージェントの端末ではこれまでどおり回答できます。`nod serve` でハブを起動するか、`nod doctor` を試してください。",
	}
	HubBroke = Message{
		EN: "The hub at %s broke off before it answered. If you decided something, `nod requests --all` shows whether it counts.",
		PL: "Hub %s przerwał, zanim odpowiedział. Jeśli coś rozstrzygnięto, `nod requests --all` pokaże, czy to się liczy.",
		JA: "ハブ %s との接続が返答の前に切れました。決定が届いたかどうかは `nod requests --all` で確認できます。",
	}
	NoSuchRequest = Message{
		EN: "There is no request %q. `nod requests` lists what waits, `nod requests --all` also what is settled.",
		PL: "Nie ma prośby %q. `nod requests` pokazuje czekające, `nod requests --all` także rozstrzygnięte.",
		JA: "%q という依頼はありません。待っているものは `nod requests`、済んだものも含めるなら `nod requests --all` で見られます。",
	}
	RequestTooShort = Message{
		EN: "There is no request %[1]q, and %[1]q is too short for the beginning of an id: type at least %[2]d characters.",
		PL: "Nie ma prośby %[1]q, a na początek identyfikatora %[1]q to za mało: wpisz co najmniej %[2]d znaki.",
		JA: "%[1]q という依頼はありません。ID の先頭で選ぶには %[2]d 文字以上必要です。",
	}
	AgentTooShort = Message{
		EN: "There is no agent %[1]q, and %[1]q is too short for the beginning of a name or an id: type at least %[2]d characters.",
		PL: "Nie ma agenta %[1]q, a na początek nazwy lub identyfikatora %[1]q to za mało: wpisz co najmniej %[2]d znaki.",
		JA: "%[1]q というエージェントはありません。名前か ID の先頭で選ぶには %[2]d 文字以上必要です。",
	}
	NotUnique = Message{
		EN: "%q fits more than one request: type more letters of its id.",
		PL: "%q pasuje do kilku próśb: wpisz więcej liter identyfikatora.",
		JA: "%q に当てはまる依頼が複数あります。ID をもう少し長く入力してください。",
	}
	WhoAreYou = Message{
		EN: "The hub at %s does not know you. Make a token there with `nod token create` and set NOD_TOKEN, or run this on the hub's own machine.",
		PL: "Hub %s Cię nie zna. Utwórz tam token przez `nod token create` i ustaw NOD_TOKEN, albo uruchom to na komputerze huba.",
		JA: "ハブ %s はあなたを確認できません。ハブ側で `nod token create` を実行して NOD_TOKEN に設定するか、ハブと同じマシンで実行してください。",
	}
	MayNot = Message{
		EN: "The hub refused: %s",
		PL: "Hub odmówił: %s",
		JA: "ハブに拒否されました: %s",
	}
	WentWrong = Message{
		EN: "That did not work: %s",
		PL: "Nie udało się: %s",
		JA: "うまくいきませんでした: %s",
	}
	LogTooShort = Message{
		EN: "The log does not reach back that far any more: %s",
		PL: "Dziennik nie sięga już tak daleko: %s",
		JA: "ログはそこまでさかのぼれません: %s",
	}
)

// Wrong use of a command.
var (
	NoSuchCommand = Message{
		EN: "nod has no command %q.",
		PL: "nod nie ma polecenia %q.",
		JA: "nod に %q というコマンドはありません。",
	}
	DidYouMean = Message{EN: "Did you mean `nod %s`?", PL: "Czy chodziło o `nod %s`?", JA: "`nod %s` のことですか?"}
	SeeHelp    = Message{
		EN: "`%s --help` shows how it is used.",
		PL: "`%s --help` pokazuje, jak tego użyć.",
		JA: "使い方は `%s --help` で見られます。",
	}
	MissingArgument = Message{
		EN: "Something is missing: %s",
		PL: "Czegoś brakuje: %s",
		JA: "足りないものがあります: %s",
	}
	TooManyArguments = Message{
		EN: "That is more than it takes: %q.",
		PL: "To za dużo: %q.",
		JA: "余分な引数があります: %q",
	}
	WrongUse = Message{
		EN: "That is not understood: %s.",
		PL: "Niezrozumiałe: %s.",
		JA: "解釈できません: %s",
	}
	FlagNeeded = Message{
		EN: "--%s is needed.",
		PL: "Potrzebne jest --%s.",
		JA: "--%s が必要です。",
	}
	UnknownRight = Message{
		EN: "%q is no list of rights. Choose from raise, view, answer, admin, with commas between.",
		PL: "%q to nie lista praw. Wybierz spośród raise, view, answer, admin, z przecinkami.",
		JA: "%q は権限の一覧ではありません。raise、view、answer、admin からカンマ区切りで選んでください。",
	}
	NeedsTerminal = Message{
		EN: "`nod watch` needs a terminal. In a pipe use `nod log --follow` or `nod requests --json`.",
		PL: "`nod watch` wymaga terminala. W potoku użyj `nod log --follow` lub `nod requests --json`.",
		JA: "`nod watch` には端末が必要です。パイプでは `nod log --follow` か `nod requests --json` を使ってください。",
	}
	ExportToTerminal = Message{
		EN: "An export is for a file, not for eyes: `nod log export nod-log.jsonl`, or send it into a pipe.",
		PL: "Eksport jest dla pliku, nie dla oczu: `nod log export nod-log.jsonl`, albo przekaż go do potoku.",
		JA: "書き出しはファイル用です: `nod log export nod-log.jsonl` とするか、パイプに渡してください。",
	}
	FileExists = Message{
		EN: "%s exists already, and an export overwrites nothing. Choose another name.",
		PL: "%s już istnieje, a eksport niczego nie nadpisuje. Wybierz inną nazwę.",
		JA: "%s はすでにあります。上書きはしないので、別の名前を選んでください。",
	}
)
