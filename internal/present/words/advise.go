package words

// QuickReply is something that a person often says to an agent: what a button
// shows and what it says are two things.
type QuickReply struct {
	Name, Emoji string
	Label       Message // at most ten cells of a screen; a kanji takes two
	Text        Message // what is sent to the agent
}

// QuickReplies are all replies that nod offers. Their names are sent to
// programs, so they stay.
var QuickReplies = [...]QuickReply{
	{"yes", "✅", Message{EN: "Yes", PL: "Tak", JA: "はい"}, Message{EN: "Yes.", PL: "Tak.", JA: "はい。"}},
	{"no", "❌", Message{EN: "No", PL: "Nie", JA: "いいえ"}, Message{EN: "No.", PL: "Nie.", JA: "いいえ。"}},
	{"explain", "💡", Message{EN: "Explain", PL: "Wyjaśnij", JA: "説明"}, Message{EN: "Explain that in more detail first.", PL: "Najpierw wyjaśnij to dokładniej.", JA: "まず、もう少し詳しく説明してください。"}},
	{"example", "📎", Message{EN: "Example", PL: "Przykład", JA: "例"}, Message{EN: "Show me an example.", PL: "Pokaż mi przykład.", JA: "例を見せてください。"}},
	{"options", "🔀", Message{EN: "Options", PL: "Opcje", JA: "選択肢"}, Message{EN: "Which options are there? List them with what speaks for and against each.", PL: "Jakie są możliwości? Wypisz je z wadami i zaletami.", JA: "どんな選択肢がありますか。それぞれの長所と短所を挙げてください。"}},
	{"decide", "🎯", Message{EN: "You choose", PL: "Ty wybierz", JA: "任せる"}, Message{EN: "You decide. Take what you think is best and say why in one sentence.", PL: "Zdecyduj sam. Wybierz najlepsze i powiedz jednym zdaniem dlaczego.", JA: "お任せします。最善と思うものを選び、理由を一文で教えてください。"}},
	{"first", "1️⃣", Message{EN: "First", PL: "Pierwsze", JA: "1つ目"}, Message{EN: "The first one.", PL: "To pierwsze.", JA: "1つ目でお願いします。"}},
	{"second", "2️⃣", Message{EN: "Second", PL: "Drugie", JA: "2つ目"}, Message{EN: "The second one.", PL: "To drugie.", JA: "2つ目でお願いします。"}},
	{"continue", "▶️", Message{EN: "Continue", PL: "Dalej", JA: "続ける"}, Message{EN: "Continue.", PL: "Kontynuuj.", JA: "続けてください。"}},
	{"resume", "⏯️", Message{EN: "Resume", PL: "Wznów", JA: "再開"}, Message{EN: "Go on from where you were stopped.", PL: "Wróć do pracy od miejsca, w którym ją przerwano.", JA: "止めたところから再開してください。"}},
	{"retry", "🔁", Message{EN: "Retry", PL: "Ponów", JA: "再試行"}, Message{EN: "Try that again.", PL: "Spróbuj jeszcze raz.", JA: "もう一度試してください。"}},
	{"debug", "🐞", Message{EN: "Debug", PL: "Debuguj", JA: "デバッグ"}, Message{EN: "Find the cause of this error and tell me before you change anything.", PL: "Znajdź przyczynę tego błędu i powiedz mi o niej, zanim coś zmienisz.", JA: "このエラーの原因を調べ、変更する前に教えてください。"}},
	{"fix", "🔧", Message{EN: "Fix it", PL: "Napraw", JA: "直す"}, Message{EN: "Fix that.", PL: "Napraw to.", JA: "それを直してください。"}},
	{"skip", "⏭️", Message{EN: "Skip", PL: "Pomiń", JA: "飛ばす"}, Message{EN: "Skip that step and go on with the next.", PL: "Pomiń ten krok i przejdź do następnego.", JA: "その手順は飛ばして次に進んでください。"}},
	{"test", "🧪", Message{EN: "Run tests", PL: "Testy", JA: "テスト"}, Message{EN: "Run the tests.", PL: "Uruchom testy.", JA: "テストを実行してください。"}},
	{"addtests", "➕", Message{EN: "Add tests", PL: "Dodaj test", JA: "テスト追加"}, Message{EN: "Add tests for what you changed.", PL: "Dodaj testy do tego, co zmieniono.", JA: "変更した部分のテストを追加してください。"}},
	{"commit", "💾", Message{EN: "Commit", PL: "Commit", JA: "コミット"}, Message{EN: "Commit this with a fitting message.", PL: "Zrób z tego commit z dobrym opisem.", JA: "適切なメッセージでコミットしてください。"}},
	{"push", "⬆️", Message{EN: "Push", PL: "Push", JA: "プッシュ"}, Message{EN: "Push it.", PL: "Zrób push.", JA: "プッシュしてください。"}},
	{"diff", "🔍", Message{EN: "Show diff", PL: "Pokaż diff", JA: "差分"}, Message{EN: "Show me what changed, in short.", PL: "Pokaż w skrócie, co się zmieniło.", JA: "何が変わったか、短く見せてください。"}},
	{"review", "👀", Message{EN: "Review", PL: "Przejrzyj", JA: "レビュー"}, Message{EN: "Review your changes critically and tell me what you find.", PL: "Przejrzyj krytycznie zmiany i powiedz, co znajdziesz.", JA: "変更を批判的に見直し、気づいた点を教えてください。"}},
	{"refactor", "♻️", Message{EN: "Refactor", PL: "Uprość", JA: "整理"}, Message{EN: "Make that simpler without changing what it does.", PL: "Uprość to bez zmiany działania.", JA: "動作を変えずに、もっと簡潔にしてください。"}},
	{"run", "🚀", Message{EN: "Run it", PL: "Uruchom", JA: "実行"}, Message{EN: "Run it and show me the result.", PL: "Uruchom to i pokaż mi wynik.", JA: "実行して結果を見せてください。"}},
	{"plan", "📋", Message{EN: "Plan", PL: "Plan", JA: "計画"}, Message{EN: "What comes next? Make a short plan and wait.", PL: "Co dalej? Zrób krótki plan i poczekaj.", JA: "次は何をしますか。短い計画を立てて待ってください。"}},
	{"summary", "📝", Message{EN: "Summary", PL: "Skrót", JA: "要約"}, Message{EN: "Sum up in three sentences what you did.", PL: "Podsumuj w trzech zdaniach, co zrobiono.", JA: "何をしたか、三文でまとめてください。"}},
	{"help", "❓", Message{EN: "Help", PL: "Pomoc", JA: "ヘルプ"}, Message{EN: "What could I ask of you now? Give me a few short options.", PL: "O co mogę teraz poprosić? Podaj kilka krótkich możliwości.", JA: "今、何を頼めますか。短い選択肢をいくつか挙げてください。"}},
}

// What the buttons of a request say, and those that belong to nod.
var (
	AdviseOption     = Message{EN: "Option %s.", PL: "Opcja %s.", JA: "%s でお願いします。"}
	AdviseYes        = Message{EN: "Yes", PL: "Tak", JA: "はい"}
	AdviseNo         = Message{EN: "No", PL: "Nie", JA: "いいえ"}
	AdviseAlways     = Message{EN: "Always…", PL: "Zawsze…", JA: "常に許可…"}
	AdviseDecline    = Message{EN: "Skip", PL: "Pomiń", JA: "断る"}
	AdviseApprove    = Message{EN: "Approve", PL: "Zatwierdź", JA: "承認"}
	AdviseChanges    = Message{EN: "Changes", PL: "Zmiany", JA: "変更"}
	AdviseChangeText = Message{EN: "Not yet: I want changes to this plan. Ask me what should be different.", PL: "Jeszcze nie: chcę zmian w tym planie. Zapytaj mnie, co ma być inaczej.", JA: "まだです。この計画を変更したいので、どこを変えるか聞いてください。"}
	AdviseStop       = Message{EN: "STOP", PL: "STOP", JA: "停止"}
	AdviseBackground = Message{EN: "BACKGROUND", PL: "W TLE", JA: "裏で実行"}
	AdviseMore       = Message{EN: "More", PL: "Więcej", JA: "ほか"}
	AdviseBack       = Message{EN: "Back", PL: "Wróć", JA: "戻る"}
	AdviseOpen       = Message{EN: "Open nod", PL: "Otwórz nod", JA: "nodを開く"}
)
