package words

import "time"

// The commands about leases, the emergency stop and messages to agents.
var (
	TopicLeases = Topic{
		Short: Message{EN: "Show what you allowed for a while, burning down", PL: "Pokaż, na co zgodzono się na czas, i ile zostało", JA: "期限付きの許可と、その残りを表示"},
		Examples: []Example{
			{"nod leases", Message{EN: "what may pass, how long and how often still", PL: "co może przejść, jak długo i ile razy jeszcze", JA: "通せるもの、残り時間と残り回数"}},
			{"nod leases --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	TopicLease = Topic{
		Short: Message{EN: "Allow a kind of thing for a while, or take that back", PL: "Zgódź się na coś na czas albo to cofnij", JA: "ある種類のことを期限付きで許可、または取り消し"},
		Examples: []Example{
			{"nod lease grant 'Bash(go test:*)' --for 20m", Message{EN: "tests, here, for 20 minutes", PL: "testy, tutaj, przez 20 minut", JA: "ここでのテストを 20 分間"}},
			{"nod lease revoke l42", Message{EN: "take one back", PL: "cofnij jedną", JA: "一つを取り消す"}},
			{"nod leases", Message{EN: "see those in force", PL: "zobacz obowiązujące", JA: "有効なものを見る"}},
		},
	}
	TopicLeaseGrant = Topic{
		Short: Message{
			EN: "Allow beforehand, boxed by time and count: agents in this folder on this machine, unless you say otherwise",
			PL: "Zgódź się z góry, na czas i określoną liczbę razy: dla agentów w tym folderze na tym komputerze, chyba że podasz inaczej",
			JA: "時間と回数を区切って前もって許可(指定がなければ、このマシンのこのフォルダのエージェント)",
		},
		Examples: []Example{
			{"nod lease grant 'Bash(go test:*)' --for 20m", Message{EN: "in this folder and below, at most 30 times", PL: "w tym folderze i niżej, najwyżej 30 razy", JA: "このフォルダ以下、最大 30 回"}},
			{"nod lease grant 'Edit(src/**)' 'Bash(make:*)' --for 1h --times 100", Message{EN: "two rules share the box", PL: "dwie reguły, wspólny limit", JA: "二つのルールで枠を共有"}},
			{"nod lease grant 'Bash(npm test)' --for 30m --folder ~/src/web", Message{EN: "in another folder", PL: "w innym folderze", JA: "別のフォルダで"}},
			{"nod lease grant 'Bash(go vet:*)' --for 1h --agent api", Message{EN: "for one session only", PL: "tylko dla jednej sesji", JA: "一つのセッションだけ"}},
		},
	}
	TopicLeaseRevoke = Topic{
		Short: Message{EN: "Take a lease back at once", PL: "Cofnij zgodę czasową od razu", JA: "期限付きの許可をすぐに取り消す"},
		Examples: []Example{
			{"nod lease revoke l42", Message{EN: "the id is in `nod leases`", PL: "identyfikator jest w `nod leases`", JA: "ID は `nod leases` で確認"}},
			{"nod lease revoke --all", Message{EN: "all of them", PL: "wszystkie", JA: "すべて"}},
		},
	}
	TopicStop = Topic{
		Short: Message{EN: "Stop an agent, or everything at once: the red button", PL: "Zatrzymaj agenta albo wszystko naraz: czerwony przycisk", JA: "エージェントを、またはすべてを一度に止める(非常停止)"},
		Examples: []Example{
			{"nod stop --all", Message{EN: "end every lease, refuse what waits, stop every agent", PL: "zakończ wszystkie zgody, odrzuć czekające, zatrzymaj agenty", JA: "許可をすべて終え、待ちは拒否し、全員を止める"}},
			{"nod stop api", Message{EN: "one agent, by its name or the first letters of its id", PL: "jeden agent, po nazwie lub początku id", JA: "名前か ID の先頭で一つだけ"}},
		},
	}
	TopicSay = Topic{
		Short: Message{EN: "Say something to an agent", PL: "Powiedz coś agentowi", JA: "エージェントに話しかける"},
		Examples: []Example{
			{"nod say api 'also run the linter'", Message{EN: "it hears that as soon as it can", PL: "usłyszy to, gdy tylko może", JA: "聞けるようになりしだい伝わる"}},
			{"nod say api 'wait, use the dev branch' --when-busy interrupt", Message{EN: "it stops what it does and listens", PL: "przerwie i posłucha", JA: "作業を止めて聞かせる"}},
			{"nod say api 'now write the docs' --when-busy wait", Message{EN: "kept until it is idle", PL: "zaczeka, aż będzie bezczynny", JA: "手が空くまで取っておく"}},
		},
	}
)

// Their flags.
var (
	FlagFor       = Message{EN: "how long, in whole minutes up to a day: 20m, 1h30m", PL: "jak długo, w pełnych minutach do doby: 20m, 1h30m", JA: "長さ(分単位、最長 1 日): 20m、1h30m"}
	FlagTimes     = Message{EN: "how often in all; 30 unless you say", PL: "ile razy łącznie; bez podania 30", JA: "合計の回数(指定がなければ 30)"}
	FlagWhere     = Message{EN: "with --for: session (the usual), folder or host", PL: "przy --for: session (zwykle), folder lub host", JA: "--for の範囲: session(通常)、folder、host"}
	FlagFolder    = Message{EN: "agents in this folder and below, on this machine", PL: "agenty w tym folderze i niżej, na tym komputerze", JA: "このマシンの、指定フォルダ以下のエージェント"}
	FlagAgent     = Message{EN: "only this session, by name or id", PL: "tylko ta sesja, po nazwie lub id", JA: "このセッションだけ(名前か ID)"}
	FlagHere      = Message{EN: "agents in the current folder and below; the usual", PL: "agenty w bieżącym folderze i niżej; tak jest zwykle", JA: "現在のフォルダ以下のエージェント(通常)"}
	FlagRevokeAll = Message{EN: "take all of them back", PL: "cofnij wszystkie", JA: "すべて取り消す"}
	FlagStopAll   = Message{EN: "everything: leases, what waits, every agent at work", PL: "wszystko: zgody, czekające prośby, pracujące agenty", JA: "許可、待ち、作業中のエージェントのすべて"}
	FlagWhenBusy  = Message{EN: "while it works: queue (the usual), interrupt or wait", PL: "gdy pracuje: queue (zwykle), interrupt lub wait", JA: "作業中のとき: queue(通常)、interrupt、wait"}
)

// Leases in lists.
var (
	NoLeases = Message{
		EN: "No lease is in force: you are asked every time. `nod allow ID --for 20m` grants one with an answer, `nod lease grant 'Bash(go test:*)' --for 20m` beforehand.",
		PL: "Nie ma zgód czasowych: pytanie pada za każdym razem. `nod allow ID --for 20m` daje zgodę wraz z odpowiedzią, `nod lease grant 'Bash(go test:*)' --for 20m` z góry.",
		JA: "期限付きの許可はなく、毎回確認します。回答と一緒なら `nod allow ID --for 20m`、前もってなら `nod lease grant 'Bash(go test:*)' --for 20m` で許可できます。",
	}
	LeaseLeft     = Message{EN: "%[1]d of %[2]d left, %[3]s", PL: "zostało %[1]d z %[2]d, %[3]s", JA: "残り %[1]d/%[2]d 回、%[3]s"}
	LeaseBy       = Message{EN: "by %[1]s through %[2]s, %[3]s", PL: "od: %[1]s przez %[2]s, %[3]s", JA: "%[3]s、%[1]s(%[2]s)"}
	LeaseSession  = Message{EN: "only session %s", PL: "tylko sesja %s", JA: "セッション %s だけ"}
	LeaseFolderOn = Message{EN: "in %[1]s on %[2]s", PL: "w %[1]s na %[2]s", JA: "%[2]s の %[1]s"}
	LeaseHost     = Message{EN: "everywhere on %s", PL: "wszędzie na %s", JA: "%s のどこでも"}
	LeaseAnywhere = Message{EN: "everywhere", PL: "wszędzie", JA: "どこでも"}
	LeaseTold     = Message{EN: "Until %[1]s (%[2]s), at most %[3]d times, nod allows by itself:", PL: "Do %[1]s (%[2]s), najwyżej %[3]d razy, nod sam pozwoli na:", JA: "%[1]s まで(%[2]s)、最大 %[3]d 回、nod が自動で許可:"}
	LeaseTakeBack = Message{EN: "Take it back with `nod lease revoke %s`.", PL: "Cofniesz to przez `nod lease revoke %s`.", JA: "`nod lease revoke %s` で取り消せます。"}
	LeaseFind     = Message{EN: "`nod leases` shows it; `nod lease revoke` takes it back.", PL: "`nod leases` pokaże tę zgodę; `nod lease revoke` ją cofnie.", JA: "`nod leases` で確認、`nod lease revoke` で取り消せます。"}
	LeaseRevoked  = Message{EN: "Taken back: lease %[1]s, used %[2]d of %[3]d times. From now on you are asked again.", PL: "Cofnięto zgodę %[1]s, użytą %[2]d z %[3]d razy. Odtąd pytania znów padają.", JA: "許可 %[1]s を取り消しました(%[2]d/%[3]d 回使用)。今後はまた確認します。"}
	LeasesRevoked = Plural{
		EN: [2]string{"Taken back: %d lease. From now on you are asked again.", "Taken back: %d leases. From now on you are asked again."},
		PL: [3]string{"Cofnięto %d zgodę. Odtąd pytania znów padają.", "Cofnięto %d zgody. Odtąd pytania znów padają.", "Cofnięto %d zgód. Odtąd pytania znów padają."},
		JA: "%d 件の許可を取り消しました。今後はまた確認します。",
	}
	NoSuchLease = Message{
		EN: "There is no lease %q, or it has ended. `nod leases` shows those in force.",
		PL: "Nie ma zgody %q albo już się skończyła. `nod leases` pokazuje obowiązujące.",
		JA: "許可 %q はないか、すでに終わっています。有効なものは `nod leases` で見られます。",
	}
	LeaseOffered = Message{EN: "--for 20m also allows its kind for a while:", PL: "--for 20m pozwoli na czas także na ten rodzaj:", JA: "--for 20m でこの種類もしばらく許可:"}
	ToLease      = Message{EN: "allow, and its kind for 20 min", PL: "pozwól, a ten rodzaj na 20 min", JA: "許可し、この種類も 20 分間許可"}
)

// What cannot be granted like that.
var (
	NoLeaseOffered = Message{
		EN: "This cannot be allowed for a while: nothing of its kind is safe to let pass unseen. Nothing was sent; allow it once with `nod allow %s`.",
		PL: "Na to nie można zgodzić się na czas: nic tego rodzaju nie powinno przechodzić niezauważone. Nic nie wysłano; raz pozwolisz przez `nod allow %s`.",
		JA: "これは期限付きで許可できません。この種類は確認なしに通すと危険です。何も送っていません。一度だけなら `nod allow %s` で許可できます。",
	}
	LeaseAlone = Message{EN: "--for goes with a plain allow: without --always, --edit and --mode.", PL: "--for łączy się tylko ze zwykłą zgodą: bez --always, --edit i --mode.", JA: "--for は --always、--edit、--mode と一緒には使えません。"}
	WrongSpan  = Message{EN: "--for %q is no time: whole minutes from 1m to 24h, such as 20m or 1h30m.", PL: "--for %q to nie czas: pełne minuty od 1m do 24h, na przykład 20m lub 1h30m.", JA: "--for %q は時間ではありません。1m から 24h まで分単位で、20m や 1h30m のように書いてください。"}
	WrongTimes = Message{EN: "--times takes a number from 1 to %d.", PL: "--times przyjmuje liczbę od 1 do %d.", JA: "--times は 1 から %d までの数です。"}
	WrongWhere = Message{EN: "--where %q is unknown: session, folder or host.", PL: "--where %q jest nieznane: session, folder lub host.", JA: "--where %q はありません。session、folder、host から選んでください。"}
	OneReach   = Message{EN: "Choose one of --folder, --agent and --here.", PL: "Wybierz jedno z --folder, --agent i --here.", JA: "--folder、--agent、--here のどれか一つを選んでください。"}
	NoFolder   = Message{EN: "The current folder is unknown (%s). Name one with --folder.", PL: "Bieżący folder jest nieznany (%s). Podaj go przez --folder.", JA: "現在のフォルダがわかりません(%s)。--folder で指定してください。"}
	RevokeWhat = Message{EN: "Which lease? `nod lease revoke ID` takes one back, `nod lease revoke --all` all of them.", PL: "Którą zgodę? `nod lease revoke ID` cofa jedną, `nod lease revoke --all` wszystkie.", JA: "どの許可ですか。一つなら `nod lease revoke ID`、すべてなら `nod lease revoke --all` です。"}
)

// The emergency stop.
var (
	StopWhat      = Message{EN: "What should stop? `nod stop AGENT` stops one agent, `nod stop --all` everything at once.", PL: "Co zatrzymać? `nod stop AGENT` zatrzymuje jednego agenta, `nod stop --all` wszystko naraz.", JA: "何を止めますか。一つなら `nod stop AGENT`、すべてなら `nod stop --all` です。"}
	StoppedSum    = Message{EN: "Stopped: %[1]s, %[2]s, %[3]s.", PL: "Zatrzymano: %[1]s, %[2]s, %[3]s.", JA: "停止: %[1]s、%[2]s、%[3]s。"}
	StoppedLeases = Plural{
		EN: [2]string{"%d lease ended", "%d leases ended"},
		PL: [3]string{"zakończono %d zgodę czasową", "zakończono %d zgody czasowe", "zakończono %d zgód czasowych"},
		JA: "許可 %d 件を終了",
	}
	StoppedRequests = Plural{
		EN: [2]string{"%d request refused", "%d requests refused"},
		PL: [3]string{"odrzucono %d prośbę", "odrzucono %d prośby", "odrzucono %d próśb"},
		JA: "依頼 %d 件を拒否",
	}
	StoppedAgents = Plural{
		EN: [2]string{"%d agent told to stop", "%d agents told to stop"},
		PL: [3]string{"%d agent ma się zatrzymać", "%d agenty mają się zatrzymać", "%d agentów ma się zatrzymać"},
		JA: "エージェント %d つに停止を指示",
	}
	NothingToStop = Message{EN: "There was nothing to stop: no lease, nothing that waits, no agent at work.", PL: "Nie było czego zatrzymać: żadnych zgód czasowych, próśb ani pracujących agentów.", JA: "止めるものはありませんでした。許可も、待ちも、作業中のエージェントもありません。"}
	HasStopped    = Message{EN: "%s has stopped.", PL: "%s się zatrzymał.", JA: "%s は止まりました。"}
	AllStopped    = Message{EN: "All agents have stopped.", PL: "Wszystkie agenty już stoją.", JA: "すべてのエージェントが止まりました。"}
	NotStoppedYet = Message{EN: "%[1]s has not stopped yet: it stops at its next step. Esc in its terminal on %[2]s stops it at once.", PL: "%[1]s jeszcze się nie zatrzymał: zrobi to przy następnym kroku. Esc w jego terminalu na %[2]s zatrzyma go od razu.", JA: "%[1]s はまだ止まっていません。次の区切りで止まります。%[2]s の端末で Esc を押すとすぐに止まります。"}
	StopUnknown   = Message{EN: "The hub went quiet before it could say whether they have stopped; `nod agents` shows it.", PL: "Hub zamilkł, zanim powiedział, czy się zatrzymały; `nod agents` to pokaże.", JA: "止まったかどうかがわかる前にハブとの接続が切れました。`nod agents` で確認できます。"}
)

// Finding an agent, and speaking to it.
var (
	NoSuchAgent    = Message{EN: "There is no agent %q. `nod agents` lists them.", PL: "Nie ma agenta %q. `nod agents` pokazuje wszystkie.", JA: "エージェント %q はありません。`nod agents` で一覧を見られます。"}
	AgentNotUnique = Message{EN: "%q fits more than one agent. Take the first letters of its id:", PL: "%q pasuje do kilku agentów. Podaj początek id:", JA: "%q に当てはまるエージェントが複数あります。ID の先頭で選んでください:"}
	SayHeard       = Message{EN: "%s has it.", PL: "%s już to ma.", JA: "%s に伝わりました。"}
	SayFailed      = Message{EN: "%[1]s did not get it: %[2]s", PL: "%[1]s tego nie dostał: %[2]s", JA: "%[1]s に伝わりませんでした: %[2]s"}
	SayQueued      = Message{EN: "Recorded, not with %s yet: it hears that as soon as it can. `nod log --follow` shows when.", PL: "Zapisane, ale %s jeszcze tego nie ma: usłyszy, gdy tylko może. `nod log --follow` pokaże kiedy.", JA: "記録しましたが、%s にはまだ伝わっていません。聞けるようになりしだい伝わります。`nod log --follow` で確認できます。"}
	SayWaits       = Message{EN: "Recorded: %s hears it when it is idle. `nod log --follow` shows when.", PL: "Zapisane: %s usłyszy to, gdy będzie bezczynny. `nod log --follow` pokaże kiedy.", JA: "記録しました。%s の手が空いたら伝わります。`nod log --follow` で確認できます。"}
	SayUnknown     = Message{EN: "Recorded. The hub went quiet before it could say whether %s has it; `nod log` shows it.", PL: "Zapisane. Hub zamilkł, zanim powiedział, czy %s to ma; `nod log` to pokaże.", JA: "記録しました。%s に伝わったかどうかがわかる前にハブとの接続が切れました。`nod log` で確認できます。"}
	SayUnreachable = Message{EN: "%[1]s can be answered from here, but not spoken to; nothing was sent. Type into its own terminal on %[2]s.", PL: "%[1]s przyjmuje stąd odpowiedzi, ale nie da się do niego mówić; nic nie wysłano. Pisz w jego terminalu na %[2]s.", JA: "%[1]s にはここから回答はできますが、話しかけられません。何も送っていません。%[2]s の端末で入力してください。"}
	SayEnded       = Message{EN: "%s has ended: nobody is there to hear it. Nothing was sent.", PL: "%s zakończył pracę: nie ma kto tego usłyszeć. Nic nie wysłano.", JA: "%s は終了しています。聞く相手がいないため、何も送っていません。"}
	WrongWhenBusy  = Message{EN: "--when-busy %q is unknown: queue, interrupt or wait.", PL: "--when-busy %q jest nieznane: queue, interrupt lub wait.", JA: "--when-busy %q はありません。queue、interrupt、wait から選んでください。"}
)

// Decisions that no person made. Every list says so.
var (
	AutoAllowed  = Message{EN: "allowed by itself: %s", PL: "dozwolone automatycznie: %s", JA: "自動で許可: %s"}
	AutoDenied   = Message{EN: "denied by itself: %s", PL: "odrzucone automatycznie: %s", JA: "自動で拒否: %s"}
	AutoLease    = Message{EN: "allowed by itself under lease %[1]s of %[2]s", PL: "dozwolone automatycznie, na mocy zgody %[1]s (%[2]s)", JA: "自動で許可: %[2]s の許可 %[1]s による"}
	AutoCounted  = Message{EN: "%[1]s (%[2]d of %[3]d)", PL: "%[1]s (%[2]d z %[3]d)", JA: "%[1]s(%[2]d/%[3]d)"}
	AutoSettled  = Message{EN: "No person was asked, %[2]s: %[1]s.", PL: "Bez pytania człowieka, %[2]s: %[1]s.", JA: "%[2]s、人に確認せず%[1]s。"}
	AutoDecided  = Message{EN: "decided by itself (%s)", PL: "rozstrzygnięte automatycznie (%s)", JA: "自動で決定(%s)"}
	AutoByLease  = Message{EN: "decided by itself (a lease of %s)", PL: "rozstrzygnięte automatycznie (zgoda czasowa: %s)", JA: "自動で決定(%s の許可による)"}
	AutoTitle    = Message{EN: "By itself", PL: "Automatycznie", JA: "自動"}
	AllowedLease = Message{EN: "Allowed `%[1]s` for %[2]s, and for %[3]s, at most %[4]d times: %[5]s", PL: "Pozwolono: `%[1]s` dla %[2]s, a przez %[3]s, najwyżej %[4]d razy: %[5]s", JA: "%[2]s の `%[1]s` を許可しました。%[3]sの間、最大 %[4]d 回許可: %[5]s"}
)

// LeaseSpan is the duration that a person chose for a lease, exactly, in whole minutes: 90
// minutes are not rounded to two hours.
func (p Printer) LeaseSpan(d time.Duration) string {
	d = d.Round(time.Minute)
	if d%time.Hour == 0 {
		return p.Span(d)
	}
	return p.Say(minutes, int(d/time.Minute))
}

// LeaseLeft is the remaining time of a lease. Hours are too coarse to watch it, until
// there are many.
func (p Printer) LeaseLeft(d time.Duration) string {
	if d < time.Minute || d > 3*time.Hour {
		return p.Left(d)
	}
	return p.Say(minutes, int((d+time.Minute-1)/time.Minute))
}
