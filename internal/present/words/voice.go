package words

import "time"

// What nod says aloud. A spoken sentence has fewer than twelve words, no code
// and no mark that a voice would read out; the question comes last.

// How many there are, and what each of them does.
var (
	VoiceAgents = Plural{
		EN: [2]string{"%d agent is running.", "%d agents are running."},
		PL: [3]string{"Działa %d agent.", "Działają %d agenty.", "Działa %d agentów."},
		JA: "エージェントが %d つ動いています。",
	}
	VoiceNeedYou = Plural{
		EN: [2]string{"%d needs you.", "%d need you."},
		PL: [3]string{"%d czeka na Ciebie.", "%d czekają na Ciebie.", "%d czeka na Ciebie."},
		JA: "%d つが返事を待っています。",
	}
	VoiceNoAgents = Message{EN: "No agent is running.", PL: "Żaden agent nie działa.", JA: "動いているエージェントはありません。"}
	VoiceIdle     = Message{EN: "%s is idle.", PL: "%s: bezczynny.", JA: "%s は待機中です。"}
	VoiceWorking  = Message{EN: "%s is working.", PL: "%s: pracuje.", JA: "%s は作業中です。"}
	VoiceReceived = Message{EN: "%s has a message on its way.", PL: "%s: wiadomość w drodze.", JA: "%s へのメッセージを送信中です。"}
	VoiceNeeds    = Message{EN: "%s needs you.", PL: "%s: czeka na Ciebie.", JA: "%s が返事を待っています。"}
	VoiceLimited  = Message{EN: "%s has reached its limit.", PL: "%s: limit wyczerpany.", JA: "%s は利用制限に達しました。"}
	VoiceFailed   = Message{EN: "%s has failed.", PL: "%s: błąd.", JA: "%s でエラーが起きました。"}
	VoiceEnded    = Message{EN: "%s has ended.", PL: "%s: zakończony.", JA: "%s は終了しました。"}
	VoiceStopping = Message{EN: "%s is stopping.", PL: "%s: zatrzymuje się.", JA: "%s は停止中です。"}
	VoiceAnswerIt = Message{EN: "Answer %s.", PL: "Odpowiedz: %s.", JA: "%s に答えてください。"}
	VoiceOnHost   = Message{EN: "%[1]s on %[2]s", PL: "%[1]s na %[2]s", JA: "%[2]s の %[1]s"}
)

// What became of words and answers.
var (
	VoiceSent            = Message{EN: "Sent. %s has it.", PL: "Wysłane. %s już to ma.", JA: "送りました。%s に届いています。"}
	VoiceOnItsWay        = Message{EN: "On its way to %s, not confirmed yet.", PL: "W drodze do %s, jeszcze bez potwierdzenia.", JA: "%s へ送信中です。まだ確認できていません。"}
	VoiceNext            = Message{EN: "%s is busy and hears it next.", PL: "%s jest zajęty i usłyszy to jako następne.", JA: "%s は作業中です。次に聞きます。"}
	VoiceAnswered        = Message{EN: "Answered. %s goes on.", PL: "Odpowiedź przekazana. %s działa dalej.", JA: "答えました。%s は続けます。"}
	VoiceAllowed         = Message{EN: "Allowed. %s goes on.", PL: "Pozwolono. %s działa dalej.", JA: "許可しました。%s は続けます。"}
	VoiceDenied          = Message{EN: "Denied. %s is told.", PL: "Odrzucono. %s już wie.", JA: "拒否しました。%s に伝えます。"}
	VoiceNotSent         = Message{EN: "That did not reach %s.", PL: "To nie dotarło do %s.", JA: "%s に届きませんでした。"}
	VoiceNoWay           = Message{EN: "There is no way to speak to %s.", PL: "Nie da się mówić do %s.", JA: "%s に話しかける手段がありません。"}
	VoiceItsOwn          = Message{EN: "Use its own terminal.", PL: "Użyj jego terminala.", JA: "その端末で入力してください。"}
	VoiceLookAtIt        = Message{EN: "Look at its terminal, then say it again.", PL: "Zajrzyj do jego terminala i powtórz.", JA: "その端末を確認して、もう一度言ってください。"}
	VoiceFileSent        = Message{EN: "%s has your file.", PL: "%s ma Twój plik.", JA: "%s にファイルが届きました。"}
	VoiceNotHere         = Message{EN: "nod cannot do that.", PL: "nod tego nie potrafi.", JA: "nod ではできません。"}
	VoiceTicket          = Message{EN: "The ticket is ready.", PL: "Bilet jest gotowy.", JA: "チケットができました。"}
	VoiceMarkedRead      = Message{EN: "Marked as read.", PL: "Oznaczono jako przeczytane.", JA: "既読にしました。"}
	VoiceTold            = Message{EN: "%s is told to stop.", PL: "%s ma się zatrzymać.", JA: "%s に停止を伝えました。"}
	VoiceToldEnd         = Message{EN: "%s is told to end.", PL: "%s ma zakończyć.", JA: "%s に終了を伝えました。"}
	VoiceCannotStop      = Message{EN: "%s cannot be stopped from here.", PL: "Stąd nie można zatrzymać: %s.", JA: "%s はここから停止できません。"}
	VoiceOpened          = Message{EN: "%s listens.", PL: "%s słucha.", JA: "%s が聞いています。"}
	VoiceWhatToDo        = Message{EN: "What should it do?", PL: "Co ma zrobić?", JA: "何をしましょうか?"}
	VoiceForbidden       = Message{EN: "A rule forbids that. Nothing was sent.", PL: "Reguła tego zabrania. Nic nie wysłano.", JA: "ルールで禁止されています。送信していません。"}
	VoiceSure            = Message{EN: "Are you sure? Nothing was sent yet.", PL: "Na pewno? Nic jeszcze nie wysłano.", JA: "よろしいですか? まだ送信していません。"}
	VoiceSayAgain        = Message{EN: "Say it again to confirm.", PL: "Powtórz, aby potwierdzić.", JA: "確認のため、もう一度言ってください。"}
	VoiceNoAssistant     = Message{EN: "nod has no assistant to talk to.", PL: "nod nie ma asystenta do rozmowy.", JA: "nod には話せるアシスタントがいません。"}
	VoiceNoSuchAssistant = Message{EN: "There is no such assistant.", PL: "Nie ma takiego asystenta.", JA: "そのアシスタントはいません。"}
	VoiceWhichOne        = Message{EN: "Which one?", PL: "Który?", JA: "どれですか?"}
	VoiceStartIt         = Message{EN: "Start it in a terminal.", PL: "Uruchom go w terminalu.", JA: "端末で起動してください。"}
)

// What an agent asks, and how to answer.
var (
	VoiceQuestion    = Message{EN: "%s has a question.", PL: "%s ma pytanie.", JA: "%s からの質問です。"}
	VoiceApproval    = Message{EN: "%s asks for permission.", PL: "%s prosi o zgodę.", JA: "%s が許可を求めています。"}
	VoicePlan        = Message{EN: "%s has a plan.", PL: "%s ma plan.", JA: "%s の計画ができました。"}
	VoiceForm        = Message{EN: "%s has a form for you.", PL: "%s ma dla Ciebie formularz.", JA: "%s からのフォームです。"}
	VoiceRun         = Message{EN: "Run %s?", PL: "Uruchomić %s?", JA: "%s を実行しますか?"}
	VoiceUse         = Message{EN: "Use %[1]s: %[2]s?", PL: "Użyć %[1]s: %[2]s?", JA: "%[1]s を使いますか: %[2]s?"}
	VoiceRisk        = Message{EN: "Risk: %s.", PL: "Ryzyko: %s.", JA: "リスク: %s。"}
	VoiceOption      = Message{EN: "%[1]d: %[2]s.", PL: "%[1]d: %[2]s.", JA: "%[1]d: %[2]s。"}
	VoiceOptionWhy   = Message{EN: "%[1]d: %[2]s, %[3]s.", PL: "%[1]d: %[2]s, %[3]s.", JA: "%[1]d: %[2]s、%[3]s。"}
	VoiceAlways      = Message{EN: "Always allow %s", PL: "Zawsze pozwalaj na %s", JA: "%s を常に許可"}
	VoiceApproveMode = Message{EN: "Approve, %s", PL: "Zatwierdź, %s", JA: "承認、%s"}
	VoiceYesNo       = Message{EN: "Allow or deny?", PL: "Pozwolić czy odrzucić?", JA: "許可しますか、拒否しますか?"}
	VoiceSayAllow    = Message{EN: "A yes is not enough here. Allow or deny?", PL: "Samo tak tu nie wystarczy. Pozwolić czy odrzucić?", JA: "「はい」だけでは足りません。許可ですか、拒否ですか?"}
	VoiceSayNumber   = Message{EN: "Which number?", PL: "Który numer?", JA: "何番ですか?"}
	VoiceNumberOwn   = Message{EN: "Which number, or what else?", PL: "Który numer, a może coś innego?", JA: "何番ですか、それとも別の答えですか?"}
	VoiceSayAnswer   = Message{EN: "What is your answer?", PL: "Jaka jest Twoja odpowiedź?", JA: "どう答えますか?"}
	VoiceEach        = Plural{
		EN: [2]string{"It asks %d question; answer each.", "It asks %d questions; answer each."},
		PL: [3]string{"Zadaje %d pytanie; odpowiedz na każde.", "Zadaje %d pytania; odpowiedz na każde.", "Zadaje %d pytań; odpowiedz na każde."},
		JA: "質問が %d つあります。それぞれに答えてください。",
	}
	VoiceNoQuestion = Message{EN: "%s is not waiting for an answer.", PL: "%s nie czeka na odpowiedź.", JA: "%s は返事を待っていません。"}
	VoiceNewOne     = Message{EN: "%s asks something else now.", PL: "%s pyta teraz o coś innego.", JA: "%s は今、別のことを聞いています。"}
	VoiceTooLate    = Message{EN: "That is settled already.", PL: "To już załatwione.", JA: "それはもう対応済みです。"}
	VoiceMisfit     = Message{EN: "That answer does not fit.", PL: "Ta odpowiedź nie pasuje.", JA: "その答えは当てはまりません。"}
)

// Whom words are for.
var (
	VoiceNobody      = Message{EN: "No agent is waiting for you.", PL: "Żaden agent nie czeka na Ciebie.", JA: "返事を待っているエージェントはありません。"}
	VoiceSeveralWait = Plural{
		EN: [2]string{"%d agent needs you.", "%d agents need you."},
		PL: [3]string{"%d agent czeka na Ciebie.", "%d agenty czekają na Ciebie.", "%d agentów czeka na Ciebie."},
		JA: "%d つのエージェントが返事を待っています。",
	}
	VoiceWhich     = Message{EN: "Which agent?", PL: "Który agent?", JA: "どのエージェントですか?"}
	VoiceUnknown   = Message{EN: "There is no such agent.", PL: "Nie ma takiego agenta.", JA: "そのエージェントはありません。"}
	VoiceAmbiguous = Message{EN: "More than one agent fits that name.", PL: "Ta nazwa pasuje do kilku agentów.", JA: "その名前に合うエージェントが複数あります。"}
	VoiceNoWords   = Message{EN: "There were no words.", PL: "Nie było żadnych słów.", JA: "言葉がありませんでした。"}
)

// What goes wrong otherwise.
var (
	VoiceMayNot    = Message{EN: "You may not do that.", PL: "Nie masz do tego prawa.", JA: "それは許可されていません。"}
	VoiceProof     = Message{EN: "That takes your passkey.", PL: "To wymaga Twojego klucza dostępu.", JA: "パスキーが必要です。"}
	VoiceInBrowser = Message{EN: "Open nod in a browser.", PL: "Otwórz nod w przeglądarce.", JA: "ブラウザで nod を開いてください。"}
	VoiceUnclear   = Message{EN: "nod did not understand that.", PL: "nod tego nie zrozumiał.", JA: "nod には理解できませんでした。"}
	VoiceMissing   = Message{EN: "There is no such thing.", PL: "Nie ma czegoś takiego.", JA: "それは見つかりません。"}
	VoiceTooLarge  = Message{EN: "That is too long.", PL: "To jest za długie.", JA: "長すぎます。"}
	VoiceNotNow    = Message{EN: "nod cannot do that just now.", PL: "nod nie może tego teraz zrobić.", JA: "nod は今それができません。"}
	VoiceTryAgain  = Message{EN: "Try again in a moment.", PL: "Spróbuj za chwilę.", JA: "少し待ってもう一度試してください。"}
	VoiceOurFault  = Message{EN: "Something went wrong inside nod.", PL: "Coś poszło źle w nod.", JA: "nod の内部で問題が起きました。"}
	VoiceItsLog    = Message{EN: "Its log has the details.", PL: "Szczegóły są w jego dzienniku.", JA: "詳細はログにあります。"}
	VoiceGap       = Message{EN: "Some events are missing here. Load everything again.", PL: "Brakuje tu części zdarzeń. Wczytaj wszystko ponownie.", JA: "一部の出来事が抜けています。すべて読み込み直してください。"}
)

// What was said and done.
var (
	VoiceNothingYet = Message{EN: "%s has not done anything yet.", PL: "%s jeszcze nic nie zrobił.", JA: "%s はまだ何もしていません。"}
	VoiceDone       = Message{EN: "%s is done.", PL: "%s: gotowe.", JA: "%s が完了しました。"}
	VoiceTask       = Message{EN: "Task: %s", PL: "Zadanie: %s", JA: "作業: %s"}
	VoiceTurns      = Plural{
		EN: [2]string{"%d message.", "%d messages."},
		PL: [3]string{"%d wiadomość.", "%d wiadomości.", "%d wiadomości."},
		JA: "メッセージは %d 件です。",
	}
	VoiceYouSaid   = Message{EN: "You: %s", PL: "Ty: %s", JA: "あなた: %s"}
	VoiceItSaid    = Message{EN: "%[1]s: %[2]s", PL: "%[1]s: %[2]s", JA: "%[1]s: %[2]s"}
	VoiceNoContext = Message{EN: "%s does not tell how full its memory is.", PL: "%s nie mówi, ile ma jeszcze pamięci.", JA: "%s の残りメモリはわかりません。"}
	VoiceContext   = Message{EN: "%[1]s has used %[2]d percent of its memory.", PL: "%[1]s: zajęte %[2]d procent pamięci.", JA: "%[1]s はメモリの %[2]d パーセントを使っています。"}
	VoiceMore      = Message{EN: "There is more.", PL: "Jest tego więcej.", JA: "続きがあります。"}
	VoiceChosen    = Message{EN: "%[1]s: %[2]s", PL: "%[1]s: %[2]s", JA: "%[1]s: %[2]s"}
	VoiceHome      = Message{EN: "someone on the home network", PL: "ktoś w sieci domowej", JA: "ホームネットワークの誰か"}
)

// How things are read out that are not words.
var (
	VoiceCode = Plural{
		EN: [2]string{"Code, %d line.", "Code, %d lines."},
		PL: [3]string{"Kod, %d linia.", "Kod, %d linie.", "Kod, %d linii."},
		JA: "コード %d 行。",
	}
	VoiceTable = Plural{
		EN: [2]string{"A table, %d row.", "A table, %d rows."},
		PL: [3]string{"Tabela, %d wiersz.", "Tabela, %d wiersze.", "Tabela, %d wierszy."},
		JA: "表、%d 行。",
	}
	VoiceLeftOut = Plural{
		EN: [2]string{"and %d more word, ending in", "and %d more words, ending in"},
		PL: [3]string{"i jeszcze %d słowo, na końcu", "i jeszcze %d słowa, na końcu", "i jeszcze %d słów, na końcu"},
		JA: "ほか %d 語、最後は",
	}
	VoiceLink     = Message{EN: "a link to %s", PL: "odnośnik do %s", JA: "%s へのリンク"}
	VoiceInFolder = Message{EN: "%[1]s in %[2]s", PL: "%[1]s w %[2]s", JA: "%[2]s の %[1]s"}
	VoiceLine     = Message{EN: "%[1]s, line %[2]s", PL: "%[1]s, linia %[2]s", JA: "%[1]s の %[2]s 行目"}
	VoiceAnID     = Message{EN: "an id", PL: "identyfikator", JA: "ID"}
	VoiceTo       = Message{EN: "%[1]s to %[2]s", PL: "%[1]s do %[2]s", JA: "%[1]s から %[2]s"}
	VoiceVersion  = Message{EN: "version %s", PL: "wersja %s", JA: "バージョン %s"}
	VoiceMillions = Message{EN: "about %s million", PL: "około %s miliona", JA: "約 %s 万"}
	VoiceFlag     = Message{EN: "option %s", PL: "opcja %s", JA: "オプション %s"}
	VoiceThen     = Message{EN: "then", PL: "potem", JA: "次に"}
	VoiceElse     = Message{EN: "or else", PL: "albo", JA: "失敗したら"}
	VoiceInto     = Message{EN: "passed to", PL: "przekazane do", JA: "渡す先は"}
	VoiceWritten  = Message{EN: "written to", PL: "zapisane do", JA: "書き込み先は"}
	VoiceFrom     = Message{EN: "read from", PL: "czytane z", JA: "読み込み元は"}
	VoiceAside    = Message{EN: "in the background", PL: "w tle", JA: "バックグラウンドで"}
)

// Spans of time and sizes, in whole words.
var (
	VoiceMillis  = Plural{EN: [2]string{"%d millisecond", "%d milliseconds"}, PL: [3]string{"%d milisekunda", "%d milisekundy", "%d milisekund"}, JA: "%d ミリ秒"}
	VoiceSeconds = Plural{EN: [2]string{"%d second", "%d seconds"}, PL: [3]string{"%d sekunda", "%d sekundy", "%d sekund"}, JA: "%d 秒"}
	VoiceMinutes = Plural{EN: [2]string{"%d minute", "%d minutes"}, PL: [3]string{"%d minuta", "%d minuty", "%d minut"}, JA: "%d 分"}
	VoiceHours   = Plural{EN: [2]string{"%d hour", "%d hours"}, PL: [3]string{"%d godzina", "%d godziny", "%d godzin"}, JA: "%d 時間"}
	VoiceKilo    = Plural{EN: [2]string{"%d kilobyte", "%d kilobytes"}, PL: [3]string{"%d kilobajt", "%d kilobajty", "%d kilobajtów"}, JA: "%d キロバイト"}
	VoiceMega    = Plural{EN: [2]string{"%d megabyte", "%d megabytes"}, PL: [3]string{"%d megabajt", "%d megabajty", "%d megabajtów"}, JA: "%d メガバイト"}
	VoiceGiga    = Plural{EN: [2]string{"%d gigabyte", "%d gigabytes"}, PL: [3]string{"%d gigabajt", "%d gigabajty", "%d gigabajtów"}, JA: "%d ギガバイト"}
	VoiceFor     = Message{EN: "Since: %s.", PL: "Od: %s.", JA: "経過: %s。"}
)

// SpokenSpan is a length of time in its one largest unit, as a person says it.
func (p Printer) SpokenSpan(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Minute:
		return p.Count(VoiceSeconds, int(d/time.Second))
	case d < time.Hour:
		return p.Count(VoiceMinutes, int(d/time.Minute))
	case d < 48*time.Hour:
		return p.Count(VoiceHours, int(d/time.Hour))
	}
	return p.Count(days, int(d/(24*time.Hour)))
}
