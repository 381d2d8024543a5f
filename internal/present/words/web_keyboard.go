package words

// The page that is a keyboard with four keys, and the way to it.
var webKeyboard = []WebWord{
	{"kb.title", Message{EN: "Keyboard", PL: "Klawiatura", JA: "キーボード"}},
	{"kb.hint", Message{EN: "What a keyboard with four keys on your desk would show. Press its keys, or 1 to 4; hold for a long press.", PL: "To pokazałaby klawiatura z czterema klawiszami na biurku. Naciskaj klawisze albo 1–4; przytrzymaj, aby nacisnąć długo.", JA: "机の上の四つキーのキーボードに表示される内容です。キー、または 1〜4 を押してください。長押しもできます。"}},
	{"kb.touch", Message{EN: "What a keyboard with four keys on your desk would show. Press its keys; hold for a long press.", PL: "To pokazałaby klawiatura z czterema klawiszami na biurku. Naciskaj klawisze; przytrzymaj, aby nacisnąć długo.", JA: "机の上の四つキーのキーボードに表示される内容です。キーを押してください。長押しもできます。"}},
	{"kb.real", Message{EN: "A real one connects by itself and shows a code first. Confirm the code, and it may answer.", PL: "Prawdziwa łączy się sama i najpierw pokazuje kod. Potwierdź go, a będzie mogła odpowiadać.", JA: "実機は自動で接続し、最初にコードを表示します。コードを確認すると回答できるようになります。"}},
	{"kb.key", Message{EN: "Key %[1]s: %[2]s", PL: "Klawisz %[1]s: %[2]s", JA: "キー %[1]s: %[2]s"}},
	{"kb.lost", Message{EN: "The keyboard is not connected, so presses do nothing. It tries again by itself.", PL: "Klawiatura nie jest połączona, więc naciśnięcia nic nie robią. Sama spróbuje ponownie.", JA: "キーボードが接続されていないため、押しても何も起きません。自動で再接続します。"}},
	{"kb.refused", Message{EN: "The hub shows no keyboard to this browser: %s", PL: "Hub nie pokazuje klawiatury tej przeglądarce: %s", JA: "このブラウザにはキーボードを表示できません: %s"}},
	{"kb.yours", Message{EN: "Your keyboards", PL: "Twoje klawiatury", JA: "あなたのキーボード"}},
	{"kb.none", Message{EN: "None yet. Switch one on in this network: it appears here with a code on its keys.", PL: "Jeszcze żadnej. Włącz klawiaturę w tej sieci: pojawi się tutaj, z kodem na klawiszach.", JA: "まだありません。このネットワークでキーボードの電源を入れると、コードを表示してここに現れます。"}},
	{"kb.waits", Message{EN: "A keyboard at %s shows a code", PL: "Klawiatura pod adresem %s pokazuje kod", JA: "%s のキーボードがコードを表示しています"}},
	{"kb.waits.text", Message{EN: "Type the four characters from its keys, left to right. Until then it can press nothing.", PL: "Wpisz cztery znaki z jej klawiszy, od lewej. Do tego czasu nic nie naciśnie.", JA: "キーの四文字を左から入力してください。それまでは何も押せません。"}},
	{"kb.code", Message{EN: "Code on its keys", PL: "Kod z klawiszy", JA: "キーのコード"}},
	{"kb.name", Message{EN: "Name, such as “desk”", PL: "Nazwa, np. „biurko”", JA: "名前(例: 机)"}},
	{"kb.admit", Message{EN: "Let it answer", PL: "Pozwól odpowiadać", JA: "回答を許可"}},
	{"kb.admitted", Message{EN: "The keyboard may answer now.", PL: "Klawiatura może już odpowiadać.", JA: "キーボードで回答できるようになりました。"}},
	{"kb.connected", Message{EN: "connected", PL: "połączona", JA: "接続中"}},
	{"kb.by", Message{EN: "let in by %s", PL: "wpuszczona przez: %s", JA: "許可した人: %s"}},
	{"kb.revoke.title", Message{EN: "Send %s away?", PL: "Odłączyć: %s?", JA: "%s の許可を取り消しますか?"}},
	{"kb.revoke.text", Message{EN: "It can press nothing any more. If it comes back, it shows a new code.", PL: "Niczego już nie naciśnie. Jeśli wróci, pokaże nowy kod.", JA: "もう何も押せません。再び接続すると新しいコードを表示します。"}},

	{"ways.kb", Message{EN: "Four keys with pictures", PL: "Cztery klawisze z obrazkami", JA: "絵の出る四つのキー"}},
	{"ways.kb.text", Message{EN: "A keyboard whose keys always show the right answers. Try it here first.", PL: "Klawiatura, której klawisze zawsze pokazują właściwe odpowiedzi. Najpierw wypróbuj ją tutaj.", JA: "いつも適切な答えがキーに表示されるキーボードです。まずここで試せます。"}},
	{"ways.kb.do", Message{EN: "Try it", PL: "Wypróbuj", JA: "試す"}},
}
