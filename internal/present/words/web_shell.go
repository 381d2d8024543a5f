package words

// What is on every screen of the web app.
var webShell = []WebWord{
	{"nav.label", Message{EN: "Screens", PL: "Ekrany", JA: "画面"}},
	{"nav.inbox", Message{EN: "Inbox", PL: "Skrzynka", JA: "受信箱"}},
	{"nav.agents", Message{EN: "Agents", PL: "Agenci", JA: "エージェント"}},
	{"nav.history", Message{EN: "History", PL: "Historia", JA: "履歴"}},
	{"nav.settings", Message{EN: "Settings", PL: "Ustawienia", JA: "設定"}},
	{"skip", Message{EN: "Skip to the content", PL: "Przejdź do treści", JA: "本文へ移動"}},
	{"close", Message{EN: "Close", PL: "Zamknij", JA: "閉じる"}},
	{"understood", Message{EN: "Understood", PL: "Rozumiem", JA: "わかりました"}},
	{"yes", Message{EN: "Yes", PL: "Tak", JA: "はい"}},
	{"no", Message{EN: "No", PL: "Nie", JA: "いいえ"}},
	{"soon", Message{EN: "This screen is being made.", PL: "Ten ekran powstaje.", JA: "この画面は準備中です。"}},
	{"demo", Message{EN: "Demo", PL: "Demo", JA: "デモ"}},
	{"sending", Message{EN: "Sending…", PL: "Wysyłanie…", JA: "送信中…"}},
	{"view.only", Message{EN: "This device may look, but not answer.", PL: "To urządzenie może patrzeć, ale nie odpowiadać.", JA: "この端末は閲覧のみです。回答はできません。"}},
	{"update.ready", Message{EN: "nod was updated.", PL: "nod został zaktualizowany.", JA: "nod が更新されました。"}},
	{"update.reload", Message{EN: "Reload", PL: "Odśwież", JA: "再読み込み"}},

	{"time.now", Message{EN: "just now", PL: "przed chwilą", JA: "たった今"}},
	{"time.left", Message{EN: "%s left", PL: "zostało %s", JA: "残り %s"}},
	{"time.over", Message{EN: "time is over", PL: "czas minął", JA: "時間切れ"}},
	{"time.min", Message{EN: "%d min", PL: "%d min", JA: "%d 分"}},

	{"offline.hub", Message{EN: "The hub at %s does not answer.", PL: "Hub %s nie odpowiada.", JA: "%s のハブが応答しません。"}},
	{"offline.device", Message{EN: "This device is offline.", PL: "To urządzenie jest offline.", JA: "この端末はオフラインです。"}},
	{"offline.asof", Message{EN: "You see what was known %s.", PL: "Widzisz stan: %s.", JA: "表示は%sのものです。"}},
	{"offline.means", Message{EN: "Answers cannot be sent now; the agent's own prompt in its terminal still works.", PL: "Teraz nie można wysłać odpowiedzi; pytanie w terminalu agenta nadal działa.", JA: "今は回答を送れません。エージェントの端末では引き続き回答できます。"}},
	{"offline.retry", Message{EN: "Try now", PL: "Spróbuj teraz", JA: "再接続"}},
	{"offline.refused", Message{EN: "Not connected, so nothing was sent. Try again when the hub is back.", PL: "Brak połączenia, nic nie wysłano. Spróbuj, gdy hub wróci.", JA: "接続がないため、何も送信していません。ハブが戻ったらもう一度お試しください。"}},

	{"stop.short", Message{EN: "Stop everything", PL: "Zatrzymaj wszystko", JA: "すべて停止"}},
	{"stop.title", Message{EN: "Stop everything?", PL: "Zatrzymać wszystko?", JA: "すべて停止しますか?"}},
	{"stop.what", Message{EN: "Everything that waits is denied, every open permission is taken back, and every agent that nod can reach is interrupted.", PL: "Wszystko, co czeka, zostanie odrzucone, każde otwarte pozwolenie cofnięte, a każdy osiągalny agent przerwany.", JA: "待っている要求をすべて拒否し、有効な許可をすべて取り消し、届くエージェントをすべて中断します。"}},
	{"stop.hold", Message{EN: "Stop everything", PL: "Zatrzymaj wszystko", JA: "すべて停止"}},
	{"stop.done", Message{EN: "Stopped. Nothing is allowed without you now.", PL: "Zatrzymano. Teraz nic nie dzieje się bez Ciebie.", JA: "停止しました。あなたの許可なしには何も動きません。"}},

	{"hold.word", Message{EN: "press and hold", PL: "przytrzymaj", JA: "長押し"}},
	{"hold.how", Message{EN: "Hold for a moment", PL: "Przytrzymaj chwilę", JA: "少し長めに押してください"}},
	{"hold.longer", Message{EN: "Hold a little longer", PL: "Przytrzymaj dłużej", JA: "もう少し長く"}},
	{"hold.again", Message{EN: "Press once more to confirm", PL: "Naciśnij jeszcze raz", JA: "もう一度押して確定"}},

	{"keys.title", Message{EN: "Keys", PL: "Klawisze", JA: "キー操作"}},
	{"keys.next", Message{EN: "next request", PL: "następna prośba", JA: "次の要求"}},
	{"keys.previous", Message{EN: "previous request", PL: "poprzednia prośba", JA: "前の要求"}},
	{"keys.allow", Message{EN: "allow, approve or send", PL: "pozwól, zatwierdź lub wyślij", JA: "許可・承認・送信"}},
	{"keys.deny", Message{EN: "deny", PL: "odmów", JA: "拒否"}},
	{"keys.edit", Message{EN: "edit, then allow", PL: "zmień i pozwól", JA: "編集して許可"}},
	{"keys.search", Message{EN: "search", PL: "szukaj", JA: "検索"}},
	{"keys.help", Message{EN: "this list", PL: "ta lista", JA: "この一覧"}},
	{"keys.hold", Message{EN: "Where a button must be held, the key puts you on it: then hold Enter.", PL: "Gdy przycisk trzeba przytrzymać, klawisz go wybiera: potem przytrzymaj Enter.", JA: "長押しが必要なボタンにはキーで移動します。続けて Enter を長押ししてください。"}},
}

var webShellCounts = []WebCount{
	{"inbox.waitingcount", Plural{EN: [2]string{"%d waits for you", "%d wait for you"}, PL: [3]string{"%d czeka na Ciebie", "%d czekają na Ciebie", "%d czeka na Ciebie"}, JA: "%d 件が返事待ち"}},
	{"inbox.also", Plural{EN: [2]string{"%d more waits", "%d more wait"}, PL: [3]string{"jeszcze %d czeka", "jeszcze %d czekają", "jeszcze %d czeka"}, JA: "ほかに %d 件"}},
	{"inbox.new", Plural{EN: [2]string{"%d new", "%d new"}, PL: [3]string{"%d nowa", "%d nowe", "%d nowych"}, JA: "新着 %d 件"}},
}

// What goes wrong in the web app: what happened, what it means, what to do.
var webErrors = []WebWord{
	{"error.unreachable", Message{EN: "The hub does not answer. Nothing was changed. Try again in a moment.", PL: "Hub nie odpowiada. Nic się nie zmieniło. Spróbuj za chwilę.", JA: "ハブが応答しません。何も変わっていません。少し待ってからもう一度お試しください。"}},
	{"error.timeout", Message{EN: "The hub took too long. Look whether it happened before you try again.", PL: "Hub odpowiada za długo. Zanim spróbujesz ponownie, sprawdź, czy się udało.", JA: "ハブの応答が遅すぎます。実行されたかどうかを確かめてから、もう一度お試しください。"}},
	{"error.unauthorized", Message{EN: "This browser is not paired any more. Pair it again with `nod pair`.", PL: "Ta przeglądarka nie jest już sparowana. Sparuj ją ponownie: `nod pair`.", JA: "このブラウザの登録は無効になりました。`nod pair` でもう一度つないでください。"}},
	{"error.unavailable", Message{EN: "The hub cannot do it right now. Nothing was changed. Try again in a moment.", PL: "Hub nie może teraz tego zrobić. Nic się nie zmieniło. Spróbuj za chwilę.", JA: "今はハブが対応できません。何も変わっていません。少し待ってからもう一度お試しください。"}},
	{"error.gone", Message{EN: "It is no longer there, so nothing was sent.", PL: "Tego już nie ma, więc nic nie wysłano.", JA: "すでに存在しないため、何も送信していません。"}},
	{"error.internal", Message{EN: "Something went wrong inside nod; its log has the details.", PL: "Coś poszło nie tak wewnątrz nod; szczegóły są w jego logu.", JA: "nod の内部で問題が起きました。詳しくはログを見てください。"}},
	{"error.unsure", Message{EN: "No answer from the hub, so it is not known whether this arrived. Looking…", PL: "Hub nie odpowiedział i nie wiadomo, czy to dotarło. Sprawdzam…", JA: "ハブから応答がなく、届いたかどうか不明です。確認しています…"}},
	{"error.notsent", Message{EN: "It did not arrive. Answer once more.", PL: "Nie dotarło. Odpowiedz jeszcze raz.", JA: "届いていませんでした。もう一度回答してください。"}},
	{"push.open", Message{EN: "Something waits for you.", PL: "Coś czeka na Ciebie.", JA: "返事を待っています。"}},
	{"push.failed", Message{EN: "Not sent: the hub does not answer. Nothing was decided. Tap to open.", PL: "Nie wysłano: hub nie odpowiada. Nic nie postanowiono. Dotknij, aby otworzyć.", JA: "送信できません。ハブが応答しません。何も決まっていません。タップして開く。"}},
	{"push.refused", Message{EN: "Not sent: %s Tap to open.", PL: "Nie wysłano: %s Dotknij, aby otworzyć.", JA: "送信できません: %s タップして開く。"}},
	{"push.gone", Message{EN: "No answer is needed any more.", PL: "Odpowiedź nie jest już potrzebna.", JA: "もう返事は不要です。"}},
	{"push.allowed", Message{EN: "Already allowed by %s.", PL: "Już dozwolone: %s.", JA: "%s がすでに許可しています。"}},
	{"push.denied", Message{EN: "Already denied by %s.", PL: "Już odrzucone: %s.", JA: "%s がすでに拒否しています。"}},
	{"push.answered", Message{EN: "Already answered by %s.", PL: "Już odpowiedziane: %s.", JA: "%s がすでに回答しています。"}},
}
