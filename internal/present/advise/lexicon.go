package advise

// The words for interpreting a message, in lower case, in the languages that nod speaks. Inflected words are listed
// by their stem. A word with a trailing blank stands alone.
var (
	// fillers are words of a question that are no question: "何か" is "something".
	fillers = []string{"何か", "どこか", "いつか", "誰か", "どうか", "どれか"}

	// closings ask for nothing in particular.
	closings = []string{"anything else", "something else you", "coś jeszcze", "jeszcze coś", "w czymś jeszcze", "他に", "ほかに"}

	// offers are questions without a question mark.
	offers = []string{
		"let me know if you", "let me know whether", "if you want me to", "if you'd like", "if you would like", "say the word", "tell me if you want",
		"daj znać, czy", "daj znać, jeśli", "daj znać, jeżeli", "jeśli chcesz", "jeżeli chcesz",
		"よければ", "よろしければ", "必要であれば", "ご希望であれば", "ご希望でしたら",
	}

	// wants begin questions whose answer is yes or no.
	wants = []string{
		"should i", "shall i", "shall we", "should we", "do you", "does ", "did ", "would you", "want me", "may i", "can i", "could i", "is ", "are ", "am i",
		"was ", "were ", "has ", "have ", "will ", "ok to", "okay to", "ready to", "sound", "can you confirm", "could you confirm", "can we",
		"czy ", "mam ", "chcesz", "możemy", "mogę", "zgadzasz", "zgoda",
	}

	// asks are in questions that want more than yes or no.
	asks = []string{
		"what ", "what's", "which ", "how ", "where ", "when ", "who ", "why ", "whose ",
		"co ", "jak ", "jaki", "któr", "gdzie ", "kiedy ", "kto ", "kogo ", "dlaczego ", "czego ", "ile ", "czym ",
		"どの", "どれ", "どちら", "どっち", "どこ", "どうし", "どうす", "どんな", "いつ", "誰", "なぜ", "何", "いくつ",
	}

	// picks are in questions about one of several things.
	picks = []string{
		"which ", "prefer", "choose", "pick ", "option", "któr", "wol", "wybra", "wybier", "opcj", "どれ", "どちら", "どの", "どっち", "選",
	}

	either  = []string{" or ", " albo ", " lub ", " czy ", "それとも", "または", "あるいは"}
	neither = []string{" or not", " or so", " or anything", " or something", " czy nie"}

	grave = []string{
		"delet", "drop ", "force push", "force-push", "--force", "rm -r", "reset --hard", "production", " prod ", "wipe", "overwrite", "destroy", "irrevers", "erase", "purge", "deploy",
		"usun", "usuń", "skasow", "nadpis", "produkcj", "wymaza", "wyczyści", "wdroż", "nieodwracal",
		"削除", "消去", "消し", "本番", "上書き", "強制", "破棄", "デプロイ",
	}

	failures = []string{
		"error", "failed", "fails", "failing", "failure", "exception", "panic", "traceback", "crash", "could not", "couldn't", "doesn't work", "does not work", "broken",
		"błąd", "błęd", "nie powiod", "nie udał", "nie uda", "awari", "wyjątek", "nie działa",
		"エラー", "失敗", "例外", "クラッシュ", "動きません", "できませんでした",
	}
	// mended are words that turn a failure into none, or a past one.
	mended = []string{
		"no errors", "no error", "without error", "without any error", "0 errors", "0 failed", "0 failures", "no failures", "none failed", "error handling", "error message", "error case",
		"bez błęd", "brak błęd", "0 błęd", "obsług błęd", "obsługę błęd", "obsługa błęd", "komunikat",
		"エラーなし", "エラーはありません", "エラーはなく", "エラーなく", "エラー処理", "エラーメッセージ", "失敗なし",
	}
	fixed = []string{"fixed", "resolved", "no longer", "naprawi", "rozwiąza", "poprawi", "修正しました", "直しました", "解決しました"}

	tests  = []string{"test", "テスト", "spec "}
	passed = []string{"pass", "green", "succeed", "przechodz", "przeszł", "zielon", "zaliczon", "通り", "通っ", "成功", "パス", "合格"}

	pushed    = []string{"pushed", "wypchnięt", "wypchną", "プッシュしました", "プッシュ済"}
	committed = []string{"committed", "created a commit", "created commit", "zacommitow", "zatwierdziłem zmiany", "utworzyłem commit", "コミットしました", "コミット済"}
	gits      = []string{
		"commit", "git ", "branch", "merge", "rebase", "pull request", "staged", "diff", "gałą", "gałęz", "scali", "コミット", "ブランチ", "マージ", "プルリクエスト", "差分",
	}
	steps = []string{
		"next step", "next, i", "next i", "step ", "phase ", "remaining", "to do", "todo", "following steps", "then i'll", "then i will",
		"krok", "następnie", "pozostał", "kolejn", "etap", "ステップ", "次に", "次は", "残り", "手順", "段階",
	}
	changes = []string{
		"implement", "refactor", "added", "updated", "changed", "wrote", "created", "rewrote", "renamed", "replaced", "fixed", "here is the", "here's the",
		"zaimplement", "dodał", "dodan", "zmienił", "zmieniono", "utworzy", "napisa", "przepisa", "poprawi", "naprawi", "zaktualizow",
		"実装", "追加", "変更", "作成", "修正", "書き換え", "更新", "直しました",
	}
)
