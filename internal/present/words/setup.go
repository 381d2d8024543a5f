package words

// What `nod setup`, `nod config` and their flags say about themselves.
var (
	TopicSetup = Topic{
		Short: Message{EN: "Connect a coding agent to nod", PL: "Połącz agenta z nod", JA: "コーディングエージェントを nod につなぐ"},
		Examples: []Example{
			{"nod setup claude", Message{EN: "Claude Code, in all your projects", PL: "Claude Code, we wszystkich projektach", JA: "Claude Code をすべてのプロジェクトで"}},
		},
	}
	TopicSetupClaude = Topic{
		Short: Message{EN: "Add nod's hooks to Claude Code, or take them out", PL: "Dodaj hooki nod do Claude Code albo je usuń", JA: "Claude Code に nod のフックを加える、または外す"},
		Examples: []Example{
			{"nod setup claude", Message{EN: "in all your projects", PL: "we wszystkich projektach", JA: "すべてのプロジェクトで"}},
			{"nod setup claude --dry-run", Message{EN: "only show what would change", PL: "tylko pokaż, co się zmieni", JA: "変更内容を見るだけ"}},
			{"nod setup claude --scope local", Message{EN: "only here, only for you", PL: "tylko tutaj, tylko dla Ciebie", JA: "このフォルダで自分だけ"}},
			{"nod setup claude --plugin", Message{EN: "as a plugin; no settings file is touched", PL: "jako wtyczka; żaden plik ustawień nie jest zmieniany", JA: "プラグインとして(設定ファイルは変えない)"}},
			{"nod setup claude --remove", Message{EN: "give the file back as it was", PL: "przywróć plik, jaki był", JA: "ファイルを元に戻す"}},
		},
	}
	TopicConfig = Topic{
		Short: Message{EN: "Show the configuration in effect and where it comes from", PL: "Pokaż obowiązującą konfigurację i skąd pochodzi", JA: "有効な設定とその出どころを表示"},
		Examples: []Example{
			{"nod config", Message{EN: "every value and its origin", PL: "każda wartość i jej źródło", JA: "すべての値と出どころ"}},
			{"NOD_LISTEN=:0 nod config", Message{EN: "see what a variable changes", PL: "zobacz, co zmienia zmienna", JA: "環境変数の効果を見る"}},
			{"nod config --json", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	FlagScope     = Message{EN: "which settings: user, project or local", PL: "które ustawienia: user, project lub local", JA: "対象の設定: user、project、local"}
	FlagSettings  = Message{EN: "this settings file instead", PL: "zamiast tego ten plik ustawień", JA: "代わりに使う設定ファイル"}
	FlagDryRun    = Message{EN: "only show, write nothing", PL: "tylko pokaż, niczego nie zapisuj", JA: "表示のみで、何も書き込まない"}
	FlagRemove    = Message{EN: "take nod's hooks out again", PL: "usuń hooki nod", JA: "nod のフックを外す"}
	FlagPlugin    = Message{EN: "write a plugin folder instead of editing settings", PL: "zapisz folder wtyczki zamiast zmieniać ustawienia", JA: "設定を変えずにプラグインのフォルダを作る"}
	ConfigDefault = Message{EN: "default", PL: "domyślnie", JA: "既定値"}
)

// What `nod setup claude` did, and what comes next.
var (
	SetupWrote = Message{
		EN: "Wrote %[1]s: nod now hears %[2]d events.",
		PL: "Zapisano %[1]s: nod słyszy teraz zdarzenia (%[2]d).",
		JA: "%[1]s に書き込みました。nod は %[2]d 種類のイベントを受け取ります。",
	}
	SetupAlready = Message{
		EN: "Nothing to do: %[1]s has nod's hooks for all %[2]d events.",
		PL: "Nic do zrobienia: %[1]s ma już hooki nod dla wszystkich zdarzeń (%[2]d).",
		JA: "することはありません: %[1]s には %[2]d 種類すべてのイベントのフックがあります。",
	}
	DryRun = Message{
		EN: "Dry run: nothing was written. The change above is for %s.",
		PL: "Próba: niczego nie zapisano. Powyższa zmiana dotyczy %s.",
		JA: "お試しのため、何も書き込んでいません。上の変更の対象は %s です。",
	}
	BackupAt   = Message{EN: "Backup: %s", PL: "Kopia zapasowa: %s", JA: "バックアップ: %s"}
	BehindLink = Message{EN: "It is a link; changed was %s", PL: "To dowiązanie; zmieniono %s", JA: "リンク先の %s を変更しました"}
	NextServe  = Message{
		EN: "Running sessions pick it up by themselves. Start `nod serve`, then use claude as always.",
		PL: "Działające sesje przejmą to same. Uruchom `nod serve`, potem używaj claude jak zawsze.",
		JA: "実行中のセッションにも自動で反映されます。`nod serve` を起動し、あとはいつもどおり claude を使ってください。",
	}
	NextMCP = Message{EN: "To let agents ask you by themselves: `claude mcp add --scope user nod -- nod mcp`.", PL: "Aby agenci mogli pytać sami: `claude mcp add --scope user nod -- nod mcp`.", JA: "エージェントから質問できるようにするには: `claude mcp add --scope user nod -- nod mcp`"}
	NextUse = Message{
		EN: "Running sessions pick it up by themselves. The hub is running: use claude as always.",
		PL: "Działające sesje przejmą to same. Hub działa: używaj claude jak zawsze.",
		JA: "実行中のセッションにも自動で反映されます。ハブは動いています。いつもどおり claude を使ってください。",
	}
	HubNotRunning = Message{
		EN: "The hub is not running.",
		PL: "Hub nie działa.",
		JA: "ハブが動いていません。",
	}
	HooksSilenced = Message{
		EN: "Hooks are switched off: %[1]s in %[2]s, line %[3]d. nod hears nothing until that changes.",
		PL: "Hooki są wyłączone: %[1]s w %[2]s, wiersz %[3]d. Do zmiany nod niczego nie usłyszy.",
		JA: "フックが無効です: %[2]s の %[3]d 行目の %[1]s。変わるまで nod には何も届きません。",
	}
	SharedWithTeam = Message{
		EN: "This file is shared with your team, but the path of the program is yours alone. `--scope local` keeps it to yourself.",
		PL: "Ten plik jest wspólny dla zespołu, a ścieżka programu tylko Twoja. `--scope local` zachowa to dla Ciebie.",
		JA: "このファイルはチームで共有されますが、プログラムのパスはあなたのものです。`--scope local` なら自分だけに限れます。",
	}
	CopiedProgram = Message{
		EN: "Copied %[1]s to %[2]s: hooks need a program called nod that stays where it is.",
		PL: "Skopiowano %[1]s do %[2]s: hooki potrzebują programu o nazwie nod, który zostanie na miejscu.",
		JA: "%[1]s を %[2]s にコピーしました。フックには、動かない場所にある nod という名前のプログラムが必要です。",
	}
	WouldCopy = Message{
		EN: "Would copy %[1]s to %[2]s: hooks need a program called nod that stays where it is.",
		PL: "Skopiowałby %[1]s do %[2]s: hooki potrzebują programu o nazwie nod, który zostanie na miejscu.",
		JA: "%[1]s を %[2]s にコピーする予定です。フックには、動かない場所にある nod という名前のプログラムが必要です。",
	}
	PlacedHook = Message{
		EN: "Put nod-hook at %s: Claude Code starts it at every step, so it must stay where it is.",
		PL: "Umieszczono nod-hook w %s: Claude Code uruchamia go przy każdym kroku, więc musi zostać na swoim miejscu.",
		JA: "nod-hook を %s に置きました。Claude Code が各ステップで起動するため、動かない場所が必要です。",
	}
	WouldPlaceHook = Message{
		EN: "Would put nod-hook at %s: Claude Code starts it at every step, so it must stay where it is.",
		PL: "nod-hook zostałby umieszczony w %s: Claude Code uruchamia go przy każdym kroku, więc musi zostać na swoim miejscu.",
		JA: "nod-hook を %s に置きます。Claude Code が各ステップで起動するため、動かない場所が必要です。",
	}
	NoHookProgram = Message{
		EN: "There is no nod-hook in %s, so Claude Code starts `nod hook`, which takes twice as long at every step. `go install ./cmd/...` and `make build` make both.",
		PL: "W %s nie ma nod-hook, więc Claude Code uruchamia `nod hook`, co przy każdym kroku trwa dwa razy dłużej. `go install ./cmd/...` i `make build` tworzą oba.",
		JA: "%s に nod-hook がないため、Claude Code は `nod hook` を起動します。各ステップに 2 倍の時間がかかります。`go install ./cmd/...` や `make build` で両方が作られます。",
	}
	CopyFailed = Message{
		EN: "nod could not be copied to %[1]s: %[2]s. Nothing else was changed. Put nod into a folder that stays and run it from there.",
		PL: "Nie udało się skopiować nod do %[1]s: %[2]s. Nic innego nie zmieniono. Umieść nod w trwałym folderze i uruchom stamtąd.",
		JA: "nod を %[1]s にコピーできませんでした: %[2]s。ほかは何も変えていません。nod を消えない場所に置き、そこから実行してください。",
	}
	SettingsIgnored = Message{
		EN: "Nothing was written. %[1]s has a comment or a trailing comma in line %[2]d, column %[3]d, and Claude Code ignores the whole file because of it: no hook in it would ever run. Take out all comments and trailing commas, then try again.",
		PL: "Niczego nie zapisano. %[1]s ma komentarz lub zbędny przecinek w wierszu %[2]d, kolumnie %[3]d, i przez to Claude Code pomija cały plik: żaden hook by nie zadziałał. Usuń komentarze i zbędne przecinki, potem spróbuj ponownie.",
		JA: "何も書き込んでいません。%[1]s の %[2]d 行 %[3]d 列にコメントまたは余分なカンマがあるため、Claude Code はこのファイル全体を無視します。フックは動きません。コメントと末尾のカンマをすべて取り除いてから、もう一度試してください。",
	}
	NothingWritten = Message{
		EN: "Nothing was written. %s",
		PL: "Niczego nie zapisano. %s",
		JA: "何も書き込んでいません。%s",
	}
	NoSuchScope = Message{
		EN: "--scope %q is none of user, project, local.",
		PL: "--scope %q to ani user, ani project, ani local.",
		JA: "--scope %q は user、project、local のどれでもありません。",
	}
)

// Taking the hooks out.
var (
	NothingToRemove = Message{
		EN: "Nothing to do: %s has no hooks of nod.",
		PL: "Nic do zrobienia: w %s nie ma hooków nod.",
		JA: "することはありません: %s に nod のフックはありません。",
	}
	HooksRemoved = Message{
		EN: "Took nod's hooks out of %s. Your own changes stayed.",
		PL: "Usunięto hooki nod z %s. Twoje zmiany zostały.",
		JA: "%s から nod のフックを外しました。あなたの変更はそのままです。",
	}
	SettingsRestored = Message{
		EN: "%s is byte for byte what it was before nod.",
		PL: "%s jest co do bajtu taki jak przed nod.",
		JA: "%s は nod を入れる前と 1 バイトも違わない状態に戻りました。",
	}
	SettingsDeleted = Message{
		EN: "%s is gone again: nod had created it, and nothing else was in it.",
		PL: "%s zniknął: utworzył go nod i nic innego w nim nie było.",
		JA: "%s を削除しました。nod が作ったもので、ほかには何も入っていませんでした。",
	}
	RemovedNext = Message{
		EN: "Running sessions notice by themselves. nod's data is still there.",
		PL: "Działające sesje zauważą to same. Dane nod pozostały.",
		JA: "実行中のセッションにも自動で反映されます。nod のデータは残っています。",
	}
)

// The plugin.
var (
	PluginWrote = Message{
		EN: "Wrote the plugin %s. No settings file was touched.",
		PL: "Zapisano wtyczkę %s. Żadnego pliku ustawień nie zmieniono.",
		JA: "プラグイン %s を作りました。設定ファイルは変えていません。",
	}
	PluginAlready = Message{
		EN: "Nothing to do: the plugin %s is up to date.",
		PL: "Nic do zrobienia: wtyczka %s jest aktualna.",
		JA: "することはありません: プラグイン %s は最新です。",
	}
	PluginUse = Message{
		EN: "Start Claude Code with it:",
		PL: "Uruchamiaj z nią Claude Code:",
		JA: "次のように Claude Code を起動してください:",
	}
	PluginPlan = Message{
		EN: "Dry run: nothing was written. The plugin would be in %s.",
		PL: "Próba: niczego nie zapisano. Wtyczka byłaby w %s.",
		JA: "お試しのため、何も書き込んでいません。プラグインの場所は %s になります。",
	}
	PluginRemovePlan = Message{
		EN: "Dry run: nothing was deleted. The plugin %s would go.",
		PL: "Próba: niczego nie usunięto. Wtyczka %s zostałaby usunięta.",
		JA: "お試しのため、何も削除していません。プラグイン %s が対象です。",
	}
	PluginNone = Message{
		EN: "Nothing to do: there is no plugin in %s.",
		PL: "Nic do zrobienia: w %s nie ma wtyczki.",
		JA: "することはありません: %s にプラグインはありません。",
	}
	PluginRemoved = Message{
		EN: "Deleted the plugin %s. Start claude without --plugin-dir from now on.",
		PL: "Usunięto wtyczkę %s. Odtąd uruchamiaj claude bez --plugin-dir.",
		JA: "プラグイン %s を削除しました。今後は --plugin-dir なしで claude を起動してください。",
	}
	PluginKept = Message{
		EN: "nod's files are gone from %s, but other files are in there, so the folder stays.",
		PL: "Pliki nod usunięto z %s, ale są tam inne pliki, więc folder zostaje.",
		JA: "%s から nod のファイルを削除しましたが、ほかのファイルがあるためフォルダは残しました。",
	}
	PluginDoubled = Message{
		EN: "%s has nod's hooks too, so everything would be told twice. `nod setup claude --remove` takes those out.",
		PL: "%s też ma hooki nod, więc wszystko byłoby zgłaszane dwa razy. `nod setup claude --remove` je usunie.",
		JA: "%s にも nod のフックがあり、すべてが二重に届きます。`nod setup claude --remove` で外せます。",
	}
	PluginAlone = Message{
		EN: "--plugin writes no settings file, so --scope and --settings have no place beside it.",
		PL: "--plugin nie zapisuje pliku ustawień, więc --scope i --settings tu nie pasują.",
		JA: "--plugin は設定ファイルを書かないため、--scope や --settings とは一緒に使えません。",
	}
)

// DiffFolded stands for the middle of a long run of lines.
var DiffFolded = Plural{
	EN: [2]string{"⋮ %d more line like these", "⋮ %d more lines like these (`nod setup claude --dry-run | less` shows all)"},
	PL: [3]string{"⋮ jeszcze %d taki wiersz", "⋮ jeszcze %d takie wiersze (`nod setup claude --dry-run | less` pokaże wszystkie)", "⋮ jeszcze %d takich wierszy (`nod setup claude --dry-run | less` pokaże wszystkie)"},
	JA: "⋮ 同様の行があと %d 行(`nod setup claude --dry-run | less` で全部表示)",
}
