package words

// What `nod policy` says.
var (
	TopicPolicy = Topic{
		Short: Message{EN: "See what needs no person, and what always does", PL: "Zobacz, co nie wymaga człowieka, a co zawsze", JA: "人の判断が要らないもの、必ず要るものを確かめる"},
		Examples: []Example{
			{"nod policy test 'kubectl get pods | grep web'", Message{EN: "what would happen with this line, and why", PL: "co stałoby się z tym wierszem i dlaczego", JA: "この行がどう扱われるか、その理由"}},
			{"nod policy suggest", Message{EN: "which rules would have saved you prompts?", PL: "które reguły oszczędziłyby Ci pytań?", JA: "どのルールがあれば確認を減らせたか"}},
			{"nod policy replay --since 30d", Message{EN: "what would changed rules have decided differently?", PL: "co zmienione reguły rozstrzygnęłyby inaczej?", JA: "変えたルールなら何が変わったか"}},
			{"nod policy check", Message{EN: "are the rules in nod.toml right?", PL: "czy reguły w nod.toml są poprawne?", JA: "nod.toml のルールは正しいか"}},
		},
	}
	TopicPolicyTest = Topic{
		Short: Message{EN: "Explain the verdict on a command line", PL: "Wyjaśnij werdykt dla wiersza poleceń", JA: "コマンド行の判定を説明する"},
		Examples: []Example{
			{"nod policy test 'cat x; rm -rf ~'", Message{EN: "every command in the line is judged", PL: "oceniane jest każde polecenie w wierszu", JA: "行の中のすべてのコマンドを判定"}},
			{"nod policy test --phrase 'turn off everything'", Message{EN: "what would happen with a spoken request", PL: "co stałoby się z prośbą wypowiedzianą głosem", JA: "話した依頼がどう扱われるか"}},
			{"nod policy test --json 'git log'", Message{EN: "for scripts: verdict, reason, rule, risk", PL: "dla skryptów: werdykt, powód, reguła, ryzyko", JA: "スクリプト向け(判定・理由・ルール・危険度)"}},
		},
	}
	TopicPolicyCheck = Topic{
		Short:    Message{EN: "Check the rules in nod.toml", PL: "Sprawdź reguły w nod.toml", JA: "nod.toml のルールを確認"},
		Examples: []Example{{"nod policy check", Message{EN: "names the first rule that is wrong", PL: "wskaże pierwszą błędną regułę", JA: "最初に見つかった誤りを表示"}}},
	}
	PolicyAllow = Message{EN: "allow", PL: "pozwól", JA: "許可"}
	PolicyAsk   = Message{EN: "ask", PL: "zapytaj", JA: "確認"}
	PolicyDeny  = Message{EN: "deny", PL: "odmów", JA: "拒否"}
	PolicyOff   = Message{
		EN: "Judged as if read-only rules were on. They are off: nod asks you about everything. Turn them on with read_only = \"allow\" under [policy] in nod.toml.",
		PL: "Oceniono tak, jakby reguły tylko-do-odczytu były włączone. Są wyłączone: nod pyta o wszystko. Włączysz je przez read_only = \"allow\" w sekcji [policy] pliku nod.toml.",
		JA: "読み取り専用ルールが有効なものとして判定しました。今は無効で、nod はすべて確認します。nod.toml の [policy] に read_only = \"allow\" と書くと有効になります。",
	}
	PolicyFine = Message{EN: "The rules are fine: %[1]d allow, %[2]d ask, %[3]d deny, %[5]d scopes, %[6]d phrases; read-only: %[4]s.", PL: "Reguły są poprawne: pozwól %[1]d, zapytaj %[2]d, odmów %[3]d, zakresy %[5]d, zwroty %[6]d; tylko odczyt: %[4]s.", JA: "ルールに問題はありません: 許可 %[1]d、確認 %[2]d、拒否 %[3]d、範囲 %[5]d、言い回し %[6]d、読み取り専用: %[4]s"}
	PolicyLine = Message{EN: "Which command line? Put it in quotes.", PL: "Który wiersz poleceń? Podaj go w cudzysłowie.", JA: "どのコマンド行ですか。引用符で囲んでください。"}
)

// Looking back: suggestions and replay.
var (
	TopicPolicySuggest = Topic{
		Short: Message{EN: "Find rules in what you have decided", PL: "Znajdź reguły w swoich decyzjach", JA: "これまでの判断からルールを見つける"},
		Examples: []Example{
			{"nod policy suggest", Message{EN: "rules, each tried against the last 30 days", PL: "reguły sprawdzone na ostatnich 30 dniach", JA: "直近 30 日で試したルールの候補"}},
			{"nod policy suggest --save 1", Message{EN: "make the first one a rule in nod.toml", PL: "zapisz pierwszą w nod.toml", JA: "1 番目を nod.toml に保存"}},
		},
	}
	TopicPolicyReplay = Topic{
		Short: Message{EN: "Try the rules in nod.toml on recorded requests", PL: "Wypróbuj reguły z nod.toml na zapisanych prośbach", JA: "nod.toml のルールを記録済みの依頼で試す"},
		Examples: []Example{
			{"nod policy replay", Message{EN: "what would have been decided differently in 30 days", PL: "co w ciągu 30 dni rozstrzygnięto by inaczej", JA: "直近 30 日で判断が変わるもの"}},
			{"nod policy replay --since 2w --config new.toml", Message{EN: "with rules that are not in force yet", PL: "z regułami, które jeszcze nie obowiązują", JA: "まだ有効でないルールで試す"}},
		},
	}
	FlagSince    = Message{EN: "how far back: 30d, 2w", PL: "jak daleko wstecz: 30d, 2w", JA: "さかのぼる期間: 30d, 2w"}
	FlagSaveRule = Message{EN: "save this suggestion as a rule", PL: "zapisz tę propozycję jako regułę", JA: "この候補をルールとして保存"}
	FlagPhrase   = Message{EN: "LINE is something that was said, not a command", PL: "WIERSZ to wypowiedź, nie polecenie", JA: "コマンドではなく話した言葉として判定"}
	FlagRules    = Message{EN: "read the rules from this file", PL: "czytaj reguły z tego pliku", JA: "このファイルのルールを使う"}

	NothingSuggested  = Message{EN: "No rule stands out yet: nod looked at %[1]d decisions of %[2]d days. It suggests one when you have allowed the same kind of thing five times.", PL: "Żadna reguła się jeszcze nie narzuca: sprawdzono %[1]d decyzji z %[2]d dni. Propozycja pojawi się po pięciu zgodach na to samo.", JA: "まだ候補はありません。%[2]d 日間の %[1]d 件の判断を確認しました。同じ種類を 5 回許可すると候補になります。"}
	SuggestionAllowed = Message{EN: "You allowed %[1]d of these. As a rule it would have answered %[2]d prompts.", PL: "Takich zgód: %[1]d. Jako reguła odpowiedziałaby na %[2]d pytań.", JA: "これまでに %[1]d 回許可しています。ルールにすれば %[2]d 件の確認が不要でした。"}
	SuggestionDenied  = Message{EN: "Careful: %d of them you denied:", PL: "Uwaga: %d z nich odrzucono:", JA: "注意: そのうち %d 件は拒否しています:"}
	SuggestionSave    = Message{EN: "Save one with: nod policy suggest --save NUMBER", PL: "Zapisz: nod policy suggest --save NUMER", JA: "保存するには: nod policy suggest --save 番号"}
	RuleSaved         = Message{EN: "Saved: %[1]s is allowed from now on. In the past it would have answered %[2]d prompts, %[3]d of which you denied.", PL: "Zapisano: %[1]s jest odtąd dozwolone. W przeszłości reguła odpowiedziałaby na %[2]d pytań, z czego %[3]d odrzucono.", JA: "保存しました。%[1]s は今後許可されます。過去の %[2]d 件に当てはまり、うち %[3]d 件は拒否されていました。"}
	NoSuchSuggestion  = Message{EN: "There is no suggestion %q. `nod policy suggest` lists them; other rules go into nod.toml by hand.", PL: "Nie ma propozycji %q. `nod policy suggest` je wymienia; inne reguły wpisz ręcznie do nod.toml.", JA: "候補 %q はありません。`nod policy suggest` で一覧できます。ほかのルールは nod.toml に直接書いてください。"}
	ReplaySame        = Message{EN: "%[1]d recorded requests of %[2]d days: %[3]d would be decided as they were.", PL: "%[1]d zapisanych próśb z %[2]d dni: %[3]d rozstrzygnięto by tak samo.", JA: "%[2]d 日間の記録 %[1]d 件のうち、%[3]d 件は同じ判断です。"}
	ReplayAlarm       = Message{EN: "Careful: these rules would allow %d that you denied.", PL: "Uwaga: te reguły pozwoliłyby na %d, które odrzucono.", JA: "注意: これらのルールは、拒否した %d 件を許可します。"}
	ReplayAllowed     = Message{EN: "Allowed without asking: %d", PL: "Dozwolone bez pytania: %d", JA: "確認なしで許可: %d"}
	ReplayDenied      = Message{EN: "Denied without asking: %d", PL: "Odrzucone bez pytania: %d", JA: "確認なしで拒否: %d"}
	ReplayAsked       = Message{EN: "Asked about now: %d", PL: "Teraz z pytaniem: %d", JA: "今度は確認: %d"}
	ReplayYouDenied   = Message{EN: "you denied it", PL: "odrzucono", JA: "拒否済み"}
	ReplayYouAllowed  = Message{EN: "you allowed it", PL: "dozwolono", JA: "許可済み"}
	ReplayMore        = Message{EN: "… and %d more; --json has them all", PL: "… i jeszcze %d; wszystkie w --json", JA: "…ほか %d 件(--json で全件)"}
	ReplayReading     = Message{EN: "reading the log… %d", PL: "czytam dziennik… %d", JA: "記録を読んでいます… %d"}
	WrongSince        = Message{EN: "%q is no length of time: write 30d for thirty days or 2w for two weeks, a year at most.", PL: "%q to nie okres: napisz 30d (trzydzieści dni) albo 2w (dwa tygodnie), najwyżej rok.", JA: "%q は期間ではありません。30d(30 日)や 2w(2 週間)のように書いてください。最長 1 年です。"}
)
