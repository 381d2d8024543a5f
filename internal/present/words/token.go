package words

// Tokens and pairing.
var (
	TokenOnce = Message{
		EN: "This is the only time the token is shown. Whoever has it may: %s.",
		PL: "Token widać tylko teraz. Kto go ma, może: %s.",
		JA: "トークンが表示されるのは今だけです。持っている人ができること: %s",
	}
	NoTokens = Message{
		EN: "There are no tokens. `nod pair` connects a phone, `nod token create` a script.",
		PL: "Nie ma tokenów. `nod pair` łączy telefon, `nod token create` skrypt.",
		JA: "トークンはありません。スマートフォンは `nod pair`、スクリプトは `nod token create` でつなげます。",
	}
	TokenUsed    = Message{EN: "used %s", PL: "użyty %s", JA: "最終使用 %s"}
	TokenUnused  = Message{EN: "never used", PL: "nieużywany", JA: "未使用"}
	TokenEnds    = Message{EN: "ends in %s", PL: "wygasa za %s", JA: "残り %s"}
	TokenOver    = Message{EN: "over", PL: "wygasł", JA: "期限切れ"}
	TokenRoom    = Message{EN: "in %s", PL: "w: %s", JA: "場所: %s"}
	TokenRevoked = Message{
		EN: "Revoked %s. It stops working at once, also on open connections.",
		PL: "Unieważniono %s. Przestaje działać od razu, także na otwartych połączeniach.",
		JA: "%s を取り消しました。接続中のものも含め、すぐに使えなくなります。",
	}
	NoSuchToken = Message{
		EN: "There is no token %q. `nod token list` shows them.",
		PL: "Nie ma tokenu %q. `nod token list` pokazuje wszystkie.",
		JA: "トークン %q はありません。`nod token list` で一覧を見られます。",
	}
	PairDone      = Message{EN: "Paired. Keep these two lines secret and set them in your shell; then `nod requests` works here. This device may: %s.", PL: "Sparowano. Zachowaj te dwa wiersze w tajemnicy i ustaw je w powłoce; wtedy `nod requests` działa tutaj. To urządzenie może: %s.", JA: "つながりました。次の 2 行は秘密にして、シェルに設定してください。ここで `nod requests` が使えます。できること: %s"}
	PairLinkWrong = Message{EN: "%q is no pairing link; `nod pair` on the hub's machine prints one, with # and a code at its end.", PL: "%q nie jest linkiem parowania; wypisze go `nod pair` na komputerze z hubem, z # i kodem na końcu.", JA: "%q はペアリングのリンクではありません。ハブのマシンの `nod pair` が、末尾に # とコードの付いたリンクを表示します。"}
	PairScan      = Message{EN: "Scan this with the phone's camera, or open the link on the device:", PL: "Zeskanuj aparatem telefonu albo otwórz link na urządzeniu:", JA: "スマートフォンのカメラで読み取るか、端末でリンクを開いてください:"}
	PairOpen      = Message{EN: "Open this link on the device:", PL: "Otwórz ten link na urządzeniu:", JA: "端末でこのリンクを開いてください:"}
	PairCode      = Message{EN: "or type the code %s there", PL: "albo wpisz tam kod %s", JA: "または、コード %s を入力してください"}
	PairValid     = Message{EN: "Good for one device and %[1]s. The device may then: %[2]s.", PL: "Dla jednego urządzenia, ważne %[1]s. Urządzenie będzie mogło: %[2]s.", JA: "1 台のみ、有効時間は %[1]s です。端末でできること: %[2]s"}
)
