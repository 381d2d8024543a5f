package words

// The live view.
var (
	WatchLooking  = Message{EN: "Looking for the hub at %s…", PL: "Szukam huba %s…", JA: "ハブ %s に接続しています…"}
	WatchAway     = Message{EN: "Not connected: the hub at %s does not answer. What you see may be old. Trying again…", PL: "Brak połączenia: hub %s nie odpowiada. To, co widać, może być nieaktualne. Próbuję dalej…", JA: "未接続: ハブ %s が応答しません。表示は古いかもしれません。再接続しています…"}
	WatchRefused  = Message{EN: "Not connected: %s", PL: "Brak połączenia: %s", JA: "未接続: %s"}
	WatchNotSent  = Message{EN: "Not sent: the hub is away. Try again when it is back.", PL: "Nie wysłano: hub nie odpowiada. Spróbuj, gdy wróci.", JA: "送信していません。ハブに接続できません。再接続後にもう一度どうぞ。"}
	WatchTooQuick = Message{EN: "That card has only just appeared; nothing was sent. Press again if you mean it.", PL: "Ta karta dopiero się pojawiła; nic nie wysłano. Naciśnij ponownie, jeśli o nią chodzi.", JA: "このカードは今現れたばかりなので、何も送っていません。よければもう一度押してください。"}
	WatchSending  = Message{EN: "sending…", PL: "wysyłam…", JA: "送信中…"}
	WatchBusy     = Message{EN: "Your answer to this one is on its way.", PL: "Twoja odpowiedź jest już w drodze.", JA: "この依頼への回答を送信中です。"}
	WatchReadAll  = Message{EN: "There is more than the list could show. Read on, then press a again to allow.", PL: "To więcej, niż mieści lista. Przeczytaj, potem naciśnij a ponownie, aby pozwolić.", JA: "一覧に収まらない続きがあります。読んでから、もう一度 a を押すと許可します。"}
	WatchScroll   = Message{EN: "lines %[1]d–%[2]d of %[3]d", PL: "wiersze %[1]d–%[2]d z %[3]d", JA: "%[3]d 行中 %[1]d–%[2]d 行"}
	WatchFolded   = Message{EN: "not all of it fits here; enter shows the rest", PL: "nie wszystko się mieści; enter pokaże resztę", JA: "一部だけ表示しています。enter で全文"}
	WatchMore     = Plural{
		EN: [2]string{"%d more below", "%d more below"},
		PL: [3]string{"niżej jeszcze %d", "niżej jeszcze %d", "niżej jeszcze %d"},
		JA: "下にあと %d 件",
	}
	WatchAbove = Plural{
		EN: [2]string{"%d more above", "%d more above"},
		PL: [3]string{"wyżej jeszcze %d", "wyżej jeszcze %d", "wyżej jeszcze %d"},
		JA: "上にあと %d 件",
	}
	WatchSettled  = Message{EN: "This one is settled; nothing was sent.", PL: "To już rozstrzygnięte; nic nie wysłano.", JA: "これはもう決着しています。何も送っていません。"}
	WatchVanished = Message{EN: "Settled while the hub was away; `nod requests --all` tells how.", PL: "Rozstrzygnięte, gdy hub był niedostępny; `nod requests --all` powie jak.", JA: "ハブに接続できない間に決着しました。`nod requests --all` で確認できます。"}
	WatchChoose   = Message{EN: "This is a question: choose with 1–9 and send with enter, t for your own words, d to deny.", PL: "To pytanie: wybierz 1–9 i wyślij enterem, t to własne słowa, d odrzuca.", JA: "質問です。1–9 で選んで enter で送信、t で自由回答、d で拒否します。"}
	WatchNoRule   = Message{EN: "The agent offers no rule here; a allows it once.", PL: "Agent nie proponuje tu reguły; a pozwala raz.", JA: "ここで使えるルールはありません。a で一度だけ許可できます。"}
	WatchNoLease  = Message{EN: "Nothing of this kind is safe to let pass unseen; a allows it once.", PL: "Nic tego rodzaju nie powinno przechodzić niezauważone; a pozwala raz.", JA: "この種類は確認なしに通すと危険です。a で一度だけ許可できます。"}
	WatchNoLeases = Message{EN: "No lease is in force. L on a card grants one.", PL: "Nie ma zgód czasowych. L na karcie taką daje.", JA: "期限付きの許可はありません。カードで L を押すと許可できます。"}
	WatchNoText   = Message{EN: "This question takes only the choices shown.", PL: "To pytanie przyjmuje tylko podane odpowiedzi.", JA: "この質問は選択肢からのみ答えられます。"}
	WatchUnfit    = Message{EN: "Not sent: %s", PL: "Nie wysłano: %s", JA: "送信していません: %s"}
)

// What the live view asks.
var (
	AskDeny       = Message{EN: "Deny. Why? (may stay empty)", PL: "Odrzuć. Dlaczego? (może być puste)", JA: "拒否します。理由(空でも可)"}
	AskEdit       = Message{EN: "Change it; enter allows the changed text", PL: "Zmień; enter pozwoli na zmieniony tekst", JA: "書き換えてください。enter で許可します"}
	AskText       = Message{EN: "In your own words: %s", PL: "Własnymi słowami: %s", JA: "自由に回答: %s"}
	AskStop       = Message{EN: "Deny this and stop everything that %s is doing?", PL: "Odrzucić i zatrzymać wszystko, co robi %s?", JA: "拒否して、%s の作業をすべて止めますか?"}
	AskAlways     = Message{EN: "Allow this and add the rule:", PL: "Pozwolić i dodać regułę:", JA: "許可して、次のルールを加えますか:"}
	AskAlwaysPick = Message{EN: "Allow this and add which rule?", PL: "Pozwolić i dodać którą regułę?", JA: "許可して、どのルールを加えますか:"}
	AskRisky      = Message{EN: "This is marked %s. Allow it?", PL: "Oznaczone jako %s. Pozwolić?", JA: "「%s」とされています。許可しますか?"}
	AskLease      = Message{EN: "Allow this, and for a while, at most %d times:", PL: "Pozwolić, a na czas, najwyżej %d razy:", JA: "許可し、しばらくの間、最大 %d 回許可:"}
	LeaseHere     = Message{EN: "%s, only this session", PL: "%s, tylko ta sesja", JA: "%s、このセッションだけ"}
	LeaseInFolder = Message{EN: "%[1]s, every agent in %[2]s", PL: "%[1]s, wszystkie agenty w %[2]s", JA: "%[1]s、%[2]s の全エージェント"}
	AskStopAll    = Message{EN: "Stop everything? All leases end, what waits is refused, every agent at work is told to stop.", PL: "Zatrzymać wszystko? Zgody czasowe się kończą, czekające prośby są odrzucane, pracujące agenty mają stanąć.", JA: "すべて止めますか?許可はすべて終わり、待ちは拒否され、作業中のエージェントは停止します。"}
	AskRevoke     = Message{EN: "Take back which lease?", PL: "Cofnąć którą zgodę?", JA: "どの許可を取り消しますか?"}
	AskRevokeOne  = Message{EN: "Take this lease back?", PL: "Cofnąć tę zgodę?", JA: "この許可を取り消しますか?"}
	AskMode       = Message{EN: "Approve the plan and go on in mode %s?", PL: "Zatwierdzić plan i iść dalej w trybie %s?", JA: "計画を承認し、モード %s で進めますか?"}
	KeysYes       = Message{EN: "y yes · esc no", PL: "y tak · esc nie", JA: "y はい · esc いいえ"}
	KeysPick      = Message{EN: "1–9 choose · esc none", PL: "1–9 wybierz · esc żadna", JA: "1–9 選ぶ · esc やめる"}
	KeysLine      = Message{EN: "enter send · esc cancel", PL: "enter wyślij · esc anuluj", JA: "enter 送信 · esc 取り消し"}
	KeysDetails   = Message{EN: "j/k scroll · esc back", PL: "j/k przewijaj · esc wróć", JA: "j/k スクロール · esc 戻る"}
	KeysList      = Message{EN: "j/k move · X stop all · ? help · q quit", PL: "j/k ruch · X stop wszystko · ? pomoc · q koniec", JA: "j/k 移動 · X すべて停止 · ? ヘルプ · q 終了"}
	KeysLeases    = Message{EN: "R leases", PL: "R zgody", JA: "R 許可一覧"}
	KeysClose     = Message{EN: "esc back", PL: "esc wróć", JA: "esc 戻る"}
)

// The keys of a card, and the help page of the live view.
var (
	KeyAllow   = Message{EN: "allow", PL: "pozwól", JA: "許可"}
	KeyAlways  = Message{EN: "always…", PL: "zawsze…", JA: "常に…"}
	KeyLease   = Message{EN: "for a while…", PL: "na czas…", JA: "しばらく…"}
	KeyDeny    = Message{EN: "deny", PL: "odrzuć", JA: "拒否"}
	KeyEdit    = Message{EN: "edit", PL: "zmień", JA: "編集"}
	KeyStop    = Message{EN: "stop", PL: "stop", JA: "停止"}
	KeyDetails = Message{EN: "details", PL: "szczegóły", JA: "詳細"}
	KeyChoose  = Message{EN: "choose", PL: "wybierz", JA: "選ぶ"}
	KeyToggle  = Message{EN: "toggle", PL: "przełącz", JA: "切替"}
	KeySend    = Message{EN: "send", PL: "wyślij", JA: "送信"}
	KeyText    = Message{EN: "own words", PL: "własne słowa", JA: "自由回答"}
	KeyMode    = Message{EN: "mode", PL: "tryb", JA: "モード"}

	HelpMove    = Message{EN: "move between cards", PL: "przechodź między kartami", JA: "カードを移動"}
	HelpAllow   = Message{EN: "allow once; risky ones ask again", PL: "pozwól raz; ryzykowne dopytają", JA: "一度だけ許可(危険なものは再確認)"}
	HelpAlways  = Message{EN: "allow and add a rule, which is shown first", PL: "pozwól i dodaj regułę, pokazaną najpierw", JA: "許可してルールを加える(先に内容を表示)"}
	HelpLease   = Message{EN: "allow, and its kind for a while", PL: "pozwól, a ten rodzaj na czas", JA: "許可し、この種類もしばらく許可"}
	HelpRevoke  = Message{EN: "take back what was allowed for a while", PL: "cofnij zgodę czasową", JA: "期限付きの許可を取り消す"}
	HelpStopAll = Message{EN: "stop everything: the red button", PL: "zatrzymaj wszystko: czerwony przycisk", JA: "すべて止める(非常停止)"}
	HelpDeny    = Message{EN: "deny, with a reason if you like", PL: "odrzuć, z powodem, jeśli chcesz", JA: "拒否(理由も書ける)"}
	HelpEdit    = Message{EN: "change the command, then allow it", PL: "zmień polecenie, potem pozwól", JA: "コマンドを書き換えて許可"}
	HelpStop    = Message{EN: "deny and stop the whole turn", PL: "odrzuć i zatrzymaj całą turę", JA: "拒否して全体を止める"}
	HelpChoose  = Message{EN: "choose an answer, or a plan's mode", PL: "wybierz odpowiedź lub tryb planu", JA: "回答や計画のモードを選ぶ"}
	HelpText    = Message{EN: "answer in your own words", PL: "odpowiedz własnymi słowami", JA: "自由に回答"}
	HelpDetails = Message{EN: "read all of it", PL: "przeczytaj całość", JA: "全文を読む"}
	HelpQuit    = Message{EN: "quit; nothing is answered by leaving", PL: "wyjdź; to niczego nie rozstrzyga", JA: "終了(閉じても回答にはならない)"}
)
