package words

import (
	"strings"

	"nod"
)

// Spoken replies in a conversation with an assistant. A sentence is short, has no
// symbol that a voice would spell, and a question ends by saying how to answer it.

// What an assistant wants to do, and how to answer.
var (
	BrainYesNo    = Message{EN: "%s? Say yes or no.", PL: "%s? Powiedz tak lub nie.", JA: "%s。はい、か、いいえで答えてください。"}
	BrainTwice    = Message{EN: "%s. nod cannot judge that. Say yes again to allow it, or no.", PL: "%s. nod nie umie tego ocenić. Powiedz tak jeszcze raz, aby pozwolić, albo nie.", JA: "%s。nod では判断できません。許可するなら、もう一度はいと言ってください。しないなら、いいえと言ってください。"}
	BrainOnScreen = Message{EN: "%s. Confirm it on a screen, or say no.", PL: "%s. Potwierdź na ekranie albo powiedz nie.", JA: "%s。画面で確認するか、いいえと言ってください。"}
	BrainRun      = Message{EN: "Run %s", PL: "Uruchomić %s", JA: "%s を実行"}
	BrainUse      = Message{EN: "Use %[1]s: %[2]s", PL: "Użyć %[1]s: %[2]s", JA: "%[1]s を使用: %[2]s"}
	BrainTooLong  = Message{EN: "It wants something too long to read out", PL: "Chodzi o coś za długiego do odczytania", JA: "読み上げるには長すぎる操作です"}
	BrainPlan     = Message{EN: "It has a plan", PL: "Jest gotowy plan", JA: "計画ができました"}
	BrainForm     = Message{EN: "It has a form to fill in", PL: "Jest formularz do wypełnienia", JA: "入力フォームがあります"}
	BrainPick     = Message{EN: "Say a number or a name.", PL: "Powiedz numer albo nazwę.", JA: "番号か名前で答えてください。"}
	BrainReply    = Message{EN: "Say your answer.", PL: "Powiedz odpowiedź.", JA: "答えを言ってください。"}
	BrainAgain    = Message{EN: "That was neither yes nor no.", PL: "To nie było ani tak, ani nie.", JA: "はい、でも、いいえでもありませんでした。"}
	BrainMisfit   = Message{EN: "That is not one of the answers.", PL: "Takiej odpowiedzi nie ma do wyboru.", JA: "その答えは選べません。"}
)

// What became of it.
var (
	BrainCancelled = Message{EN: "Cancelled.", PL: "Anulowano.", JA: "キャンセルしました。"}
	BrainHalted    = Message{EN: "Stopped.", PL: "Przerwano.", JA: "止めました。"}
	BrainHalting   = Message{EN: "Told it to stop. It has not stopped yet.", PL: "Kazałem przerwać. Jeszcze nie przerwano.", JA: "止めるよう伝えました。まだ止まっていません。"}
	BrainNothing   = Message{EN: "Nothing waits for an answer.", PL: "Nic nie czeka na odpowiedź.", JA: "返事を待っているものはありません。"}
	BrainProof     = Message{EN: "That takes your passkey. Confirm it in nod, in a browser.", PL: "To wymaga klucza dostępu. Potwierdź w nod, w przeglądarce.", JA: "パスキーが必要です。ブラウザの nod で確認してください。"}
	BrainSettled   = Message{EN: "Somebody else has answered that already.", PL: "Ktoś już na to odpowiedział.", JA: "ほかの人がもう答えました。"}
	BrainMore      = Message{EN: "More is in the chat.", PL: "Więcej jest na czacie.", JA: "続きはチャットにあります。"}
	BrainSilent    = Message{EN: "Done.", PL: "Gotowe.", JA: "終わりました。"}
	BrainLate      = Message{EN: "Still working on it. The answer will be in the chat.", PL: "To jeszcze potrwa. Odpowiedź będzie na czacie.", JA: "まだ作業中です。答えはチャットに届きます。"}
	BrainRate      = Message{EN: "Too many questions at once. Wait a moment.", PL: "Za dużo pytań naraz. Poczekaj chwilę.", JA: "質問が多すぎます。少し待ってください。"}
	BrainTooMuch   = Message{EN: "That is too long. Say it shorter.", PL: "To za długie. Powiedz krócej.", JA: "長すぎます。短く言ってください。"}
)

// Why there is no answer.
var (
	BrainNoLogin   = Message{EN: "Claude is not signed in. Sign in on the hub's computer.", PL: "Claude nie jest zalogowany. Zaloguj się na komputerze huba.", JA: "Claude がログインしていません。ハブのパソコンでログインしてください。"}
	BrainNoProgram = Message{EN: "Claude does not start on the hub's computer.", PL: "Claude nie uruchamia się na komputerze huba.", JA: "ハブのパソコンで Claude が起動しません。"}
	BrainAtLimit   = Message{EN: "Claude has reached its usage limit.", PL: "Claude wyczerpał limit.", JA: "Claude の利用上限に達しました。"}
	BrainUntil     = Message{EN: "It can go on in %s.", PL: "Może działać dalej za: %s.", JA: "%s後に再開できます。"}
	BrainBusy      = Message{EN: "Claude cannot be reached just now. Try again in a moment.", PL: "Claude jest teraz niedostępny. Spróbuj za chwilę.", JA: "今 Claude につながりません。少し待ってもう一度どうぞ。"}
	BrainCrashed   = Message{EN: "Claude stopped in the middle. Ask again.", PL: "Claude przerwał w połowie. Zapytaj ponownie.", JA: "Claude が途中で止まりました。もう一度聞いてください。"}
	BrainRestarted = Message{EN: "nod was started anew in the middle. Ask again.", PL: "nod został w trakcie uruchomiony ponownie. Zapytaj jeszcze raz.", JA: "途中で nod が再起動しました。もう一度聞いてください。"}
	BrainTookLong  = Message{EN: "That took too long and was stopped.", PL: "To trwało za długo i zostało przerwane.", JA: "時間がかかりすぎたため中止しました。"}
	BrainLost      = Message{EN: "That was not done. %s", PL: "Nie zrobiono tego. %s", JA: "それは実行されていません。%s"}
	BrainNobody    = Message{EN: "Nobody answered in time. Nothing was done.", PL: "Nikt nie odpowiedział na czas. Nic nie zrobiono.", JA: "時間内に返事がありませんでした。何もしていません。"}
	BrainStopped   = Message{EN: "It was stopped.", PL: "Zostało to zatrzymane.", JA: "止められました。"}
	BrainRefused   = Message{EN: "That was not allowed. Nothing was done.", PL: "Nie było na to zgody. Nic nie zrobiono.", JA: "許可されませんでした。何もしていません。"}
	BrainUnwell    = Message{EN: "Something went wrong. The chat has the details.", PL: "Coś poszło nie tak. Szczegóły są na czacie.", JA: "問題が起きました。詳しくはチャットをご覧ください。"}
)

// SpokenTrouble is why there is no answer, as it is said aloud.
func (p Printer) SpokenTrouble(t nod.Trouble) string {
	switch t {
	case nod.TroubleLogin:
		return p.Say(BrainNoLogin)
	case nod.TroubleProgram:
		return p.Say(BrainNoProgram)
	case nod.TroubleLimit:
		return p.Say(BrainAtLimit)
	case nod.TroubleBusy:
		return p.Say(BrainBusy)
	case nod.TroubleCrash:
		return p.Say(BrainCrashed)
	case nod.TroubleRestart:
		return p.Say(BrainRestarted)
	case nod.TroubleTimeout:
		return p.Say(BrainTookLong)
	case nod.TroubleStopped:
		return p.Say(BrainStopped)
	case nod.TroubleRefused:
		return p.Say(BrainRefused)
	}
	return p.Say(BrainUnwell)
}

// Speaks is the printer for the language of a conversation, such as "pl" or
// "pl-PL"; ok is false for one that nod does not speak, and then it is English.
func Speaks(language string) (p Printer, ok bool) {
	p = In(parse(language))
	return p, p.lang != English || language == "" || strings.HasPrefix(strings.ToLower(language), "en")
}
