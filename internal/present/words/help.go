package words

// Topic is what a command says about itself.
type Topic struct {
	Short    Message
	Examples []Example
}

// Example is a line to type and what it does.
type Example struct {
	Line string
	Says Message
}

// The frame of every help page.
var (
	HelpUsage    = Message{EN: "Usage", PL: "Użycie", JA: "使い方"}
	HelpCommands = Message{EN: "Commands", PL: "Polecenia", JA: "コマンド"}
	HelpFlags    = Message{EN: "Flags", PL: "Opcje", JA: "オプション"}
	HelpExamples = Message{EN: "Examples", PL: "Przykłady", JA: "例"}
	HelpMore     = Message{EN: "`nod COMMAND --help` tells more about one command.", PL: "`nod POLECENIE --help` powie więcej o poleceniu.", JA: "各コマンドの詳細は `nod コマンド --help` で見られます。"}
	HelpOutcome  = Message{
		EN: "Exit codes: 0 decided, 3 someone else was first, 4 unknown or gone, 1 failed, 2 wrong use.",
		PL: "Kody wyjścia: 0 rozstrzygnięto, 3 ktoś był pierwszy, 4 nieznane lub minęło, 1 błąd, 2 złe użycie.",
		JA: "終了コード: 0 決定、3 先に誰かが回答、4 不明または終了済み、1 失敗、2 使い方の誤り",
	}
)

// Root is the program itself.
var Root = Topic{
	Short: Message{
		EN: "See and answer your coding agents from anywhere.",
		PL: "Zobacz swoje agenty i odpowiadaj im skądkolwiek.",
		JA: "どこからでもコーディングエージェントを見て、答える。",
	},
	Examples: []Example{
		{"nod requests", Message{EN: "what waits for you", PL: "co na Ciebie czeka", JA: "返事待ちの一覧"}},
		{"nod allow 7f3a", Message{EN: "say yes to one of them", PL: "zgódź się na jedną z próśb", JA: "その一つを許可"}},
		{"nod watch", Message{EN: "see everything live, answer with one key", PL: "patrz na żywo, odpowiadaj klawiszem", JA: "ライブ表示、キー一つで回答"}},
		{"nod stop --all", Message{EN: "the red button: stop every agent now", PL: "czerwony przycisk: zatrzymaj wszystkie agenty", JA: "非常停止: すべてのエージェントを止める"}},
	},
}

// The commands about requests.
var (
	TopicRequests = Topic{
		Short: Message{EN: "Show what waits for you, or one request in full", PL: "Pokaż, co na Ciebie czeka, albo jedną prośbę w całości", JA: "返事待ちの一覧、または一件の全文を表示"},
		Examples: []Example{
			{"nod requests", Message{EN: "what waits", PL: "co czeka", JA: "返事待ちの一覧"}},
			{"nod requests 7f3a", Message{EN: "one request in full; the first letters of its id are enough", PL: "jedna prośba w całości; wystarczą pierwsze litery", JA: "一件の全文(ID の先頭だけでよい)"}},
			{"nod requests --all", Message{EN: "also what is settled", PL: "także rozstrzygnięte", JA: "済んだものも含める"}},
			{"nod requests --json | jq -r '.[].id'", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	TopicAllow = Topic{
		Short: Message{EN: "Allow a request: once, for a while or as a rule", PL: "Pozwól: raz, na czas albo jako reguła", JA: "依頼を許可(一度、しばらく、またはルールとして)"},
		Examples: []Example{
			{"nod allow 7f3a", Message{EN: "once, exactly as it was shown", PL: "raz, dokładnie to, co pokazano", JA: "表示されたとおりに一度だけ許可"}},
			{"nod allow 7f3a --for 20m --times 30", Message{EN: "and its kind for a while, in this session", PL: "i ten rodzaj na czas, w tej sesji", JA: "この種類もしばらく、このセッションで許可"}},
			{"nod allow 7f3a --for 1h --where folder", Message{EN: "the same for every agent in its folder", PL: "tak samo dla agentów w jego folderze", JA: "同じフォルダのエージェント全部に"}},
			{"nod allow 7f3a --always", Message{EN: "and add the rule that `nod requests 7f3a` shows", PL: "i dodaj regułę, którą pokazuje `nod requests 7f3a`", JA: "`nod requests 7f3a` に出るルールも加える"}},
			{"nod allow 7f3a --edit 'git push origin dev'", Message{EN: "change the command first", PL: "najpierw zmień polecenie", JA: "コマンドを書き換えて許可"}},
			{"nod allow 7f3a --mode acceptEdits", Message{EN: "approve a plan and choose how it goes on", PL: "zatwierdź plan i wybierz tryb", JA: "計画を承認し、進め方を選ぶ"}},
		},
	}
	TopicDeny = Topic{
		Short: Message{EN: "Deny a request, and say why", PL: "Odrzuć prośbę i powiedz dlaczego", JA: "依頼を拒否し、理由を伝える"},
		Examples: []Example{
			{"nod deny 7f3a", Message{EN: "just no", PL: "po prostu nie", JA: "拒否するだけ"}},
			{"nod deny 7f3a -m 'use the dev branch'", Message{EN: "tell the agent what to do instead", PL: "powiedz agentowi, co ma zrobić zamiast", JA: "代わりにすることを伝える"}},
			{"nod deny 7f3a --stop", Message{EN: "and stop the whole turn", PL: "i zatrzymaj całą turę", JA: "作業全体も止める"}},
		},
	}
	TopicAnswer = Topic{
		Short: Message{EN: "Answer a question by number, label or in your own words", PL: "Odpowiedz na pytanie numerem, etykietą lub własnymi słowami", JA: "質問に番号、選択肢、または自由な言葉で答える"},
		Examples: []Example{
			{"nod answer 7f3a 2", Message{EN: "the second choice", PL: "drugi wybór", JA: "2 番目の選択肢"}},
			{"nod answer 7f3a Postgres", Message{EN: "by its label", PL: "po etykiecie", JA: "選択肢の名前で"}},
			{"nod answer 7f3a 1,3", Message{EN: "several, where several may be chosen", PL: "kilka, gdzie można wybrać kilka", JA: "複数選べるとき"}},
			{"nod answer 7f3a 2 'only in CI'", Message{EN: "two questions, in order", PL: "dwa pytania, po kolei", JA: "二つの質問に順番に"}},
			{"nod answer 7f3a 2 --note 'for now'", Message{EN: "with a remark", PL: "z uwagą", JA: "補足を添えて"}},
		},
	}
	TopicWatch = Topic{
		Short: Message{EN: "Watch agents live and answer with single keys", PL: "Patrz na agenty na żywo i odpowiadaj klawiszami", JA: "エージェントをライブ表示し、キー一つで回答"},
		Examples: []Example{
			{"nod watch", Message{EN: "then press ? for the keys", PL: "potem ? pokaże klawisze", JA: "? でキーの一覧"}},
		},
	}
)

// The commands about agents, the log and the hub.
var (
	TopicAgents = Topic{
		Short: Message{EN: "Show your agents and what they are doing", PL: "Pokaż agenty i co robią", JA: "エージェントとその様子を表示"},
		Examples: []Example{
			{"nod agents", Message{EN: "those that run now", PL: "te, które teraz działają", JA: "動いているもの"}},
			{"nod agents --all", Message{EN: "also those that ended", PL: "także zakończone", JA: "終了したものも含める"}},
			{"nod agents --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	TopicLog = Topic{
		Short: Message{EN: "Read the log: everything that happened", PL: "Czytaj dziennik: wszystko, co się wydarzyło", JA: "ログ(起きたことのすべて)を読む"},
		Examples: []Example{
			{"nod log -n 50", Message{EN: "the last 50 events", PL: "ostatnie 50 zdarzeń", JA: "最新の 50 件"}},
			{"nod log --follow", Message{EN: "and what comes, as it happens", PL: "i dalsze, na bieżąco", JA: "続きもリアルタイムで"}},
			{"nod log verify", Message{EN: "prove that nothing was changed", PL: "dowiedź, że nic nie zmieniono", JA: "改変がないことを確かめる"}},
		},
	}
	TopicLogVerify = Topic{
		Short: Message{EN: "Prove that nothing in the log was changed or taken out", PL: "Dowiedź, że w dzienniku nic nie zmieniono ani nie usunięto", JA: "ログに改変や欠落がないことを確かめる"},
		Examples: []Example{
			{"nod log verify", Message{EN: "check the hub's log and print its head", PL: "sprawdź dziennik huba i pokaż jego czoło", JA: "ハブのログを確認し、先頭のハッシュを表示"}},
			{"nod log verify --head 3f0c…", Message{EN: "and that a head kept earlier is still in it", PL: "i czy zachowane czoło nadal w nim jest", JA: "控えたハッシュが残っているかも確認"}},
			{"nod log verify nod-log.jsonl", Message{EN: "check an export, without a hub", PL: "sprawdź eksport, bez huba", JA: "ハブなしで書き出しを確認"}},
		},
	}
	TopicLogExport = Topic{
		Short: Message{EN: "Write the whole log as JSON lines", PL: "Zapisz cały dziennik jako wiersze JSON", JA: "ログ全体を JSON 行として書き出す"},
		Examples: []Example{
			{"nod log export nod-log.jsonl", Message{EN: "into a new file", PL: "do nowego pliku", JA: "新しいファイルへ"}},
			{"nod log export | gzip > log.gz", Message{EN: "into a pipe", PL: "do potoku", JA: "パイプへ"}},
		},
	}
	TopicStatus = Topic{
		Short: Message{EN: "Show how the hub is and who it takes you for", PL: "Pokaż stan huba i za kogo Cię uważa", JA: "ハブの様子と、自分がどう見えているかを表示"},
		Examples: []Example{
			{"nod status", Message{EN: "address, version, rights", PL: "adres, wersja, prawa", JA: "アドレス、バージョン、権限"}},
			{"nod status --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
)

// The commands about access.
var (
	TopicToken = Topic{
		Short: Message{EN: "Make, list and revoke tokens for devices and scripts", PL: "Twórz, pokazuj i unieważniaj tokeny urządzeń i skryptów", JA: "機器やスクリプト用トークンの作成、一覧、取り消し"},
		Examples: []Example{
			{"nod token create --name ci --rights view", Message{EN: "prints the token alone", PL: "wypisuje sam token", JA: "トークンだけを出力"}},
			{"nod token list", Message{EN: "who has access", PL: "kto ma dostęp", JA: "アクセスできるもの"}},
			{"nod token revoke k3f9", Message{EN: "end one at once", PL: "zakończ od razu", JA: "すぐに使えなくする"}},
		},
	}
	TopicTokenCreate = Topic{
		Short: Message{EN: "Make a token; it is printed alone on stdout", PL: "Utwórz token; wypisywany jest sam", JA: "トークンを作成(標準出力にはそれだけ)"},
		Examples: []Example{
			{"nod token create --name phone --rights view,answer", Message{EN: "may see and answer", PL: "może widzieć i odpowiadać", JA: "見る、答える"}},
			{"NOD_TOKEN=$(nod token create --name ci --rights view)", Message{EN: "for a script", PL: "dla skryptu", JA: "スクリプト用"}},
		},
	}
	TopicTokenList = Topic{
		Short: Message{EN: "List tokens; their secrets are not kept", PL: "Pokaż tokeny; ich sekretów nie przechowujemy", JA: "トークンの一覧(秘密は保存されない)"},
		Examples: []Example{
			{"nod token list --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	TopicTokenRevoke = Topic{
		Short: Message{EN: "Revoke a token at once", PL: "Unieważnij token od razu", JA: "トークンをすぐに取り消す"},
		Examples: []Example{
			{"nod token revoke k3f9", Message{EN: "the id is in `nod token list`", PL: "identyfikator jest w `nod token list`", JA: "ID は `nod token list` で確認"}},
		},
	}
	TopicPair = Topic{
		Short: Message{EN: "Pair a phone or another device with a QR code", PL: "Sparuj telefon lub inne urządzenie kodem QR", JA: "スマートフォンなどを QR コードでつなぐ"},
		Examples: []Example{
			{"nod pair", Message{EN: "a device that may see and answer", PL: "urządzenie, które widzi i odpowiada", JA: "見て答えられる端末"}},
			{"eval \"$(nod pair http://desk:8742/pair#CODE)\"", Message{EN: "on the other machine: its terminal becomes a device", PL: "na drugim komputerze: jego terminal staje się urządzeniem", JA: "別のマシンで実行すると、その端末がつながる"}},
			{"nod pair --rights view", Message{EN: "a screen that only shows", PL: "ekran, który tylko pokazuje", JA: "表示だけの画面"}},
		},
	}
)

// Flags.
var (
	FlagHelp    = Message{EN: "show this help", PL: "pokaż tę pomoc", JA: "このヘルプを表示"}
	FlagJSON    = Message{EN: "print JSON for scripts", PL: "wypisz JSON dla skryptów", JA: "スクリプト向けに JSON で出力"}
	FlagAll     = Message{EN: "also what is settled, newest first", PL: "także rozstrzygnięte, od najnowszych", JA: "済んだものも新しい順に表示"}
	FlagEnded   = Message{EN: "also agents that ended", PL: "także zakończone agenty", JA: "終了したエージェントも表示"}
	FlagAlways  = Message{EN: "add a rule: the first one offered, or a number or id", PL: "dodaj regułę: pierwszą z proponowanych albo numer lub id", JA: "ルールを加える(最初のもの、または番号か ID)"}
	FlagEdit    = Message{EN: "new text of the command, or the whole input as a JSON object", PL: "nowy tekst polecenia albo całe wejście jako obiekt JSON", JA: "新しいコマンド、または入力全体の JSON オブジェクト"}
	FlagMode    = Message{EN: "with a plan: how the agent goes on", PL: "przy planie: jak agent idzie dalej", JA: "計画の場合: その後の進め方"}
	FlagMessage = Message{EN: "what the agent is told", PL: "co usłyszy agent", JA: "エージェントに伝える言葉"}
	FlagStop    = Message{EN: "also stop the agent's whole turn", PL: "zatrzymaj też całą turę agenta", JA: "エージェントの作業全体も止める"}
	FlagNote    = Message{EN: "a remark to the answer; once for each question, in order", PL: "uwaga do odpowiedzi; po jednej na pytanie, po kolei", JA: "回答への補足(質問ごとに順番に)"}
	FlagNoWait  = Message{EN: "do not wait until the agent has it", PL: "nie czekaj, aż agent to dostanie", JA: "エージェントに届くのを待たない"}
	FlagFollow  = Message{EN: "keep printing what happens", PL: "wypisuj dalej na bieżąco", JA: "続きを表示し続ける"}
	FlagCount   = Message{EN: "how many events", PL: "ile zdarzeń", JA: "表示する件数"}
	FlagHead    = Message{EN: "a hash kept earlier that must be in the log", PL: "zachowany skrót, który musi być w dzienniku", JA: "ログに含まれるはずの控えたハッシュ"}
	FlagName    = Message{EN: "what to call it", PL: "jak go nazwać", JA: "名前"}
	FlagRights  = Message{EN: "raise, view, answer, admin; with commas", PL: "raise, view, answer, admin; z przecinkami", JA: "raise、view、answer、admin(カンマ区切り)"}
	FlagRoom    = Message{EN: "the room it stands in", PL: "pokój, w którym stoi", JA: "置いてある部屋"}
)
