package words

// What `nod run` says.
var (
	TopicRun = Topic{
		Short: Message{EN: "Run an agent so that nod can reach it, without tmux", PL: "Uruchom agenta tak, by nod mógł do niego pisać, bez tmux", JA: "tmux なしで nod から届くようにエージェントを動かす"},
		Examples: []Example{
			{"nod run -- claude", Message{EN: "Claude Code as always; messages from your devices are typed into it", PL: "Claude Code jak zawsze; wiadomości z Twoich urządzeń są w nim wpisywane", JA: "いつもの Claude Code。ほかの端末からのメッセージが入力される"}},
			{"nod run -- claude --continue", Message{EN: "with any options of its own", PL: "z dowolnymi jego opcjami", JA: "そのコマンドのオプションも使える"}},
			{"alias claude='nod run -- claude'", Message{EN: "for good; in a pipe the command simply runs", PL: "na stałe; w potoku polecenie po prostu działa", JA: "常に使う(パイプではそのまま実行)"}},
		},
	}
	RunWhat = Message{
		EN: "Say what to run, for example: nod run -- claude",
		PL: "Podaj, co uruchomić, na przykład: nod run -- claude",
		JA: "実行するコマンドを指定してください。例: nod run -- claude",
	}
	RunNotFound = Message{
		EN: "There is no program %q here. Is it installed, and in your PATH?",
		PL: "Nie ma tu programu %q. Czy jest zainstalowany i w PATH?",
		JA: "%q というプログラムが見つかりません。インストールされていて PATH にあるか確認してください。",
	}
	RunUnsupported = Message{
		EN: "`nod run` works on Linux and macOS. Here, start %q by itself: approvals and questions reach you anyway, only typing into it from elsewhere does not work.",
		PL: "`nod run` działa na Linuksie i macOS. Tutaj uruchom %q samodzielnie: prośby i pytania i tak do Ciebie dotrą, nie działa tylko pisanie do niego skądinąd.",
		JA: "`nod run` は Linux と macOS で使えます。ここでは %q をそのまま起動してください。承認や質問は届きますが、ほかの端末からの入力だけはできません。",
	}
	RunFailed = Message{
		EN: "%q could not be started under nod: %s. Started by itself it works as always.",
		PL: "Nie udało się uruchomić %q przez nod: %s. Uruchomiony samodzielnie działa jak zawsze.",
		JA: "%q を nod から起動できませんでした: %s。直接起動すればいつもどおり使えます。",
	}
)
