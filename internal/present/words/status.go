package words

// What `nod status` tells.
var (
	HubAt        = Message{EN: "Hub", PL: "Hub", JA: "ハブ"}
	ListensAt    = Message{EN: "Listens", PL: "Nasłuchuje", JA: "待ち受け"}
	VersionIs    = Message{EN: "Version", PL: "Wersja", JA: "バージョン"}
	RunsFor      = Message{EN: "Running for", PL: "Działa od", JA: "稼働時間"}
	LogIs        = Message{EN: "Log", PL: "Dziennik", JA: "ログ"}
	DataIn       = Message{EN: "Data", PL: "Dane", JA: "データ"}
	WaitingCount = Message{EN: "Waiting", PL: "Czeka", JA: "返事待ち"}
	AgentsCount  = Message{EN: "Agents", PL: "Agenty", JA: "エージェント"}
	ViewersCount = Message{EN: "Viewers", PL: "Widzowie", JA: "閲覧者"}
	YouAre       = Message{EN: "You are", PL: "Jesteś", JA: "あなた"}
	YouMay       = Message{EN: "You may", PL: "Możesz", JA: "権限"}
	Nobody       = Message{EN: "nobody the hub knows", PL: "nikim, kogo hub zna", JA: "ハブの知らない人"}
	Nothing      = Message{EN: "nothing", PL: "nic", JA: "なし"}
	EventsInLog  = Plural{
		EN: [2]string{"%d event", "%d events"},
		PL: [3]string{"%d zdarzenie", "%d zdarzenia", "%d zdarzeń"},
		JA: "%d 件",
	}
)
