package words

// What the options of common commands are called when a command is read out.
var (
	SpokenAll         = Message{EN: "all", PL: "wszystko", JA: "すべて"}
	SpokenArchive     = Message{EN: "archive", PL: "archiwum", JA: "アーカイブ"}
	SpokenBackground  = Message{EN: "in the background", PL: "w tle", JA: "バックグラウンドで"}
	SpokenBranch      = Message{EN: "new branch", PL: "nowa gałąź", JA: "新しいブランチ"}
	SpokenCode        = Message{EN: "code", PL: "kod", JA: "コード"}
	SpokenCompressed  = Message{EN: "compressed", PL: "skompresowane", JA: "圧縮"}
	SpokenConfirmed   = Message{EN: "without asking", PL: "bez pytania", JA: "確認なし"}
	SpokenCount       = Message{EN: "count", PL: "liczba", JA: "数"}
	SpokenCreate      = Message{EN: "create", PL: "utwórz", JA: "作成"}
	SpokenData        = Message{EN: "with data", PL: "z danymi", JA: "データ"}
	SpokenDelete      = Message{EN: "delete", PL: "usuń", JA: "削除"}
	SpokenDevelopment = Message{EN: "for development", PL: "do programowania", JA: "開発用"}
	SpokenDirectory   = Message{EN: "in folder", PL: "w folderze", JA: "フォルダー"}
	SpokenEnvironment = Message{EN: "environment", PL: "środowisko", JA: "環境変数"}
	SpokenExpression  = Message{EN: "expression", PL: "wyrażenie", JA: "式"}
	SpokenExtract     = Message{EN: "extract", PL: "rozpakuj", JA: "展開"}
	SpokenFile        = Message{EN: "file", PL: "plik", JA: "ファイル"}
	SpokenFiles       = Message{EN: "file names", PL: "nazwy plików", JA: "ファイル名"}
	SpokenFolders     = Message{EN: "folders too", PL: "także foldery", JA: "フォルダーも"}
	SpokenFollow      = Message{EN: "follow", PL: "na bieżąco", JA: "追跡"}
	SpokenForce       = Message{EN: "force", PL: "wymuś", JA: "強制"}
	SpokenGlobal      = Message{EN: "global", PL: "globalnie", JA: "グローバル"}
	SpokenHeader      = Message{EN: "header", PL: "nagłówek", JA: "ヘッダー"}
	SpokenIgnored     = Message{EN: "ignored files too", PL: "także pliki ignorowane", JA: "無視ファイルも"}
	SpokenInPlace     = Message{EN: "in place", PL: "w miejscu", JA: "上書き"}
	SpokenInteractive = Message{EN: "interactive", PL: "interaktywnie", JA: "対話式"}
	SpokenInverted    = Message{EN: "inverted", PL: "odwrotnie", JA: "除外"}
	SpokenJobs        = Message{EN: "jobs", PL: "zadania", JA: "並列数"}
	SpokenLabel       = Message{EN: "label", PL: "etykieta", JA: "ラベル"}
	SpokenLines       = Message{EN: "lines", PL: "linie", JA: "行数"}
	SpokenLong        = Message{EN: "long", PL: "długa lista", JA: "詳細表示"}
	SpokenMessage     = Message{EN: "message", PL: "wiadomość", JA: "メッセージ"}
	SpokenMethod      = Message{EN: "method", PL: "metoda", JA: "メソッド"}
	SpokenModule      = Message{EN: "module", PL: "moduł", JA: "モジュール"}
	SpokenName        = Message{EN: "name", PL: "nazwa", JA: "名前"}
	SpokenNamespace   = Message{EN: "namespace", PL: "przestrzeń nazw", JA: "名前空間"}
	SpokenNoCase      = Message{EN: "any case", PL: "bez względu na wielkość liter", JA: "大文字小文字を区別しない"}
	SpokenNumbers     = Message{EN: "with line numbers", PL: "z numerami linii", JA: "行番号付き"}
	SpokenOutput      = Message{EN: "output", PL: "wynik", JA: "出力"}
	SpokenParents     = Message{EN: "with parent folders", PL: "z folderami nadrzędnymi", JA: "親フォルダーごと"}
	SpokenPort        = Message{EN: "port", PL: "port", JA: "ポート"}
	SpokenProject     = Message{EN: "project", PL: "projekt", JA: "プロジェクト"}
	SpokenQuiet       = Message{EN: "quiet", PL: "cicho", JA: "出力なし"}
	SpokenRecursive   = Message{EN: "recursive", PL: "rekurencyjnie", JA: "再帰"}
	SpokenRedirects   = Message{EN: "follow redirects", PL: "z przekierowaniami", JA: "リダイレクトを追う"}
	SpokenRemoved     = Message{EN: "removed afterwards", PL: "potem usuń", JA: "終了後に削除"}
	SpokenSignal      = Message{EN: "signal", PL: "sygnał", JA: "シグナル"}
	SpokenSymbolic    = Message{EN: "symbolic", PL: "symboliczny", JA: "シンボリック"}
	SpokenTag         = Message{EN: "tag", PL: "znacznik", JA: "タグ"}
	SpokenUpstream    = Message{EN: "set upstream", PL: "ustaw śledzenie", JA: "追跡先に設定"}
	SpokenUser        = Message{EN: "user", PL: "użytkownik", JA: "ユーザー"}
	SpokenVerbose     = Message{EN: "verbose", PL: "szczegółowo", JA: "詳しく"}
	SpokenVolume      = Message{EN: "volume", PL: "wolumen", JA: "ボリューム"}

	// SpokenUnknown counts options that have no name here.
	SpokenUnknown = Plural{
		EN: [2]string{"%d option", "%d options"},
		PL: [3]string{"%d opcja", "%d opcje", "%d opcji"},
		JA: "オプション %d 個",
	}
)

// Places in a command that are signs rather than names.
var (
	PlaceHere     = Message{EN: "this folder", PL: "ten folder", JA: "このフォルダー"}
	PlaceAbove    = Message{EN: "the folder above", PL: "folder wyżej", JA: "一つ上のフォルダー"}
	PlaceRoot     = Message{EN: "the whole disk", PL: "cały dysk", JA: "ディスク全体"}
	PlaceHome     = Message{EN: "your home folder", PL: "Twój folder domowy", JA: "ホームフォルダー"}
	PlaceAllFiles = Message{EN: "all files", PL: "wszystkie pliki", JA: "すべてのファイル"}
	PlaceAllOf    = Message{EN: "all %s files", PL: "wszystkie pliki %s", JA: "すべての %s ファイル"}
	PlaceAllIn    = Message{EN: "all files in %s", PL: "wszystkie pliki w %s", JA: "%s のすべてのファイル"}
)
