package words

// Other machines: their links, and the hub that they are linked to.
var (
	TopicLink = Topic{
		Short: Message{EN: "Let people at a hub elsewhere answer the agents of this machine", PL: "Pozwól ludziom przy innym hubie odpowiadać agentom tego komputera", JA: "このマシンのエージェントに、別のハブから答えられるようにする"},
		Examples: []Example{
			{"nod link --hub https://nod.example.org:8742 --token-file ~/.config/nod/link.token", Message{EN: "the token is from `nod hosts add` there", PL: "token pochodzi z `nod hosts add` na tamtym hubie", JA: "トークンは向こうの `nod hosts add` で作る"}},
			{"nod link", Message{EN: "as nod.toml says in [link]", PL: "tak jak mówi [link] w nod.toml", JA: "nod.toml の [link] のとおりに"}},
		},
	}
	LinkWhere     = Message{EN: "Which hub? Say --hub https://… --token-file FILE, or write [link] into nod.toml. On that hub, `nod hosts add NAME` makes the token.", PL: "Który hub? Podaj --hub https://… --token-file PLIK albo wpisz [link] do nod.toml. Token tworzy tam `nod hosts add NAZWA`.", JA: "どのハブですか。--hub https://… --token-file ファイル を指定するか、nod.toml に [link] を書いてください。トークンはそのハブの `nod hosts add 名前` で作れます。"}
	FlagHub       = Message{EN: "address of the hub elsewhere", PL: "adres innego huba", JA: "別のハブのアドレス"}
	FlagTokenFile = Message{EN: "file whose first line is the token", PL: "plik, którego pierwszy wiersz to token", JA: "1 行目がトークンのファイル"}
	FlagLinkCA    = Message{EN: "its CA (PEM), where it signs for itself", PL: "jego CA (PEM), gdy sam się podpisuje", JA: "自己署名の場合の CA (PEM)"}

	TopicHosts = Topic{
		Short: Message{EN: "List, add and remove the machines that are linked to this hub", PL: "Pokaż, dodaj i usuń komputery połączone z tym hubem", JA: "このハブにつながるマシンの一覧、追加、削除"},
		Examples: []Example{
			{"nod hosts", Message{EN: "which are there, and what waits on them", PL: "które są i co na nich czeka", JA: "どれがいて、何が待っているか"}},
			{"nod hosts add laptop > link.token", Message{EN: "a token for its `nod link`", PL: "token dla jego `nod link`", JA: "`nod link` 用のトークン"}},
			{"nod hosts remove laptop", Message{EN: "its link ends at once", PL: "jego połączenie kończy się od razu", JA: "すぐに切れる"}},
		},
	}
	NoHosts  = Message{EN: "No other machine is linked. `nod hosts add NAME` makes a token for its `nod link`.", PL: "Żaden inny komputer nie jest połączony. `nod hosts add NAZWA` tworzy token dla jego `nod link`.", JA: "ほかのマシンはつながっていません。`nod hosts add 名前` で `nod link` 用のトークンを作れます。"}
	HostUp   = Message{EN: "here", PL: "jest", JA: "接続中"}
	HostAway = Message{EN: "away", PL: "nieobecny", JA: "不在"}
	// Beside what is on a host that is away.
	HostAwayFor     = Message{EN: "away %s", PL: "nieobecny %s", JA: "不在 %s"}
	HostAnswerWaits = Message{EN: "%s is away: your answer waits until it is back.", PL: "%s jest nieobecny: odpowiedź poczeka, aż wróci.", JA: "%s は不在です。答えは戻ったときに届きます。"}
	HostHub         = Message{EN: "hub", PL: "hub", JA: "ハブ"}
	HostHubNamed    = Message{EN: "hub %s", PL: "hub %s", JA: "ハブ %s"}

	HostSince   = Message{EN: "for %s", PL: "od %s", JA: "%s"}
	HostAgents  = Plural{EN: [2]string{"%d agent", "%d agents"}, PL: [3]string{"%d agent", "%d agenty", "%d agentów"}, JA: "エージェント %d"}
	HostWaiting = Message{EN: "%d waiting", PL: "czeka: %d", JA: "待ち %d"}
	HostToken   = Message{EN: "On %[1]s: nod link --hub %[2]s --token-file FILE, with this token in the file. It raises for %[1]s and opens nothing else.", PL: "Na %[1]s: nod link --hub %[2]s --token-file PLIK, z tym tokenem w pliku. Pyta w imieniu %[1]s i nie otwiera niczego więcej.", JA: "%[1]s で: nod link --hub %[2]s --token-file ファイル(中身はこのトークン)。%[1]s からの質問だけに使え、ほかは何も開けません。"}
	HostRemoved = Message{EN: "Removed the link of %s. It ended at once; its agents go on, and are answered there.", PL: "Usunięto połączenie z %s. Skończyło się od razu; jego agenty działają dalej i tam dostają odpowiedzi.", JA: "%s の接続を取り消しました。すぐに切れ、エージェントは向こうで動き続けます。"}
	NoSuchHost  = Message{EN: "There is no link for %s; `nod hosts` lists them.", PL: "Nie ma połączenia dla %s; pokazuje je `nod hosts`.", JA: "%s の接続はありません。`nod hosts` で確認できます。"}
)
