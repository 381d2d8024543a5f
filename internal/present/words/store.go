package words

// What `nod store` says.
var (
	TopicStore = Topic{
		Short: Message{EN: "Look after the log: how it is, copy it, prune it", PL: "Zadbaj o dziennik: stan, kopia, przycięcie", JA: "ログの管理(状態、コピー、古い記録の削除)"},
		Examples: []Example{
			{"nod store status", Message{EN: "where it is, how large, how old", PL: "gdzie jest, jak duży, jak stary", JA: "場所、大きさ、期間"}},
			{"nod store copy --from sqlite --to postgres", Message{EN: "move to the PostgreSQL of nod.toml", PL: "przenieś do PostgreSQL z nod.toml", JA: "nod.toml の PostgreSQL へ移す"}},
			{"nod store prune --keep 90d", Message{EN: "take out what is older than 90 days", PL: "usuń to, co starsze niż 90 dni", JA: "90 日より古い記録を取り除く"}},
		},
	}
	TopicStoreStatus = Topic{
		Short: Message{EN: "Tell where the log is, how large and how old", PL: "Powiedz, gdzie jest dziennik, jak duży i jak stary", JA: "ログの場所、大きさ、期間を表示"},
		Examples: []Example{
			{"nod store status", Message{EN: "also while the hub runs", PL: "także gdy hub działa", JA: "ハブの動作中でも可"}},
			{"nod store status --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	TopicStoreCopy = Topic{
		Short: Message{EN: "Copy everything to another store, and check every link", PL: "Skopiuj wszystko do innego magazynu i sprawdź każde ogniwo", JA: "全体を別の保存先へコピーし、つながりをすべて確認"},
		Examples: []Example{
			{"nod store copy --from sqlite --to postgres", Message{EN: "from the data directory to the store of nod.toml", PL: "z katalogu danych do store z nod.toml", JA: "データフォルダから nod.toml の store へ"}},
			{"nod store copy --from postgres --to ./backup.db", Message{EN: "and back, into a file", PL: "i z powrotem, do pliku", JA: "逆方向、ファイルへ"}},
		},
	}
	TopicStorePrune = Topic{
		Short: Message{EN: "Take old events out, and leave a signed checkpoint", PL: "Usuń stare zdarzenia, zostaw podpisany punkt kontrolny", JA: "古い記録を取り除き、署名つきのチェックポイントを残す"},
		Examples: []Example{
			{"nod store prune --keep 90d", Message{EN: "keep three months", PL: "zostaw trzy miesiące", JA: "3 か月分を残す"}},
			{"nod store prune --keep 90d --dry-run", Message{EN: "only tell what would go", PL: "tylko powiedz, co zniknie", JA: "何が消えるかだけを表示"}},
			{"nod store prune --keep 1y --export old.jsonl", Message{EN: "write what goes to a file first; .csv for spreadsheets", PL: "najpierw zapisz usuwane do pliku; .csv dla arkuszy", JA: "消す分を先にファイルへ(表計算なら .csv)"}},
		},
	}
	FlagStoreFrom   = Message{EN: "source: sqlite, postgres, a file or postgres://…", PL: "źródło: sqlite, postgres, plik lub postgres://…", JA: "コピー元: sqlite、postgres、ファイル、postgres://…"}
	FlagStoreTo     = Message{EN: "target, which must be empty: sqlite, postgres, a file or postgres://…", PL: "cel, musi być pusty: sqlite, postgres, plik lub postgres://…", JA: "コピー先(空であること): sqlite、postgres、ファイル、postgres://…"}
	FlagStoreKeep   = Message{EN: "how much to keep: 90d, 12w, 1y", PL: "ile zostawić: 90d, 12w, 1y", JA: "残す期間: 90d, 12w, 1y"}
	FlagStoreExport = Message{EN: "write what goes to this file first: .jsonl or .csv", PL: "najpierw zapisz usuwane do tego pliku: .jsonl lub .csv", JA: "消す分を先にこのファイルへ書き出す(.jsonl か .csv)"}
	FlagStoreYes    = Message{EN: "do not ask: for scripts", PL: "nie pytaj: dla skryptów", JA: "確認しない(スクリプト向け)"}
	FlagStoreDryRun = Message{EN: "tell what would go, and change nothing", PL: "powiedz, co zniknie, i niczego nie zmieniaj", JA: "何が消えるかを表示し、何も変えない"}

	StorePlan = Plural{
		EN: [2]string{"%d event up to %[2]s is taken out for good; %[3]d stay.", "%d events up to %[2]s are taken out for good; %[3]d stay."},
		PL: [3]string{"%d zdarzenie do %[2]s zniknie na zawsze; zostanie %[3]d.", "%d zdarzenia do %[2]s znikną na zawsze; zostanie %[3]d.", "%d zdarzeń do %[2]s zniknie na zawsze; zostanie %[3]d."},
		JA: "%[2]s までの %[1]d 件が完全に消え、%[3]d 件が残ります。",
	}
	StorePlanExport = Message{EN: "They are written to %s first.", PL: "Najpierw zostaną zapisane do %s.", JA: "先に %s へ書き出します。"}
	StorePlanLost   = Message{EN: "Nothing keeps a copy of them; --export FILE does.", PL: "Nigdzie nie będzie ich kopii; robi ją --export PLIK.", JA: "控えは残りません。残すには --export ファイル を付けてください。"}
	StoreSure       = Message{EN: "Take them out? [y/N]", PL: "Usunąć? [t/N]", JA: "取り除きますか? [y/N]"}
	StoreUntouched  = Message{EN: "Nothing was changed.", PL: "Niczego nie zmieniono.", JA: "何も変更していません。"}
	StoreUnattended = Message{EN: "This deletes history, and there is no terminal to ask at. If you mean it:\n  %[1]s\nTo see first what would go:\n  %[2]s", PL: "To usuwa historię, a nie ma terminala, w którym można zapytać. Jeśli tak ma być:\n  %[1]s\nAby najpierw zobaczyć, co zniknie:\n  %[2]s", JA: "履歴を削除するコマンドですが、確認できる端末がありません。実行するには:\n  %[1]s\n先に何が消えるかを見るには:\n  %[2]s"}

	StoreNeedsBoth = Message{EN: "From where, and to where? For example: nod store copy --from sqlite --to postgres", PL: "Skąd i dokąd? Na przykład: nod store copy --from sqlite --to postgres", JA: "コピー元とコピー先を指定してください。例: nod store copy --from sqlite --to postgres"}
	StoreNoServer  = Message{EN: "\"postgres\" means the store of nod.toml, and that names no PostgreSQL. Set store = \"postgres://user@host:5432/database\" there, or give that address here.", PL: "„postgres” oznacza store z nod.toml, a tam nie ma PostgreSQL. Ustaw tam store = \"postgres://user@host:5432/database\" albo podaj ten adres tutaj.", JA: "「postgres」は nod.toml の store を指しますが、そこに PostgreSQL がありません。store = \"postgres://user@host:5432/database\" と書くか、そのアドレスをここで指定してください。"}
	StoreSame      = Message{EN: "Source and target are the same store.", PL: "Źródło i cel to ten sam magazyn.", JA: "コピー元とコピー先が同じです。"}
	StoreWrongKeep = Message{EN: "How much should be kept? %q is no span: write 90d, 12w or 1y.", PL: "Ile zostawić? %q to nie okres: napisz 90d, 12w lub 1y.", JA: "残す期間として %q は使えません。90d、12w、1y のように書いてください。"}
	StoreCopying   = Message{EN: "copied %[1]d of %[2]d events", PL: "skopiowano %[1]d z %[2]d zdarzeń", JA: "%[2]d 件中 %[1]d 件をコピー"}
	StoreLooking   = Message{EN: "looked at %d events", PL: "przejrzane zdarzenia: %d", JA: "%d 件を確認"}
	StoreCopied    = Message{
		EN: "Copied %[1]s to %[2]s: the log ends at event %[3]d on both sides, every link of both chains holds, devices: %[4]d, passkeys: %[5]d.",
		PL: "Skopiowano %[1]s do %[2]s: dziennik kończy się po obu stronach na zdarzeniu %[3]d, wszystkie ogniwa obu łańcuchów są całe, urządzenia: %[4]d, klucze dostępu: %[5]d.",
		JA: "%[1]s を %[2]s へコピーしました。ログは両方とも %[3]d 件目で終わり、つながりもすべて正常です。デバイス %[4]d、パスキー %[5]d。",
	}
	StoreCopyNext = Message{
		EN: "Next: name the new store in nod.toml (store = …), then start the hub. What else lies in the data directory (attachments, certificates, keyboards) stays there.",
		PL: "Dalej: wpisz nowy magazyn w nod.toml (store = …) i uruchom hub. Reszta katalogu danych (załączniki, certyfikaty, klawiatury) zostaje na miejscu.",
		JA: "次に、nod.toml に新しい保存先(store = …)を書き、ハブを起動してください。データフォルダのほかの中身(添付、証明書、キーボード)はそのままです。",
	}
	StorePruned = Plural{
		EN: [2]string{"Took out %d event from before %[2]s; %[3]d stay.", "Took out %d events from before %[2]s; %[3]d stay."},
		PL: [3]string{"Usunięto %d zdarzenie sprzed %[2]s; zostało %[3]d.", "Usunięto %d zdarzenia sprzed %[2]s; zostało %[3]d.", "Usunięto %d zdarzeń sprzed %[2]s; zostało %[3]d."},
		JA: "%[2]s より前の %[1]d 件を取り除きました。%[3]d 件が残っています。",
	}
	StoreCheckpoint = Message{
		EN: "A checkpoint stands in their place: event %[1]d, %[2]s, signed by key %[3]s (%[4]s). Keep that line somewhere else; `nod log verify` goes on from it.",
		PL: "W ich miejscu jest punkt kontrolny: zdarzenie %[1]d, %[2]s, podpis kluczem %[3]s (%[4]s). Zachowaj ten wiersz gdzie indziej; `nod log verify` zaczyna od niego.",
		JA: "代わりにチェックポイントがあります: %[1]d 件目、%[2]s、鍵 %[3]s で署名(%[4]s)。この行を別の場所に控えてください。`nod log verify` はここから確認します。",
	}
	StoreNothingOld = Message{EN: "Nothing is older than %[1]s: all %[2]d events stay.", PL: "Nic nie jest starsze niż %[1]s: wszystkie zdarzenia (%[2]d) zostają.", JA: "%[1]s より古い記録はありません。%[2]d 件すべてが残ります。"}
	StoreKeyFailed  = Message{EN: "The key that signs checkpoints (%[1]s) cannot be used: %[2]s. Give nod's user the right to read it, or put the one of a backup there.", PL: "Nie da się użyć klucza podpisującego punkty kontrolne (%[1]s): %[2]s. Daj użytkownikowi noda prawo odczytu albo wstaw klucz z kopii.", JA: "チェックポイントに署名する鍵(%[1]s)が使えません: %[2]s。nod のユーザーに読み取りを許可するか、バックアップの鍵を置いてください。"}

	StorePlace  = Message{EN: "Store", PL: "Magazyn", JA: "保存先"}
	StoreServer = Message{EN: "Server", PL: "Serwer", JA: "サーバー"}
	StoreHubs   = Message{EN: "Hubs now", PL: "Huby teraz", JA: "接続中のハブ"}
	StoreEvents = Message{EN: "Events", PL: "Zdarzenia", JA: "件数"}
	StoreSpan   = Message{EN: "From, to", PL: "Od, do", JA: "期間"}
	StoreHead   = Message{EN: "Head", PL: "Czoło", JA: "先頭"}
	StoreSize   = Message{EN: "Size", PL: "Rozmiar", JA: "大きさ"}
	StoreTrip   = Message{EN: "Answers in", PL: "Odpowiada w", JA: "応答時間"}
	StoreBase   = Message{EN: "Pruned", PL: "Przycięto", JA: "削除済み"}
	StoreBaseIs = Message{EN: "up to event %[1]d on %[2]s, signed by key %[3]s", PL: "do zdarzenia %[1]d, %[2]s, podpis kluczem %[3]s", JA: "%[1]d 件目まで(%[2]s)、鍵 %[3]s で署名"}
	StoreForged = Message{EN: "the signature does not fit: the beginning of the log was changed", PL: "podpis się nie zgadza: początek dziennika zmieniono", JA: "署名が合いません。ログの始まりが改変されています"}

	VerifiedFrom  = Message{EN: "Events up to %[1]d were pruned on %[2]s; the checkpoint in their place is signed by key %[3]s, and the chain goes on from it.", PL: "Zdarzenia do %[1]d przycięto %[2]s; punkt kontrolny w ich miejscu podpisano kluczem %[3]s, a łańcuch biegnie od niego dalej.", JA: "%[1]d 件目までは %[2]s に取り除かれています。代わりのチェックポイントは鍵 %[3]s で署名され、ログはそこから続いています。"}
	BadCheckpoint = Message{EN: "The log is broken: it begins with a checkpoint at event %d whose signature does not fit. Do not trust what comes before or after; compare with a backup or an export.", PL: "Dziennik jest uszkodzony: zaczyna się punktem kontrolnym przy zdarzeniu %d, którego podpis się nie zgadza. Nie ufaj mu; porównaj z kopią lub eksportem.", JA: "ログが壊れています。%d 件目のチェックポイントの署名が合いません。信用せず、バックアップや書き出しと比べてください。"}
	HeadPruned    = Message{EN: "What is kept of the log holds together, but the head that you kept (%s) is not in it: it is of the part that was pruned, or the log was written anew. An export of that part shows which: nod log verify FILE --head HASH.", PL: "To, co zostało z dziennika, jest spójne, ale zachowanego czoła (%s) w nim nie ma: należy do przyciętej części albo dziennik napisano od nowa. Rozstrzygnie eksport tej części: nod log verify PLIK --head HASH.", JA: "残っているログのつながりは正しいものの、控えてあったハッシュ(%s)は見つかりません。取り除いた部分のものか、ログが書き直されています。その部分の書き出しで確かめられます: nod log verify ファイル --head HASH"}
)
