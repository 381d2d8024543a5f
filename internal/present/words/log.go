package words

// One line for each event of the log.
var (
	LogAsks      = Message{EN: "asks: %s", PL: "pyta: %s", JA: "質問: %s"}
	LogAllowed   = Message{EN: "allowed by %[1]s through %[2]s", PL: "dozwolone: %[1]s przez %[2]s", JA: "許可: %[1]s(%[2]s)"}
	LogDenied    = Message{EN: "denied by %[1]s through %[2]s", PL: "odrzucone: %[1]s przez %[2]s", JA: "拒否: %[1]s(%[2]s)"}
	LogAnswered  = Message{EN: "answered by %[1]s through %[2]s", PL: "odpowiedziane: %[1]s przez %[2]s", JA: "回答: %[1]s(%[2]s)"}
	LogWithdrawn = Message{EN: "needs no answer any more: %s", PL: "nie wymaga już odpowiedzi: %s", JA: "返事は不要に: %s"}
	LogExpired   = Message{EN: "expired without an answer", PL: "wygasło bez odpowiedzi", JA: "回答がないまま期限切れ"}
	LogRefused   = Message{EN: "%[1]s was refused: %[2]s", PL: "%[1]s: odmowa: %[2]s", JA: "%[1]s を拒否: %[2]s"}
	LogStarted   = Message{EN: "the hub started (%s)", PL: "hub wystartował (%s)", JA: "ハブ起動(%s)"}
	LogSaid      = Message{EN: "person: %s", PL: "człowiek: %s", JA: "人: %s"}
	LogReplied   = Message{EN: "agent: %s", PL: "agent: %s", JA: "エージェント: %s"}
	LogNoted     = Message{EN: "note: %s", PL: "uwaga: %s", JA: "メモ: %s"}

	LogLeaseGranted = Message{EN: "lease %[1]s granted by %[2]s through %[3]s for %[4]s, at most %[5]d times: %[6]s", PL: "zgoda %[1]s od %[2]s przez %[3]s na %[4]s, najwyżej %[5]d razy: %[6]s", JA: "許可 %[1]s: %[2]s(%[3]s)、%[4]s、最大 %[5]d 回: %[6]s"}
	LogLeaseEnded   = Message{EN: "lease %[1]s ended, used %[2]d of %[3]d: %[4]s", PL: "koniec zgody %[1]s, użyta %[2]d z %[3]d: %[4]s", JA: "許可 %[1]s 終了(%[2]d/%[3]d 回使用): %[4]s"}
	LogStopAll      = Message{EN: "STOP: %[1]s stopped everything through %[2]s", PL: "STOP: %[1]s zatrzymał wszystko przez %[2]s", JA: "非常停止: %[1]s(%[2]s)がすべてを停止"}
	LogStopOne      = Message{EN: "STOP: %[1]s told it to stop through %[2]s", PL: "STOP: %[1]s kazał się zatrzymać przez %[2]s", JA: "停止: %[1]s(%[2]s)が指示"}
	LogMessageSaid  = Message{EN: "%[1]s says through %[2]s: %[3]s", PL: "%[1]s mówi przez %[2]s: %[3]s", JA: "%[1]s(%[2]s): %[3]s"}
	LogMessageHeard = Message{EN: "has heard: %s", PL: "usłyszał: %s", JA: "伝達済み: %s"}
	LogMessageLost  = Message{EN: "did not hear (%[1]s): %[2]s", PL: "nie usłyszał (%[1]s): %[2]s", JA: "伝わらず(%[1]s): %[2]s"}

	LogEmpty = Message{EN: "The log is empty.", PL: "Dziennik jest pusty.", JA: "ログは空です。"}

	WhyTerminal   = Message{EN: "answered in its terminal", PL: "odpowiedziano w terminalu", JA: "端末で回答済み"}
	WhyEnded      = Message{EN: "the agent ended", PL: "agent zakończył pracę", JA: "エージェント終了"}
	WhySuperseded = Message{EN: "the agent went on without it", PL: "agent poszedł dalej", JA: "エージェントが先へ進んだ"}
	WhyBack       = Message{EN: "left to its terminal", PL: "zostawiono terminalowi", JA: "端末に任せた"}
	WhyLost       = Message{EN: "its hook went away", PL: "hook zniknął", JA: "フックとの接続切れ"}

	WhyLeaseOver    = Message{EN: "its time is over", PL: "minął czas", JA: "時間切れ"}
	WhyLeaseUsedUp  = Message{EN: "used up", PL: "wykorzystana", JA: "回数を使い切った"}
	WhyLeaseRevoked = Message{EN: "taken back by %[1]s through %[2]s", PL: "cofnięta: %[1]s przez %[2]s", JA: "%[1]s(%[2]s)が取り消し"}
	WhyLeaseStopped = Message{EN: "stopped by %[1]s through %[2]s", PL: "zatrzymana: %[1]s przez %[2]s", JA: "%[1]s(%[2]s)が停止"}
	WhyLeaseOrphan  = Message{EN: "its session ended", PL: "sesja się zakończyła", JA: "セッション終了"}
)

// Verifying and exporting the log.
var (
	Verifying    = Message{EN: "checked %[1]d of %[2]d events", PL: "sprawdzono %[1]d z %[2]d zdarzeń", JA: "%[2]d 件中 %[1]d 件を確認"}
	VerifyingAny = Message{EN: "checked %d events", PL: "sprawdzone zdarzenia: %d", JA: "%d 件を確認"}
	Verified     = Plural{
		EN: [2]string{"The log is whole: %d event, and nothing in it was changed or taken out.", "The log is whole: %d events, and none was changed or taken out."},
		PL: [3]string{"Dziennik jest cały: %d zdarzenie, nic nie zmieniono ani nie usunięto.", "Dziennik jest cały: %d zdarzenia, nic nie zmieniono ani nie usunięto.", "Dziennik jest cały: %d zdarzeń, nic nie zmieniono ani nie usunięto."},
		JA: "ログは完全です。%d 件に改変も欠落もありません。",
	}
	HeadIs   = Message{EN: "Head: event %[1]d, %[2]s", PL: "Czoło: zdarzenie %[1]d, %[2]s", JA: "先頭: %[1]d 件目、%[2]s"}
	KeepHead = Message{
		EN: "Keep that hash somewhere else; `nod log verify --head HASH` proves later that this part is unchanged.",
		PL: "Zachowaj ten skrót gdzie indziej; `nod log verify --head HASH` dowiedzie później, że ta część się nie zmieniła.",
		JA: "このハッシュを別の場所に控えておくと、あとで `nod log verify --head HASH` により、ここまで改変がないことを確かめられます。",
	}
	HeadFound   = Message{EN: "The head that you kept is event %d of this log.", PL: "Zachowane czoło to zdarzenie %d tego dziennika.", JA: "控えてあったハッシュは、このログの %d 件目です。"}
	HeadMissing = Message{
		EN: "The log holds together, but the head that you kept (%s) is not in it: events were taken away or the whole log was written anew. Do not trust it; compare with a backup or an export.",
		PL: "Dziennik jest spójny, ale zachowanego czoła (%s) w nim nie ma: usunięto zdarzenia albo napisano cały dziennik od nowa. Nie ufaj mu; porównaj z kopią lub eksportem.",
		JA: "ログのつながりは正しいものの、控えてあったハッシュ(%s)が見つかりません。一部が消されたか、全体が書き直されています。信用せず、バックアップや書き出しと比べてください。",
	}
	Broken = Message{
		EN: "The log is broken: %[2]s. Events up to %[1]d are sound; do not trust what comes after. Compare with a backup or an export.",
		PL: "Dziennik jest uszkodzony: %[2]s. Zdarzenia do %[1]d są w porządku; nie ufaj dalszym. Porównaj z kopią lub eksportem.",
		JA: "ログが壊れています: %[2]s。%[1]d 件目までは正常です。それより後は信用せず、バックアップや書き出しと比べてください。",
	}
	BadMissing = Message{EN: "event %[1]d is missing, event %[2]d stands in its place", PL: "brakuje zdarzenia %[1]d, w jego miejscu jest %[2]d", JA: "%[1]d 件目がなく、代わりに %[2]d 件目があります"}
	BadChanged = Message{EN: "event %[1]d (%[2]s, %[3]s) was changed, or one before it was", PL: "zdarzenie %[1]d (%[2]s, %[3]s) lub wcześniejsze zostało zmienione", JA: "%[1]d 件目(%[2]s、%[3]s)またはその前が改変されています"}
	BadShape   = Message{EN: "event %d cannot be read", PL: "zdarzenia %d nie da się odczytać", JA: "%d 件目が読めません"}
	Exported   = Plural{
		EN: [2]string{"Wrote %[1]d event to %[2]s.", "Wrote %[1]d events to %[2]s."},
		PL: [3]string{"Zapisano %[1]d zdarzenie do %[2]s.", "Zapisano %[1]d zdarzenia do %[2]s.", "Zapisano %[1]d zdarzeń do %[2]s."},
		JA: "%[2]s に %[1]d 件を書き出しました。",
	}
)
