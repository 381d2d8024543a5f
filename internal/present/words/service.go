package words

// What `nod service` says about itself.
var (
	TopicService = Topic{
		Short: Message{EN: "Let the system run the hub, from login on", PL: "Niech system uruchamia hub, od zalogowania", JA: "ログイン時からハブをシステムに動かしてもらう"},
		Examples: []Example{
			{"nod service install", Message{EN: "start it now, and whenever you log in", PL: "uruchom teraz i po każdym zalogowaniu", JA: "今すぐ、そしてログインのたびに起動"}},
			{"nod service status", Message{EN: "does it run?", PL: "czy działa?", JA: "動いているか"}},
			{"nod service remove", Message{EN: "undo it", PL: "cofnij to", JA: "元に戻す"}},
		},
	}
	TopicServiceInstall = Topic{
		Short: Message{EN: "Install the service and start it", PL: "Zainstaluj usługę i uruchom ją", JA: "サービスを登録して起動する"},
		Examples: []Example{
			{"nod service install", Message{EN: "systemd, launchd or the task scheduler", PL: "systemd, launchd albo harmonogram zadań", JA: "systemd、launchd、またはタスク スケジューラ"}},
			{"nod service install --dry-run", Message{EN: "only show the file", PL: "tylko pokaż plik", JA: "ファイルを見るだけ"}},
			{"nod service install --data ~/nod", Message{EN: "with data elsewhere", PL: "z danymi w innym miejscu", JA: "別の場所のデータで"}},
		},
	}
	TopicServiceRemove = Topic{
		Short: Message{EN: "Stop the service and remove it", PL: "Zatrzymaj usługę i usuń ją", JA: "サービスを止めて登録を外す"},
		Examples: []Example{
			{"nod service remove", Message{EN: "nod's data stays", PL: "dane nod zostają", JA: "nod のデータは残る"}},
			{"nod service remove --dry-run", Message{EN: "only show what would go", PL: "tylko pokaż, co zniknie", JA: "削除される内容を見るだけ"}},
		},
	}
	TopicServiceStatus = Topic{
		Short: Message{EN: "Tell how the service is (exit code 0 running, 3 stopped, 4 not installed)", PL: "Powiedz, jak ma się usługa (kod wyjścia 0 działa, 3 stoi, 4 brak)", JA: "サービスの状態を表示(終了コード 0 実行中、3 停止、4 未登録)"},
		Examples: []Example{
			{"nod service status", Message{EN: "for you", PL: "dla Ciebie", JA: "画面で見る"}},
			{"nod service status --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	FlagServiceForce = Message{EN: "replace a file that is not nod's; a copy is kept", PL: "zastąp plik, który nie jest od nod; kopia zostanie", JA: "nod のものでないファイルも置き換える(コピーは残す)"}
	FlagLog          = Message{EN: "write the log into this file; five of 5 MB are kept", PL: "zapisuj dziennik do tego pliku; zostaje pięć po 5 MB", JA: "ログをこのファイルに書く(5 MB を 5 個まで保持)"}
	FlagLogFormat    = Message{EN: "how the log is written: text or json", PL: "jak zapisywać dziennik: text lub json", JA: "ログの形式: text または json"}
	LogFormatUnknown = Message{EN: "--log-format %[1]q is not known: choose text or json.", PL: "Nieznany --log-format %[1]q: wybierz text lub json.", JA: "--log-format %[1]q は使えません。text か json を選んでください。"}
	FlagService      = Message{EN: "for services: no pairing link in the log", PL: "dla usług: bez linku parowania w dzienniku", JA: "サービス用: ログにペアリングのリンクを書かない"}
	LogFailed        = Message{EN: "The log %[1]s cannot be written: %[2]s. Choose another file with --log.", PL: "Nie można pisać dziennika %[1]s: %[2]s. Wybierz inny plik przez --log.", JA: "ログ %[1]s に書き込めません: %[2]s。--log で別のファイルを指定してください。"}
)

// What became of it.
var (
	ServiceWrote = Message{
		EN: "Wrote %s: nod starts when you log in, and again whenever it ends.",
		PL: "Zapisano %s: nod uruchamia się po zalogowaniu i ponownie, gdy się zakończy.",
		JA: "%s に書き込みました。nod はログイン時に起動し、終了しても再び起動します。",
	}
	ServiceAlready = Message{
		EN: "Nothing to write: %s is up to date.",
		PL: "Nic do zapisania: %s jest aktualny.",
		JA: "書き込むものはありません: %s は最新です。",
	}
	ServiceRuns = Message{EN: "The hub is running: %s", PL: "Hub działa: %s", JA: "ハブが動いています: %s"}
	ServiceLogs = Message{EN: "Log: %s", PL: "Dziennik: %s", JA: "ログ: %s"}
	ServiceFile = Message{EN: "Service of %[1]s: %[2]s", PL: "Usługa %[1]s: %[2]s", JA: "%[1]s のサービス: %[2]s"}
	ServiceNext = Message{
		EN: "Pair a device with: nod pair",
		PL: "Sparuj urządzenie poleceniem: nod pair",
		JA: "端末は nod pair でつなげます",
	}
	ServiceLinger = Message{
		EN: "It ends when you log out. To let it run always: loginctl enable-linger",
		PL: "Kończy się po wylogowaniu. Aby działał zawsze: loginctl enable-linger",
		JA: "ログアウトすると終了します。常に動かすには: loginctl enable-linger",
	}
	ServiceUnseen = Message{
		EN: "The service does not see what is set in this terminal only: %s. Put it into nod.toml; `nod config` shows the keys.",
		PL: "Usługa nie widzi tego, co ustawiono tylko w tym terminalu: %s. Wpisz to do nod.toml; klucze pokaże `nod config`.",
		JA: "この端末だけの設定はサービスに届きません: %s。nod.toml に書いてください(キーは `nod config` で確認できます)。",
	}
	ServiceGone = Message{
		EN: "The service is stopped, and %s is gone.",
		PL: "Usługa zatrzymana, %s usunięto.",
		JA: "サービスを止め、%s を削除しました。",
	}
	ServiceRestored = Message{
		EN: "Your own %s is back in its place. It was not started.",
		PL: "Twój własny %s wrócił na miejsce. Nie został uruchomiony.",
		JA: "元の %s を戻しました(起動はしていません)。",
	}
	ServiceKept = Message{
		EN: "nod's data and logs are still there. `nod serve` runs the hub by hand.",
		PL: "Dane i dzienniki nod pozostały. `nod serve` uruchamia hub ręcznie.",
		JA: "nod のデータとログは残っています。手動では `nod serve` で動かせます。",
	}
	ServiceNone = Message{
		EN: "Nothing to do: no service is installed.",
		PL: "Nic do zrobienia: żadna usługa nie jest zainstalowana.",
		JA: "することはありません: サービスは登録されていません。",
	}
	ServiceWouldGo = Message{
		EN: "Dry run: nothing was changed. The service would be stopped and %s deleted.",
		PL: "Próba: niczego nie zmieniono. Usługa zostałaby zatrzymana, a %s usunięty.",
		JA: "お試しのため、何も変えていません。サービスを止め、%s を削除することになります。",
	}
)

// How a service is.
var (
	ServiceUp      = Message{EN: "The service is running.", PL: "Usługa działa.", JA: "サービスは動いています。"}
	ServiceUpSince = Message{EN: "The service is running. It was started %[1]s (process %[2]d).", PL: "Usługa działa. Uruchomiono ją %[1]s (proces %[2]d).", JA: "サービスは動いています。%[1]sに起動しました(プロセス %[2]d)。"}
	ServiceDown    = Message{EN: "The service is stopped. Start it with `nod service install`.", PL: "Usługa stoi. Uruchom ją przez `nod service install`.", JA: "サービスは止まっています。`nod service install` で起動できます。"}
	ServiceMissing = Message{EN: "No service is installed. Install it with `nod service install`.", PL: "Usługa nie jest zainstalowana. Zainstaluj ją przez `nod service install`.", JA: "サービスは登録されていません。`nod service install` で登録できます。"}
	ServiceMute    = Message{EN: "The hub does not answer yet. Its log says why.", PL: "Hub jeszcze nie odpowiada. Powód jest w dzienniku.", JA: "ハブがまだ応答しません。理由はログにあります。"}
	ServiceEnding  = Message{EN: "It keeps ending with exit code %s and is started again. Its log says why.", PL: "Kończy się wciąż z kodem %s i jest uruchamiana ponownie. Powód jest w dzienniku.", JA: "終了コード %s で終了しては再起動しています。理由はログにあります。"}
)

// What stands in the way.
var (
	ServiceTemporary = Message{
		EN: "Nothing was written. This nod (%s) was made by `go run` or is in a temporary folder, and will be gone. Install it first, such as with `go install ./cmd/nod`, then run `nod service install`.",
		PL: "Niczego nie zapisano. Ten nod (%s) pochodzi z `go run` albo leży w folderze tymczasowym i zniknie. Najpierw go zainstaluj, np. `go install ./cmd/nod`, potem `nod service install`.",
		JA: "何も書き込んでいません。この nod (%s) は `go run` によるものか一時フォルダにあり、消えてしまいます。先に `go install ./cmd/nod` などで入れてから `nod service install` を実行してください。",
	}
	ServiceOddPath = Message{
		EN: "Nothing was written. %s has a line end or another control character, which no service file can hold. Rename it.",
		PL: "Niczego nie zapisano. %s zawiera koniec wiersza lub inny znak sterujący, którego plik usługi nie pomieści. Zmień nazwę.",
		JA: "何も書き込んでいません。%s に改行などの制御文字があり、サービスのファイルに書けません。名前を変えてください。",
	}
	ServiceForeign = Message{
		EN: "Nothing was written: %s is there already and not nod's. Look at it first. `--force` replaces it and keeps a copy (not on Windows).",
		PL: "Niczego nie zapisano: %s już istnieje i nie jest od nod. Najpierw go obejrzyj. `--force` go zastąpi i zachowa kopię (nie w Windows).",
		JA: "何も書き込んでいません。%s はすでにあり、nod のものではありません。まず内容を確認してください。`--force` ならコピーを残して置き換えます(Windows を除く)。",
	}
	ServiceNotOurs = Message{
		EN: "%s is not nod's, so nod leaves it alone.",
		PL: "%s nie jest od nod, więc nod go nie rusza.",
		JA: "%s は nod のものではないので、触りません。",
	}
	ServiceSudo = Message{
		EN: "Run it as yourself, without sudo: the service is yours, like your agents and their login.",
		PL: "Uruchom to jako Ty, bez sudo: usługa jest Twoja, jak Twoje agenty i ich logowanie.",
		JA: "sudo なしで、自分のユーザーとして実行してください。サービスも、エージェントやそのログインと同じくあなたのものです。",
	}
	ServiceStranger = Message{
		EN: "A hub that is not the service runs already (process %d), such as `nod serve` in a terminal. End it: the service takes its place within seconds.",
		PL: "Działa już hub, który nie jest usługą (proces %d), np. `nod serve` w terminalu. Zakończ go: usługa zajmie jego miejsce w kilka sekund.",
		JA: "サービスではないハブ(プロセス %d)がすでに動いています。端末の `nod serve` などです。終了すると、数秒でサービスに替わります。",
	}
	ServiceSilent = Message{
		EN: "The service is installed, but the hub does not answer. Its log says why: %s",
		PL: "Usługa jest zainstalowana, ale hub nie odpowiada. Powód jest w dzienniku: %s",
		JA: "サービスは登録されましたが、ハブが応答しません。理由はログにあります: %s",
	}
	ServiceCallFailed = Message{
		EN: "`%[1]s` failed: %[2]s",
		PL: "`%[1]s` nie powiodło się: %[2]s",
		JA: "`%[1]s` が失敗しました: %[2]s",
	}
	ServiceUnsupported = Message{
		EN: "nod knows no service manager of %s. Let the one you have start `nod serve --service` as your own user.",
		PL: "nod nie zna menedżera usług systemu %s. Niech Twój uruchamia `nod serve --service` jako Ty.",
		JA: "%s のサービス管理には対応していません。お使いの仕組みから、自分のユーザーで `nod serve --service` を起動してください。",
	}
	ServiceNoSystemd = Message{
		EN: "Nothing was written: systemd is not here (no systemctl in PATH). Let whatever starts programs on this machine (OpenRC, runit, a container, cron's @reboot) start `nod serve --service` as your own user.",
		PL: "Niczego nie zapisano: nie ma tu systemd (brak systemctl w PATH). Niech to, co tu uruchamia programy (OpenRC, runit, kontener, @reboot w cronie), uruchamia `nod serve --service` jako Ty.",
		JA: "何も書き込んでいません。systemd がありません(PATH に systemctl がない)。このマシンでプログラムを起動する仕組み(OpenRC、runit、コンテナ、cron の @reboot など)から、自分のユーザーで `nod serve --service` を起動してください。",
	}
	ServiceNoSession = Message{
		EN: "Nothing was written: systemd has no session of yours (%s). Log in as yourself rather than with su or sudo, or run `sudo loginctl enable-linger YOUR-NAME` and log in again. In a container without systemd, let it start `nod serve --service`.",
		PL: "Niczego nie zapisano: systemd nie ma Twojej sesji (%s). Zaloguj się jako Ty, nie przez su ani sudo, albo wykonaj `sudo loginctl enable-linger TWOJA-NAZWA` i zaloguj się ponownie. W kontenerze bez systemd niech on uruchamia `nod serve --service`.",
		JA: "何も書き込んでいません。systemd にあなたのセッションがありません (%s)。su や sudo ではなく直接ログインするか、`sudo loginctl enable-linger ユーザー名` を実行してログインし直してください。systemd のないコンテナでは、`nod serve --service` を起動させてください。",
	}
	ServiceNoDesktop = Message{
		EN: "Nothing was written: launchd has no session of yours (%s). Log in at the screen of this Mac once (or by screen sharing), then try again there or by ssh.",
		PL: "Niczego nie zapisano: launchd nie ma Twojej sesji (%s). Zaloguj się raz przy ekranie tego Maca (lub przez udostępnianie ekranu), potem spróbuj ponownie tam albo przez ssh.",
		JA: "何も書き込んでいません。launchd にあなたのセッションがありません (%s)。この Mac の画面で(または画面共有で)一度ログインしてから、もう一度試してください。",
	}
	ServiceNoScheduler = Message{
		EN: "Nothing was written: schtasks is not in PATH. Add C:\\Windows\\System32 to it and try again.",
		PL: "Niczego nie zapisano: schtasks nie ma w PATH. Dodaj C:\\Windows\\System32 i spróbuj ponownie.",
		JA: "何も書き込んでいません。schtasks が PATH にありません。C:\\Windows\\System32 を加えて、もう一度試してください。",
	}
)
