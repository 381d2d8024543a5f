package words

// What `nod doctor` is, and the frame of its page.
var (
	TopicDoctor = Topic{
		Short: Message{EN: "Find out what is wrong and what to do about it", PL: "Sprawdź, co jest nie tak i co z tym zrobić", JA: "問題とその直し方を調べる"},
		Examples: []Example{
			{"nod doctor", Message{EN: "look at everything", PL: "sprawdź wszystko", JA: "すべてを調べる"}},
			{"nod doctor --json", Message{EN: "for scripts; exit code 1 when something is broken", PL: "dla skryptów; kod wyjścia 1, gdy coś nie działa", JA: "スクリプト向け(問題があれば終了コード 1)"}},
		},
	}
	StateOK   = Message{EN: "ok", PL: "dobrze", JA: "正常"}
	StateWarn = Message{EN: "look", PL: "uwaga", JA: "注意"}
	StateFail = Message{EN: "broken", PL: "źle", JA: "問題"}
	StateSkip = Message{EN: "skipped", PL: "pominięto", JA: "省略"}

	AllGood       = Message{EN: "All good.", PL: "Wszystko w porządku.", JA: "すべて正常です。"}
	NothingBroken = Message{EN: "Nothing is broken.", PL: "Nic nie jest zepsute.", JA: "問題はありません。"}
	ThingsToFix   = Plural{
		EN: [2]string{"%d thing to fix.", "%d things to fix."},
		PL: [3]string{"%d rzecz do naprawy.", "%d rzeczy do naprawy.", "%d rzeczy do naprawy."},
		JA: "直すところが %d 件あります。",
	}
	ThingsToSee = Plural{
		EN: [2]string{"%d thing to look at.", "%d things to look at."},
		PL: [3]string{"%d rzecz do sprawdzenia.", "%d rzeczy do sprawdzenia.", "%d rzeczy do sprawdzenia."},
		JA: "確認したいところが %d 件あります。",
	}
)

// The names of the checks.
var (
	CheckConfig    = Message{EN: "Configuration", PL: "Konfiguracja", JA: "設定"}
	CheckAnswer    = Message{EN: "Who may answer", PL: "Kto odpowiada", JA: "回答できる人"}
	CheckData      = Message{EN: "Data folder", PL: "Folder danych", JA: "データフォルダ"}
	CheckDisk      = Message{EN: "Disk space", PL: "Miejsce na dysku", JA: "ディスクの空き"}
	CheckSocket    = Message{EN: "Socket", PL: "Gniazdo", JA: "ソケット"}
	CheckHub       = Message{EN: "Hub", PL: "Hub", JA: "ハブ"}
	CheckToken     = Message{EN: "Token", PL: "Token", JA: "トークン"}
	CheckVersion   = Message{EN: "Version", PL: "Wersja", JA: "バージョン"}
	CheckYou       = Message{EN: "Who you are", PL: "Kim jesteś", JA: "あなた"}
	CheckProcesses = Message{EN: "Processes", PL: "Procesy", JA: "プロセス"}
	CheckClock     = Message{EN: "Clock", PL: "Zegar", JA: "時計"}
	CheckClaude    = Message{EN: "Claude Code", PL: "Claude Code", JA: "Claude Code"}
	CheckSettings  = Message{EN: "Settings files", PL: "Pliki ustawień", JA: "設定ファイル"}
	CheckHooks     = Message{EN: "Hooks", PL: "Hooki", JA: "フック"}
	CheckProgram   = Message{EN: "Hook program", PL: "Program hooka", JA: "フックの実体"}
	CheckDoubled   = Message{EN: "Hooks once", PL: "Hooki raz", JA: "フックの重複"}
	CheckSilenced  = Message{EN: "Hooks allowed", PL: "Hooki włączone", JA: "フックの許可"}
	CheckTrust     = Message{EN: "Folder trust", PL: "Zaufanie", JA: "フォルダの信頼"}
)

// Why a check was left out.
var (
	SkipRemote = Message{EN: "the hub is on another machine (NOD_URL)", PL: "hub jest na innym komputerze (NOD_URL)", JA: "ハブは別のマシンにあります (NOD_URL)"}
	SkipConfig = Message{EN: "the configuration cannot be read", PL: "nie można odczytać konfiguracji", JA: "設定を読めません"}
	SkipHub    = Message{EN: "the hub did not answer", PL: "hub nie odpowiedział", JA: "ハブの応答がありません"}
	SkipView   = Message{EN: "without the right to view the hub does not tell its time", PL: "bez prawa view hub nie podaje czasu", JA: "view の権限がないと、ハブは時刻を教えません"}
	SkipClaude = Message{EN: "no Claude Code on this machine", PL: "na tym komputerze nie ma Claude Code", JA: "このマシンに Claude Code はありません"}
	SkipHooks  = Message{EN: "there are no hooks of nod", PL: "nie ma hooków nod", JA: "nod のフックはありません"}
)

// The configuration.
var (
	ConfigNone    = Message{EN: "no nod.toml, the defaults hold", PL: "brak nod.toml, obowiązują wartości domyślne", JA: "nod.toml はなく、既定値を使います"}
	ConfigRead    = Message{EN: "%[1]s, %[2]d values; `nod config` shows them", PL: "%[1]s, wartości: %[2]d; pokaże je `nod config`", JA: "%[1]s、%[2]d 個の値(`nod config` で表示)"}
	ConfigFix     = Message{EN: "Correct the file there. Until then the hub does not start.", PL: "Popraw plik w tym miejscu. Do tego czasu hub się nie uruchomi.", JA: "その箇所を直してください。それまでハブは起動しません。"}
	AnswerLocal   = Message{EN: "paired devices, and people on this machine", PL: "sparowane urządzenia i ludzie przy tym komputerze", JA: "つないだ端末と、このマシンの利用者"}
	AnswerDevices = Message{EN: "paired devices only (answer = \"devices\")", PL: "tylko sparowane urządzenia (answer = \"devices\")", JA: "つないだ端末のみ (answer = \"devices\")"}
)

// The data folder.
var (
	DataMissing     = Message{EN: "%s does not exist yet", PL: "%s jeszcze nie istnieje", JA: "%s はまだありません"}
	DataMissingFix  = Message{EN: "`nod serve` creates it.", PL: "Utworzy go `nod serve`.", JA: "`nod serve` が作ります。"}
	DataNoFolder    = Message{EN: "%s is a file, not a folder", PL: "%s to plik, nie folder", JA: "%s はフォルダではなくファイルです"}
	DataNoFolderFix = Message{EN: "Move it away, or name another folder with NOD_DATA.", PL: "Przenieś go albo wskaż inny folder przez NOD_DATA.", JA: "移動するか、NOD_DATA で別のフォルダを指定してください。"}
	DataOpen        = Message{EN: "others on this machine can look into %[1]s (mode %[2]s)", PL: "inni na tym komputerze mogą zajrzeć do %[1]s (tryb %[2]s)", JA: "このマシンの他の利用者が %[1]s を見られます (モード %[2]s)"}
	DataOpenFix     = Message{EN: "Close it: `chmod 700 %s`", PL: "Zamknij go: `chmod 700 %s`", JA: "閉じてください: `chmod 700 %s`"}
	DataReadOnly    = Message{EN: "%s cannot be written to", PL: "nie można zapisywać w %s", JA: "%s に書き込めません"}
	DataWriteFix    = Message{EN: "Make it yours and writable: `ls -ld %s` shows whose it is.", PL: "Przejmij go i umożliw zapis: `ls -ld %s` pokaże, czyj jest.", JA: "自分のものにして書き込めるようにしてください。所有者は `ls -ld %s` で分かります。"}
	DiskFree        = Message{EN: "%s free", PL: "wolne: %s", JA: "空き %s"}
	DiskLittleFix   = Message{EN: "Make room soon: on a full disk the hub can take no request.", PL: "Zrób wkrótce miejsce: przy pełnym dysku hub nie przyjmie prośby.", JA: "早めに空きを作ってください。いっぱいになるとハブは依頼を受けられません。"}
	DiskNoneFix     = Message{EN: "Make room now: the hub cannot write its log.", PL: "Zrób miejsce teraz: hub nie może zapisać dziennika.", JA: "今すぐ空きを作ってください。ハブがログを書けません。"}
	SocketLong      = Message{EN: "its path has %[1]d bytes, the system takes %[2]d at most", PL: "ścieżka ma bajtów: %[1]d, system przyjmuje najwyżej %[2]d", JA: "パスが %[1]d バイトあり、上限の %[2]d バイトを超えています"}
	SocketLongFix   = Message{EN: "Choose a data folder with a shorter path, for example NOD_DATA=~/.nod", PL: "Wybierz folder danych z krótszą ścieżką, na przykład NOD_DATA=~/.nod", JA: "パスの短いデータフォルダを選んでください。例: NOD_DATA=~/.nod"}
)

// The hub.
var (
	HubUp            = Message{EN: "answers at %[1]s, version %[2]s", PL: "odpowiada: %[1]s, wersja %[2]s", JA: "%[1]s で応答、バージョン %[2]s"}
	HubAddress       = Message{EN: "NOD_URL is no address of a hub", PL: "NOD_URL nie jest adresem huba", JA: "NOD_URL がハブのアドレスではありません"}
	HubAddressFix    = Message{EN: "It looks like http://desk.local:8742; unset it to use the hub on this machine.", PL: "Wygląda jak http://desk.local:8742; usuń ją, by użyć huba na tym komputerze.", JA: "http://desk.local:8742 のような形です。このマシンのハブを使うなら設定を外してください。"}
	HubDown          = Message{EN: "not running (nothing at %s)", PL: "nie działa (nic pod %s)", JA: "動いていません(%s に何もありません)"}
	HubGone          = Message{EN: "not running (nobody listens at %s any more)", PL: "nie działa (nikt już nie nasłuchuje na %s)", JA: "動いていません(%s はもう待ち受けていません)"}
	HubDownFix       = Message{EN: "Start it: `nod serve`. Until then Claude Code behaves as if nod were not there.", PL: "Uruchom go: `nod serve`. Do tego czasu Claude Code działa, jakby nod nie było.", JA: "`nod serve` で起動してください。それまで Claude Code は nod がないときと同じように動きます。"}
	HubOthers        = Message{EN: "%s belongs to somebody else", PL: "%s należy do kogoś innego", JA: "%s は他の利用者のものです"}
	HubOthersFix     = Message{EN: "Run the hub as the same user as your agents, or reach it with NOD_URL and NOD_TOKEN.", PL: "Uruchom hub jako ten sam użytkownik co agenty albo łącz się przez NOD_URL i NOD_TOKEN.", JA: "エージェントと同じ利用者でハブを動かすか、NOD_URL と NOD_TOKEN で接続してください。"}
	HubHangs         = Message{EN: "%[1]s takes the connection but does not answer within %[2]s", PL: "%[1]s przyjmuje połączenie, ale nie odpowiada w ciągu %[2]s", JA: "%[1]s に接続できますが、%[2]s 以内に応答しません"}
	HubHangsFix      = Message{EN: "Restart the hub; what it knows is on disk.", PL: "Uruchom hub ponownie; co wie, jest na dysku.", JA: "ハブを再起動してください。記録はディスクにあります。"}
	HubStranger      = Message{EN: "%s answers, but not as a hub of nod", PL: "%s odpowiada, ale nie jak hub nod", JA: "%s は応答しますが、nod のハブではないようです"}
	HubStrangerFix   = Message{EN: "Check the address: is another program on that port, or a proxy in between?", PL: "Sprawdź adres: czy na tym porcie jest inny program albo pośrednik?", JA: "アドレスを確かめてください。そのポートに別のプログラムや中継がありませんか?"}
	HubRemoteDown    = Message{EN: "%[1]s does not answer (%[2]s)", PL: "%[1]s nie odpowiada (%[2]s)", JA: "%[1]s が応答しません (%[2]s)"}
	HubRemoteDownFix = Message{EN: "Is `nod serve` running there, does it listen beyond its own machine, and does the network let you through?", PL: "Czy działa tam `nod serve`, czy nasłuchuje poza własnym komputerem i czy sieć Cię przepuszcza?", JA: "相手で `nod serve` が動き、外部からの接続を待ち受け、ネットワークが通じているか確かめてください。"}

	TokenLocal       = Message{EN: "not needed on this machine", PL: "niepotrzebny na tym komputerze", JA: "このマシンでは不要です"}
	TokenMissing     = Message{EN: "NOD_URL is set, but NOD_TOKEN is not", PL: "NOD_URL jest ustawiony, a NOD_TOKEN nie", JA: "NOD_URL はありますが、NOD_TOKEN がありません"}
	TokenUnknown     = Message{EN: "the hub does not know it: mistyped, revoked or over", PL: "hub go nie zna: pomyłka, unieważniony lub wygasł", JA: "ハブの知らないトークンです(誤り、取り消し、または期限切れ)"}
	TokenCannotRaise = Message{EN: "valid, but hooks cannot raise requests with it; it may: %s", PL: "ważny, ale hooki nie mogą nim zgłaszać próśb; może: %s", JA: "有効ですが、フックが依頼を出せません。権限: %s"}
	TokenMay         = Message{EN: "valid; may: %s", PL: "ważny; może: %s", JA: "有効です。権限: %s"}
	TokenMissingFix  = Message{EN: "On the hub's machine: `nod token create --name NAME --rights raise,view,answer`. Then set NOD_TOKEN to what it prints.", PL: "Na komputerze huba: `nod token create --name NAZWA --rights raise,view,answer`. Potem ustaw NOD_TOKEN na to, co wypisze.", JA: "ハブのマシンで `nod token create --name 名前 --rights raise,view,answer` を実行し、表示された値を NOD_TOKEN に設定してください。"}

	VersionsSame      = Message{EN: "%s here and there", PL: "%s tu i tam", JA: "両方とも %s"}
	VersionsDiffer    = Message{EN: "the hub is %[1]s, this is %[2]s", PL: "hub to %[1]s, a to jest %[2]s", JA: "ハブは %[1]s、こちらは %[2]s です"}
	VersionsDifferFix = Message{EN: "Restart the hub with the newer one: end `nod serve` and start it again.", PL: "Uruchom hub ponownie w nowszej wersji: zakończ `nod serve` i włącz od nowa.", JA: "新しい方でハブを再起動してください(`nod serve` を終了して、もう一度起動)。"}
)

// Who is who.
var (
	YouAreKnown    = Message{EN: "%[1]s; may: %[2]s", PL: "%[1]s; może: %[2]s", JA: "%[1]s。権限: %[2]s"}
	YouAreAgent    = Message{EN: "the hub takes you for an agent (%s)", PL: "hub uważa Cię za agenta (%s)", JA: "ハブはあなたをエージェントと見なしています (%s)"}
	YouAreMarked   = Message{EN: "the hub takes you for an agent: process %[1]d (%[2]s) carries its mark %[3]s", PL: "hub uważa Cię za agenta: proces %[1]d (%[2]s) nosi jego znak %[3]s", JA: "ハブはあなたをエージェントと見なしています: プロセス %[1]d (%[2]s) に印 %[3]s があります"}
	YouAreAgentFix = Message{EN: "If you are a person: open a terminal that no agent started. A tmux server or an editor that was started inside an agent passes its mark on; end it and start it from your own shell. Or answer from a paired device: `nod pair`.", PL: "Jeśli jesteś człowiekiem: otwórz terminal, którego nie uruchomił agent. Serwer tmux lub edytor uruchomiony w agencie przekazuje jego znak; zakończ go i uruchom z własnej powłoki. Albo odpowiadaj ze sparowanego urządzenia: `nod pair`.", JA: "人であれば、エージェントが起動していない端末を開いてください。エージェント内で起動した tmux サーバーやエディタは印を引き継ぐので、終了して自分のシェルから起動し直してください。または `nod pair` でつないだ端末から回答できます。"}

	ProcessesSeen      = Message{EN: "people and agents can be told apart", PL: "ludzi i agenty można odróżnić", JA: "人とエージェントを区別できます"}
	ProcessesUnknown   = Message{EN: "this system cannot tell people from agents, so nobody may answer on this machine", PL: "ten system nie odróżnia ludzi od agentów, więc przy tym komputerze nikt nie może odpowiadać", JA: "このシステムでは人とエージェントを区別できないため、このマシンでは回答できません"}
	ProcessesHidden    = Message{EN: "/proc is mounted with %s, so the hub cannot see where you come from and takes everybody for an agent", PL: "/proc zamontowano z %s, więc hub nie widzi, skąd jesteś, i każdego uważa za agenta", JA: "/proc が %s でマウントされているため、ハブは起動元を確認できず、全員をエージェントと見なします"}
	ProcessesHiddenFix = Message{EN: "`sudo mount -o remount,hidepid=0 /proc`, or put yourself into the group of its gid= option. Or answer from a paired device: `nod pair`.", PL: "`sudo mount -o remount,hidepid=0 /proc` albo dołącz do grupy z opcji gid=. Albo odpowiadaj ze sparowanego urządzenia: `nod pair`.", JA: "`sudo mount -o remount,hidepid=0 /proc` を実行するか、gid= オプションのグループに入ってください。または `nod pair` でつないだ端末から回答できます。"}
	ProcessesUnseen    = Message{EN: "the processes above this one cannot be seen (%v), so the hub takes everybody for an agent", PL: "procesów nad tym nie widać (%v), więc hub każdego uważa za agenta", JA: "上位のプロセスが見えないため (%v)、ハブは全員をエージェントと見なします"}
	UseDevices         = Message{EN: "Answer from a paired device: `nod pair`.", PL: "Odpowiadaj ze sparowanego urządzenia: `nod pair`.", JA: "`nod pair` でつないだ端末から回答してください。"}

	ClockYear = Message{EN: "this machine believes it is %s", PL: "ten komputer sądzi, że jest %s", JA: "このマシンの日付は %s になっています"}
	ClockOff  = Message{EN: "this machine and the hub differ by %s, so ages and countdowns are wrong", PL: "ten komputer i hub różnią się o %s, więc czasy i odliczanie są błędne", JA: "このマシンとハブの時刻が %s ずれているため、経過時間や残り時間が正しくありません"}
	ClockFix  = Message{EN: "Let the system set its clock: `timedatectl set-ntp true`, or the date settings of your system.", PL: "Niech system ustawi zegar: `timedatectl set-ntp true` albo ustawienia daty w systemie.", JA: "時刻を自動で合わせてください: `timedatectl set-ntp true`、またはシステムの日付設定。"}
)

// Claude Code.
var (
	ClaudeFound      = Message{EN: "%[1]s (%[2]s)", PL: "%[1]s (%[2]s)", JA: "%[1]s (%[2]s)"}
	ClaudeMissing    = Message{EN: "no `claude` in PATH", PL: "brak `claude` w PATH", JA: "PATH に `claude` がありません"}
	ClaudeMissingFix = Message{EN: "Install it from https://claude.com/claude-code, or add its folder to PATH. A machine that only runs the hub does not need it.", PL: "Zainstaluj z https://claude.com/claude-code albo dodaj jego folder do PATH. Komputer, który ma tylko hub, go nie potrzebuje.", JA: "https://claude.com/claude-code から入れるか、そのフォルダを PATH に加えてください。ハブだけのマシンには不要です。"}
	ClaudeSilent     = Message{EN: "%s does not tell its version", PL: "%s nie podaje wersji", JA: "%s がバージョンを返しません"}
	ClaudeSilentFix  = Message{EN: "Try `claude --version` yourself; if it fails, install Claude Code again.", PL: "Spróbuj `claude --version`; jeśli się nie uda, zainstaluj Claude Code ponownie.", JA: "`claude --version` を試し、失敗するなら Claude Code を入れ直してください。"}
	ClaudeOld        = Message{EN: "%[1]s is older than %[2]s: approvals work, but questions and plans can only be answered in the terminal", PL: "%[1]s jest starsza niż %[2]s: zgody działają, ale na pytania i plany można odpowiadać tylko w terminalu", JA: "%[1]s は %[2]s より古く、許可はできますが、質問と計画には端末でしか答えられません"}
	ClaudeTooOld     = Message{EN: "%[1]s is older than %[2]s: its hooks are not reliable", PL: "%[1]s jest starsza niż %[2]s: jej hooki są zawodne", JA: "%[1]s は %[2]s より古く、フックが確実に動きません"}
	ClaudeUpdate     = Message{EN: "Update it: `claude update`", PL: "Zaktualizuj: `claude update`", JA: "更新してください: `claude update`"}

	SettingsNone    = Message{EN: "there are none yet", PL: "jeszcze ich nie ma", JA: "まだありません"}
	SettingsLenient = Message{EN: "Claude Code ignores the whole file because of a comment or a trailing comma: %s", PL: "Claude Code pomija cały plik przez komentarz lub zbędny przecinek: %s", JA: "コメントまたは余分なカンマのため、Claude Code はファイル全体を無視します: %s"}
	SettingsBroken  = Message{EN: "Claude Code ignores the whole file: %[1]s (%[2]s)", PL: "Claude Code pomija cały plik: %[1]s (%[2]s)", JA: "Claude Code はファイル全体を無視します: %[1]s (%[2]s)"}
	SettingsFix     = Message{EN: "Repair it there, or move it away.", PL: "Napraw w tym miejscu albo przenieś plik.", JA: "その箇所を直すか、ファイルを移動してください。"}
	HomeFix         = Message{EN: "Set HOME to your home folder.", PL: "Ustaw HOME na swój folder domowy.", JA: "HOME にホームフォルダを設定してください。"}

	HooksFound       = Message{EN: "%[1]d of %[2]d events, in %[3]s", PL: "zdarzenia: %[1]d z %[2]d, w %[3]s", JA: "%[2]d 種類中 %[1]d 種類のイベント、%[3]s"}
	HooksLacking     = Message{EN: "(missing: %s)", PL: "(brakuje: %s)", JA: "(不足: %s)"}
	HooksMissing     = Message{EN: "Claude Code does not know nod yet", PL: "Claude Code nie zna jeszcze nod", JA: "Claude Code はまだ nod を知りません"}
	HooksFix         = Message{EN: "Run `%s`.", PL: "Uruchom `%s`.", JA: "`%s` を実行してください。"}
	HooksInPlugin    = Message{EN: "only in the plugin %s", PL: "tylko we wtyczce %s", JA: "プラグイン %s のみにあります"}
	HooksInPluginFix = Message{EN: "They run only in sessions started with `claude --plugin-dir %s`. For all sessions: `nod setup claude`.", PL: "Działają tylko w sesjach uruchomionych przez `claude --plugin-dir %s`. Dla wszystkich: `nod setup claude`.", JA: "`claude --plugin-dir %s` で始めたセッションだけで動きます。すべてで使うなら `nod setup claude`。"}

	ProgramCannotStart = Message{EN: "cannot start: %[1]s (%[2]s)", PL: "nie może się uruchomić: %[1]s (%[2]s)", JA: "起動できません: %[1]s (%[2]s)"}
	ProgramFails       = Message{EN: "%[1]s fails: %[2]v", PL: "%[1]s zawodzi: %[2]v", JA: "%[1]s が失敗します: %[2]v"}
	ProgramTalks       = Message{EN: "%s does not say that it is nod's hook program: is it nod at all?", PL: "%s nie przedstawia się jako program hooków nod: czy to w ogóle nod?", JA: "%s は nod のフックプログラムだと名乗りません。本当に nod ですか?"}
	HookStale          = Message{EN: "%[1]s is of release %[2]s, this nod is %[3]s", PL: "%[1]s jest z wydania %[2]s, a ten nod to %[3]s", JA: "%[1]s はリリース %[2]s で、この nod は %[3]s です"}
	HookEarlier        = Message{EN: "%s is of an earlier release, without nod-hook", PL: "%s jest z wcześniejszego wydania, bez nod-hook", JA: "%s は nod-hook のない以前のリリースです"}
	HookInsideNod      = Message{EN: "%s works; the nod-hook beside it starts in half the time", PL: "%s działa; nod-hook obok niego uruchamia się dwa razy szybciej", JA: "%s は動きます。隣の nod-hook なら半分の時間で起動します"}

	DoubledNot = Message{EN: "every event is told once", PL: "każde zdarzenie zgłaszane jest raz", JA: "どのイベントも一度だけ届きます"}
	Doubled    = Message{EN: "told twice: %[1]s (%[2]s)", PL: "zgłaszane dwa razy: %[1]s (%[2]s)", JA: "二重に届きます: %[1]s (%[2]s)"}
	DoubledFix = Message{EN: "Keep one place: `nod setup claude --settings %s --remove` takes the hooks out of that file.", PL: "Zostaw jedno miejsce: `nod setup claude --settings %s --remove` usunie hooki z tego pliku.", JA: "一か所だけにしてください。`nod setup claude --settings %s --remove` でそのファイルから外せます。"}

	SilencedNot        = Message{EN: "nothing switches hooks off", PL: "nic nie wyłącza hooków", JA: "フックを無効にする設定はありません"}
	SilencedBy         = Message{EN: "switched off by %[1]s in %[2]s, line %[3]d", PL: "wyłącza je %[1]s w %[2]s, wiersz %[3]d", JA: "%[2]s の %[3]d 行目の %[1]s で無効です"}
	SilencedFix        = Message{EN: "Take that line out.", PL: "Usuń ten wiersz.", JA: "その行を取り除いてください。"}
	SilencedManagedFix = Message{EN: "This is a rule of whoever manages this machine: only they can allow hooks.", PL: "To reguła zarządcy tego komputera: tylko on może dopuścić hooki.", JA: "このマシンの管理者による設定です。許可できるのは管理者だけです。"}
	SilencedPluginFix  = Message{EN: "Only hooks of plugins may run here: `nod setup claude --plugin`, if your policy allows it.", PL: "Działają tu tylko hooki wtyczek: `nod setup claude --plugin`, jeśli zasady na to pozwalają.", JA: "ここではプラグインのフックだけが動きます。規則が許すなら `nod setup claude --plugin` を使ってください。"}

	TrustGiven   = Message{EN: "%s is trusted", PL: "%s jest zaufany", JA: "%s は信頼されています"}
	TrustMissing = Message{EN: "%s is not trusted yet, so no hook runs here", PL: "%s nie jest jeszcze zaufany, więc hooki tu nie działają", JA: "%s はまだ信頼されておらず、ここではフックが動きません"}
	TrustFix     = Message{EN: "Start `claude` here once and accept its question.", PL: "Uruchom tu raz `claude` i potwierdź pytanie.", JA: "ここで一度 `claude` を起動し、確認に同意してください。"}
)
