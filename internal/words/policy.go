package words

// What `nod policy` says.
var (
	TopicPolicy = Topic{
		Short: Message{EN: "See what needs no person, and what always does", PL: "Zobacz, co nie wymaga człowieka, a co zawsze", JA: "人の判断が要らないもの、必ず要るものを確かめる"},
		Examples: []Example{
			{"nod policy test 'kubectl get pods | grep web'", Message{EN: "what would happen with this line, and why", PL: "co stałoby się z tym wierszem i dlaczego", JA: "この行がどう扱われるか、その理由"}},
			{"nod policy check", Message{EN: "are the rules in nod.toml right?", PL: "czy reguły w nod.toml są poprawne?", JA: "nod.toml のルールは正しいか"}},
		},
	}
	TopicPolicyTest = Topic{
		Short: Message{EN: "Explain the verdict on a command line", PL: "Wyjaśnij werdykt dla wiersza poleceń", JA: "コマンド行の判定を説明する"},
		Examples: []Example{
			{"nod policy test 'cat x; rm -rf ~'", Message{EN: "every command in the line is judged", PL: "oceniane jest każde polecenie w wierszu", JA: "行の中のすべてのコマンドを判定"}},
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
	PolicyFine = Message{EN: "The rules are fine: %[1]d allow, %[2]d ask, %[3]d deny; read-only: %[4]s.", PL: "Reguły są poprawne: pozwól %[1]d, zapytaj %[2]d, odmów %[3]d; tylko odczyt: %[4]s.", JA: "ルールに問題はありません: 許可 %[1]d、確認 %[2]d、拒否 %[3]d、読み取り専用: %[4]s"}
	PolicyLine = Message{EN: "Which command line? Put it in quotes.", PL: "Który wiersz poleceń? Podaj go w cudzysłowie.", JA: "どのコマンド行ですか。引用符で囲んでください。"}
)
