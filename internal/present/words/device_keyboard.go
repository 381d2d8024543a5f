package words

// The keyboard with four keys, in a terminal.
var (
	TopicDeviceKeyboard = Topic{
		Short: Message{EN: "A keyboard with four screens in this terminal: 1 to 4 are its keys", PL: "Klawiatura z czterema ekranami w tym terminalu: 1–4 to jej klawisze", JA: "四つの画面付きキーボードをこの端末で試す(1〜4 がキー)"},
		Examples: []Example{
			{"nod device keyboard", Message{EN: "press 1 to 4; with Shift a key is held; q ends", PL: "naciskaj 1–4; z Shiftem klawisz jest przytrzymany; q kończy", JA: "1〜4 で押す、Shift と一緒で長押し、q で終了"}},
			{"nod device keyboard --address desk.local", Message{EN: "like a real one in the network: it shows a code first", PL: "jak prawdziwa w sieci: najpierw pokazuje kod", JA: "ネットワーク上の実機と同じ動作(最初にコードを表示)"}},
			{"nod device keyboard --once keys.png", Message{EN: "what the keys show now, as a picture", PL: "co teraz pokazują klawisze, jako obrazek", JA: "今のキーの表示を画像に保存"}},
		},
	}
	FlagKeyboardAddress = Message{EN: "connect as a real keyboard does: host, or host:port", PL: "połącz jak prawdziwa klawiatura: host albo host:port", JA: "実機のように接続する(ホスト、またはホスト:ポート)"}
	KeyboardKeys        = Message{EN: "1 2 3 4 press · with Shift hold · q end", PL: "1 2 3 4 naciśnij · z Shiftem przytrzymaj · q koniec", JA: "1 2 3 4 押す · Shift で長押し · q 終了"}
)
