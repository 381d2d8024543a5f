package words

// The agents, the empty inbox, and pairing.
var webAgents = []WebWord{
	{"agents.search", Message{EN: "Search agents", PL: "Szukaj agentów", JA: "エージェントを検索"}},
	{"agents.nothing", Message{EN: "No agent matches.", PL: "Żaden agent nie pasuje.", JA: "一致するエージェントはありません。"}},
	{"agents.unread", Message{EN: "unread", PL: "nieprzeczytane", JA: "未読"}},
	{"agents.stop", Message{EN: "Interrupt %s", PL: "Przerwij: %s", JA: "%s を中断"}},
	{"agents.context", Message{EN: "context %d%%", PL: "kontekst %d%%", JA: "コンテキスト %d%%"}},
	{"agents.open", Message{EN: "New conversation", PL: "Nowa rozmowa", JA: "新しい会話"}},
	{"host.away", HostAwayFor},
	{"host.waits", HostAnswerWaits},
	{"open.start", Message{EN: "Start", PL: "Zacznij", JA: "開始"}},
	{"state.idle", Message{EN: "Idle", PL: "Bezczynny", JA: "待機中"}},
	{"state.working", Message{EN: "Working", PL: "Pracuje", JA: "作業中"}},
	{"state.waiting", Message{EN: "Needs you", PL: "Czeka na Ciebie", JA: "返事待ち"}},
	{"state.limited", Message{EN: "Limited", PL: "Limit", JA: "制限中"}},
	{"state.until", Message{EN: "Limited until %s", PL: "Limit do %s", JA: "%s まで制限"}},
	{"state.error", Message{EN: "Failed", PL: "Błąd", JA: "エラー"}},
	{"state.ended", Message{EN: "Ended", PL: "Zakończony", JA: "終了"}},
	{"state.stopping", Message{EN: "Stopping, asked by %s", PL: "Zatrzymywanie, na prośbę: %s", JA: "停止中 (%s の指示)"}},
	{"interrupt.what", Message{EN: "It stops what it is doing and waits for you. Nothing that it has done is taken back.", PL: "Przerwie to, co robi, i zaczeka na Ciebie. Tego, co już zrobił, nie cofnie.", JA: "今の作業を止めて、あなたを待ちます。すでに行ったことは元に戻りません。"}},
	{"interrupt.cannot", Message{EN: "nod has no way to interrupt this agent. Press Esc in its terminal on %s.", PL: "nod nie może przerwać tego agenta. Naciśnij Esc w jego terminalu na %s.", JA: "nod からは中断できません。%s の端末で Esc を押してください。"}},
	{"interrupt.hold", Message{EN: "Interrupt", PL: "Przerwij", JA: "中断"}},
	{"interrupt.done", Message{EN: "Told %s to stop.", PL: "Wysłano polecenie stop: %s.", JA: "%s に停止を伝えました。"}},
}

var webAgentCounts = []WebCount{
	{"group.waiting", Plural{EN: [2]string{"%d needs you", "%d need you"}, PL: [3]string{"%d czeka na Ciebie", "%d czekają na Ciebie", "%d czeka na Ciebie"}, JA: "返事待ち %d"}},
	{"group.trouble", Plural{EN: [2]string{"%d held up", "%d held up"}, PL: [3]string{"%d wstrzymany", "%d wstrzymane", "%d wstrzymanych"}, JA: "停止・制限 %d"}},
	{"group.working", Plural{EN: [2]string{"%d working", "%d working"}, PL: [3]string{"%d pracuje", "%d pracują", "%d pracuje"}, JA: "作業中 %d"}},
	{"group.idle", Plural{EN: [2]string{"%d idle", "%d idle"}, PL: [3]string{"%d bezczynny", "%d bezczynne", "%d bezczynnych"}, JA: "待機中 %d"}},
	{"group.ended", Plural{EN: [2]string{"%d ended", "%d ended"}, PL: [3]string{"%d zakończony", "%d zakończone", "%d zakończonych"}, JA: "終了 %d"}},
	{"quiet.working", Plural{EN: [2]string{"%d agent is working.", "%d agents are working."}, PL: [3]string{"%d agent pracuje.", "%d agenty pracują.", "%d agentów pracuje."}, JA: "%d 件のエージェントが作業中です。"}},
	{"quiet.idle", Plural{EN: [2]string{"%d agent is idle.", "%d agents are idle."}, PL: [3]string{"%d agent jest bezczynny.", "%d agenty są bezczynne.", "%d agentów jest bezczynnych."}, JA: "%d 件のエージェントが待機中です。"}},
}

// Before anything waits.
var webStart = []WebWord{
	{"quiet.title", Message{EN: "All quiet.", PL: "Cisza.", JA: "何も待っていません。"}},
	{"quiet.none", Message{EN: "No agent is running.", PL: "Żaden agent nie działa.", JA: "動いているエージェントはありません。"}},
	{"welcome.title", Message{EN: "Welcome.", PL: "Witaj.", JA: "ようこそ。"}},
	{"welcome.text", Message{EN: "Three steps, and your agents ask you here.", PL: "Trzy kroki i agenci będą pytać Cię tutaj.", JA: "3 つの手順で、エージェントがここで確認するようになります。"}},
	{"welcome.1.title", Message{EN: "Connect Claude Code", PL: "Połącz Claude Code", JA: "Claude Code をつなぐ"}},
	{"welcome.1.text", Message{EN: "On the machine where your agents run:", PL: "Na komputerze, na którym działają agenci:", JA: "エージェントが動くマシンで:"}},
	{"welcome.2.title", Message{EN: "Connect a phone", PL: "Połącz telefon", JA: "スマートフォンをつなぐ"}},
	{"welcome.2.text", Message{EN: "It prints a QR code. Scan it with the camera:", PL: "Pokaże kod QR. Zeskanuj go aparatem:", JA: "QR コードが表示されます。カメラで読み取ってください:"}},
	{"welcome.3.title", Message{EN: "Start an agent", PL: "Uruchom agenta", JA: "エージェントを起動"}},
	{"welcome.3.text", Message{EN: "The first time it needs a permission, a card appears here.", PL: "Gdy pierwszy raz poprosi o zgodę, pojawi się tu karta.", JA: "最初に許可が必要になったとき、ここにカードが表示されます。"}},

	{"pair.title", Message{EN: "Pair this device", PL: "Sparuj to urządzenie", JA: "この端末をつなぐ"}},
	{"pair.text", Message{EN: "The link is good once. Give this device a name, so that you know it again.", PL: "Link działa raz. Nazwij to urządzenie, aby je później rozpoznać.", JA: "リンクは一度だけ使えます。あとでわかるように名前を付けてください。"}},
	{"pair.nocode", Message{EN: "This browser is not known to the hub yet. Type `nod pair` on the hub's machine and enter its code here.", PL: "Hub nie zna jeszcze tej przeglądarki. Wpisz `nod pair` na komputerze z hubem i podaj kod tutaj.", JA: "このブラウザはまだ登録されていません。ハブのマシンで `nod pair` を実行し、コードを入力してください。"}},
	{"pair.code", Message{EN: "Code", PL: "Kod", JA: "コード"}},
	{"pair.name", Message{EN: "Name of this device", PL: "Nazwa urządzenia", JA: "端末の名前"}},
	{"pair.namehint", Message{EN: "Everyone sees it beside what you decide here.", PL: "Będzie widoczna przy Twoich decyzjach.", JA: "ここでの決定に表示されます。"}},
	{"pair.do", Message{EN: "Pair", PL: "Sparuj", JA: "つなぐ"}},
	{"pair.browser", Message{EN: "Browser", PL: "Przeglądarka", JA: "ブラウザ"}},
	{"pair.wrong", Message{EN: "This code does not work: it was used already, is older than two minutes, or has a typing error. `nod pair` makes a new one.", PL: "Ten kod nie działa: został już użyty, ma ponad dwie minuty albo zawiera literówkę. `nod pair` utworzy nowy.", JA: "このコードは使えません。使用済みか、2 分以上経過したか、入力に誤りがあります。`nod pair` で新しいコードを作れます。"}},
	{"pair.busy", Message{EN: "Too many tries. Wait a minute, then make a new code with `nod pair`.", PL: "Za dużo prób. Odczekaj minutę i utwórz nowy kod: `nod pair`.", JA: "試行回数が多すぎます。1 分待ってから `nod pair` で新しいコードを作ってください。"}},
}
