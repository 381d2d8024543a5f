package words

// The page that is an M5Stack, and the way to it.
var webDevice = []WebWord{
	{"m5.title", Message{EN: "M5Stack", PL: "M5Stack", JA: "M5Stack"}},
	{"m5.hint", Message{EN: "What a small device on your desk would show. Press its buttons, or the keys a, b, c; hold where it says so.", PL: "To pokazałoby małe urządzenie na biurku. Naciskaj przyciski albo klawisze a, b, c; przytrzymaj, gdzie tak napisano.", JA: "机の上の小型端末に表示される内容です。ボタン、または a、b、c キーを押してください。指示があれば長押しします。"}},
	{"m5.touch", Message{EN: "What a small device on your desk would show. Press its buttons; hold where it says so.", PL: "To pokazałoby małe urządzenie na biurku. Naciskaj przyciski; przytrzymaj, gdzie tak napisano.", JA: "机の上の小型端末に表示される内容です。ボタンを押してください。指示があれば長押しします。"}},
	{"m5.real", Message{EN: "A real one:", PL: "Prawdziwe urządzenie:", JA: "実機を使うには:"}},
	{"m5.screen", Message{EN: "The screen of the device; everything on it is in the inbox too", PL: "Ekran urządzenia; wszystko, co na nim jest, widać też w skrzynce", JA: "端末の画面。同じ内容は受信箱にもあります"}},
	{"m5.button", Message{EN: "Button %s", PL: "Przycisk %s", JA: "ボタン %s"}},
	{"m5.refused", Message{EN: "The hub does not show a screen to this browser: %s", PL: "Hub nie pokazuje ekranu tej przeglądarce: %s", JA: "このブラウザには画面を表示できません: %s"}},

	{"ways.title", Message{EN: "Other ways to answer", PL: "Inne sposoby odpowiadania", JA: "ほかの答え方"}},
	{"ways.voice.text", Message{EN: "Talk and listen, hands free. In a conversation it is the button beside the empty box.", PL: "Mów i słuchaj, bez użycia rąk. W rozmowie to przycisk obok pustego pola.", JA: "手を使わずに話して聞けます。会話画面で、空の入力欄の横にあるボタンです。"}},
	{"ways.voice.do", Message{EN: "Conversations", PL: "Rozmowy", JA: "会話を選ぶ"}},
	{"ways.m5", Message{EN: "A small screen on your desk", PL: "Mały ekran na biurku", JA: "机の上の小さな画面"}},
	{"ways.m5.text", Message{EN: "An M5Stack with three buttons: yes, no, next. Try it here first.", PL: "M5Stack z trzema przyciskami: tak, nie, dalej. Najpierw wypróbuj go tutaj.", JA: "ボタンが三つの M5Stack です (はい・いいえ・次へ)。まずここで試せます。"}},
	{"ways.m5.do", Message{EN: "Try it", PL: "Wypróbuj", JA: "試す"}},
}
