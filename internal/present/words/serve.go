package words

// What `nod serve` says about itself.
var (
	FlagDemo   = Message{EN: "three make-believe agents to try everything with; nothing is kept", PL: "trzej zmyśleni agenci do wypróbowania wszystkiego; nic nie jest zapisywane", JA: "3 つの架空のエージェントで試す(何も保存しない)"}
	TopicServe = Topic{
		Short: Message{EN: "Run the hub in the foreground", PL: "Uruchom hub na pierwszym planie", JA: "ハブをフォアグラウンドで動かす"},
		Examples: []Example{
			{"nod serve", Message{EN: "on this machine only, no set-up needed", PL: "tylko na tym komputerze, bez konfiguracji", JA: "このマシンだけで、設定なしに"}},
			{"nod serve --listen 127.0.0.1:0", Message{EN: "on a free port; the first line tells which", PL: "na wolnym porcie; pierwszy wiersz powie którym", JA: "空いているポートで(1 行目に表示)"}},
			{"nod serve --tls --listen :8742", Message{EN: "for phones in your network too, by HTTPS", PL: "także dla telefonów w Twojej sieci, przez HTTPS", JA: "同じネットワークのスマートフォンからも HTTPS で"}},
			{"nod serve --data ./try", Message{EN: "with data of its own, to try things out", PL: "z osobnymi danymi, na próbę", JA: "別のデータで試す"}},
		},
	}
	ServePair      = Message{EN: "Pair a device: %[1]s  (once, within %[2]s; later: nod pair)", PL: "Sparuj urządzenie: %[1]s  (raz, przez %[2]s; później: nod pair)", JA: "端末をつなぐ: %[1]s (1 回限り、%[2]s 以内。後からは nod pair)"}
	ServePairLater = Message{EN: "Pair another device with: nod pair", PL: "Kolejne urządzenie sparujesz poleceniem: nod pair", JA: "別の端末は nod pair でつなげます"}
	FlagListen     = Message{EN: "address of the HTTP interface; :0 picks a free port", PL: "adres interfejsu HTTP; :0 wybiera wolny port", JA: "HTTP のアドレス。:0 で空きポートを選ぶ"}
	FlagData       = Message{EN: "where everything is kept", PL: "gdzie wszystko jest trzymane", JA: "データの置き場所"}
	FlagConfig     = Message{EN: "configuration file instead of nod.toml in the data directory", PL: "plik konfiguracji zamiast nod.toml w katalogu danych", JA: "データフォルダの nod.toml の代わりに使う設定ファイル"}
	FlagCert       = Message{EN: "certificate of your own (PEM), for HTTPS", PL: "własny certyfikat (PEM), dla HTTPS", JA: "HTTPS 用の自分の証明書 (PEM)"}
	FlagKey        = Message{EN: "private key of the certificate (PEM)", PL: "klucz prywatny certyfikatu (PEM)", JA: "証明書の秘密鍵 (PEM)"}
	FlagInsecure   = Message{EN: "plain HTTP beyond this machine: anyone on the network can read your tokens", PL: "zwykłe HTTP poza ten komputer: każdy w sieci przeczyta Twoje tokeny", JA: "このマシンの外へ平文 HTTP で公開(ネットワーク上の誰でもトークンを読めます)"}
	FlagVerbose    = Message{EN: "log more", PL: "więcej w dzienniku", JA: "ログを詳しく"}
)
