package words

// Letting a keyboard in from a terminal.
var (
	TopicPairKeyboard = Topic{
		Short: Message{EN: "Let a keyboard in that shows a code on its keys", PL: "Dopuść klawiaturę, która pokazuje kod na klawiszach", JA: "キーにコードを表示しているキーボードを許可する"},
		Examples: []Example{
			{"nod pair keyboard", Message{EN: "which keyboards there are", PL: "jakie są klawiatury", JA: "キーボードの一覧"}},
			{"nod pair keyboard K7QM --name desk", Message{EN: "the four keys read K, 7, Q, M", PL: "na czterech klawiszach jest K, 7, Q, M", JA: "四つのキーに K・7・Q・M と出ている場合"}},
		},
	}
	FlagKeyboardName  = Message{EN: "what it is called in the log", PL: "jak nazywa się w dzienniku", JA: "記録に残す名前"}
	FlagKeyboardID    = Message{EN: "which one, when several show a code", PL: "która, gdy kilka pokazuje kod", JA: "複数ある場合にどれかを指定"}
	KeyboardsNone     = Message{EN: "No keyboard is here. Set keyboard.listen in nod.toml, and let its firmware look there.", PL: "Nie ma tu klawiatury. Ustaw keyboard.listen w nod.toml i skieruj tam jej oprogramowanie.", JA: "キーボードはありません。nod.toml で keyboard.listen を設定し、ファームウェアの接続先にしてください。"}
	KeyboardWaits     = Message{EN: "shows a code", PL: "pokazuje kod", JA: "コードを表示中"}
	KeyboardThere     = Message{EN: "connected", PL: "połączona", JA: "接続中"}
	KeyboardAway      = Message{EN: "not connected", PL: "niepołączona", JA: "未接続"}
	KeyboardNoneWaits = Message{EN: "No keyboard shows a code now. `nod pair keyboard` lists those that are connected.", PL: "Żadna klawiatura nie pokazuje teraz kodu. `nod pair keyboard` wymienia te, które są połączone.", JA: "コードを表示しているキーボードはありません。`nod pair keyboard` で一覧を確認できます。"}
	KeyboardSeveral   = Message{EN: "%d keyboards show a code: say which with --keyboard ID. `nod pair keyboard` lists them.", PL: "Kod pokazuje kilka klawiatur (%d): wskaż jedną przez --keyboard ID. `nod pair keyboard` je wymienia.", JA: "%d 台がコードを表示しています。--keyboard ID で指定してください。`nod pair keyboard` で一覧を確認できます。"}
	KeyboardLetIn     = Message{EN: "The keyboard at %s is in. Its keys show what waits.", PL: "Klawiatura pod %s jest dopuszczona. Jej klawisze pokazują, co czeka.", JA: "%s のキーボードを許可しました。待っているものがキーに表示されます。"}
)
