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

	{"ways.kb", Message{EN: "Four keys with pictures", PL: "Cztery klawisze z obrazkami", JA: "絵の出る四つのキー"}},
	{"ways.kb.text", Message{EN: "A keyboard whose keys always show the right answers. Try it here first.", PL: "Klawiatura, której klawisze zawsze pokazują właściwe odpowiedzi. Najpierw wypróbuj ją tutaj.", JA: "いつも適切な答えがキーに表示されるキーボードです。まずここで試せます。"}},
	{"ways.kb.do", Message{EN: "Try it", PL: "Wypróbuj", JA: "試す"}},
}
