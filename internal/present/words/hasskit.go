package words

// Files for Home Assistant.
var (
	// Words that end what an agent does, and the first five numbers: | stands between them.
	HasskitStop    = Message{EN: "stop|stop it|stop claude", PL: "stop|zatrzymaj|zatrzymaj to|zatrzymaj claude", JA: "ストップ|止めて|止めてください"}
	HasskitNumbers = Message{EN: "one|two|three|four|five", PL: "jeden|dwa|trzy|cztery|pięć", JA: "一|二|三|四|五"}

	HasskitEntity = Message{
		EN: "%[1]s %[2]q is not the name of an entity; it looks like %[3]s.kitchen. Home Assistant shows it under Settings, Devices, Entities.",
		PL: "%[1]s %[2]q nie jest nazwą encji; wygląda ona tak: %[3]s.kuchnia. Home Assistant pokazuje ją w Ustawieniach, Urządzenia, Encje.",
		JA: "%[1]s %[2]q はエンティティ名ではありません。例: %[3]s.kitchen。Home Assistant の設定、デバイス、エンティティで確認できます。",
	}
	HasskitPrefix = Message{
		EN: "--prefix %q is no beginning of topics: letters, digits, _, - and / inside. The usual one is claude.",
		PL: "--prefix %q nie może być początkiem tematów: litery, cyfry, _, - oraz / w środku. Zwykle jest to claude.",
		JA: "--prefix %q はトピックの先頭に使えません。英数字、_、-、途中の / だけです。通常は claude です。",
	}
	HasskitOwner = Message{
		EN: "--owner %q: choose nod (nod runs the puck) or homeassistant (the package does).",
		PL: "--owner %q: wybierz nod (krążkiem steruje nod) albo homeassistant (steruje nim pakiet).",
		JA: "--owner %q: nod(nod が動かす)か homeassistant(パッケージが動かす)を選んでください。",
	}
	HasskitAgent = Message{
		EN: "--agent %q is no name of an agent's entities; for sensor.shop_on_desk_state it is shop_on_desk.",
		PL: "--agent %q nie jest nazwą encji agenta; dla sensor.shop_on_desk_state jest nią shop_on_desk.",
		JA: "--agent %q はエージェントのエンティティ名ではありません。sensor.shop_on_desk_state なら shop_on_desk です。",
	}
	HasskitLovelaceLanguage = Message{
		EN: "The cards are made for English and Polish names of entities: give --language en or pl, as the hub speaks.",
		PL: "Karty są dla angielskich i polskich nazw encji: podaj --language en albo pl, jak mówi hub.",
		JA: "カードは英語とポーランド語のエンティティ名用です。ハブの言語に合わせて --language en か pl を指定し、名前を書き換えてください。",
	}
	HasskitLanguage = Message{EN: "nod does not speak %q: choose en, pl or ja.", PL: "nod nie zna języka %q: wybierz en, pl albo ja.", JA: "nod は %q を話せません。en、pl、ja から選んでください。"}
	HasskitOnePlace = Message{EN: "--output and --dir are both given: choose one place.", PL: "Podano --output i --dir: wybierz jedno miejsce.", JA: "--output と --dir が両方あります。どちらかにしてください。"}
	HasskitGuessed  = Message{
		EN: "The names of the entities are a guess. Give --device with what they begin with, such as home_assistant_voice_09f5a3.",
		PL: "Nazwy encji są zgadnięte. Podaj w --device to, od czego się zaczynają, na przykład home_assistant_voice_09f5a3.",
		JA: "エンティティ名は推測です。共通の先頭部分を --device で指定してください。例: home_assistant_voice_09f5a3",
	}
	HasskitBeside = Message{
		EN: "The sentences need a second file that says what they do: --dir CONFIG writes all of them.",
		PL: "Zdania potrzebują drugiego pliku, który mówi, co robią: --dir KONFIGURACJA zapisze wszystkie.",
		JA: "文には、動作を書いた 2 つ目のファイルも必要です。--dir CONFIG ですべて書き出せます。",
	}
	HasskitPackageNext = Message{
		EN: "Wrote %s. Next: set `[voicepe] enabled = true, owner = \"homeassistant\"` in nod.toml, load packages in configuration.yaml (the file says how), and restart Home Assistant.",
		PL: "Zapisano %s. Dalej: ustaw `[voicepe] enabled = true, owner = \"homeassistant\"` w nod.toml, włącz pakiety w configuration.yaml (plik mówi jak) i uruchom ponownie Home Assistant.",
		JA: "%s を書き出しました。次は nod.toml に `[voicepe] enabled = true, owner = \"homeassistant\"` を設定し、configuration.yaml でパッケージを読み込み(方法はファイルの中)、Home Assistant を再起動してください。",
	}
	HasskitBlueprintNext = Message{
		EN: "Wrote %s. Next: in Home Assistant reload automations, then Settings, Automations, Create, \"nod: voice puck\".",
		PL: "Zapisano %s. Dalej: w Home Assistant wczytaj automatyzacje ponownie, potem Ustawienia, Automatyzacje, Utwórz, „nod: voice puck”.",
		JA: "%s を書き出しました。次は Home Assistant でオートメーションを再読み込みし、設定、オートメーション、作成、「nod: voice puck」を選んでください。",
	}
	HasskitSentencesNext = Message{
		EN: "Wrote %s and what belongs to it. Next: restart Home Assistant once; later the action conversation.reload is enough.",
		PL: "Zapisano %s i to, co do niego należy. Dalej: uruchom raz ponownie Home Assistant; później wystarczy akcja conversation.reload.",
		JA: "%s と関連ファイルを書き出しました。次は Home Assistant を一度再起動してください。以後は conversation.reload アクションで十分です。",
	}
	HasskitLovelaceNext = Message{
		EN: "Wrote %s. Next: Dashboard, Edit, Add card, Manual, and paste it.",
		PL: "Zapisano %s. Dalej: Pulpit, Edytuj, Dodaj kartę, Ręcznie i wklej.",
		JA: "%s を書き出しました。次はダッシュボード、編集、カードを追加、手動、で貼り付けてください。",
	}
)

// nod homeassistant.
var (
	TopicHomeAssistant = Topic{
		Short: Message{EN: "Write files for Home Assistant: a voice puck, sentences, cards", PL: "Zapisz pliki dla Home Assistant: krążek głosowy, zdania, karty", JA: "Home Assistant 用のファイルを作る: 音声パック、文、カード"},
		Examples: []Example{
			{"nod homeassistant blueprint --dir /config", Message{EN: "nod runs a Voice PE: one automation to click together", PL: "nod steruje Voice PE: jedna automatyzacja do wyklikania", JA: "nod が Voice PE を動かす。オートメーションを 1 つ選ぶだけ"}},
			{"nod homeassistant package --device 09f5a3 --dir /config", Message{EN: "Home Assistant runs it", PL: "steruje nim Home Assistant", JA: "Home Assistant が動かす"}},
		},
	}
	TopicHassPackage = Topic{
		Short: Message{EN: "Write a package with which Home Assistant runs a voice puck itself", PL: "Zapisz pakiet, którym Home Assistant sam steruje krążkiem głosowym", JA: "Home Assistant 自身が音声パックを動かすパッケージを作る"},
		Examples: []Example{
			{"nod homeassistant package --device 09f5a3", Message{EN: "show it, for the Voice PE with these six digits", PL: "pokaż go, dla Voice PE o tych sześciu znakach", JA: "この 6 桁の Voice PE 用に表示"}},
			{"nod homeassistant package --device kitchen --dial event.kitchen_dial --language pl --dir /config", Message{EN: "in Polish, with a dial that tells of itself", PL: "po polsku, z gałką, która się zgłasza", JA: "ポーランド語で、ダイヤルの通知つき"}},
		},
	}
	TopicHassBlueprint = Topic{
		Short: Message{EN: "Write a blueprint for a voice puck that nod runs", PL: "Zapisz szablon (blueprint) dla krążka, którym steruje nod", JA: "nod が動かす音声パック用のブループリントを作る"},
		Examples: []Example{
			{"nod homeassistant blueprint --dir /config", Message{EN: "into Home Assistant's folder", PL: "do folderu Home Assistant", JA: "Home Assistant のフォルダーへ"}},
		},
	}
	TopicHassSentences = Topic{
		Short: Message{EN: "Write custom sentences, and what they do", PL: "Zapisz własne zdania i to, co robią", JA: "カスタム文と、その動作を作る"},
		Examples: []Example{
			{"nod homeassistant sentences --dir /config", Message{EN: "English and Polish, for a puck that nod runs", PL: "po angielsku i polsku, dla krążka, którym steruje nod", JA: "英語とポーランド語、nod が動かすパック用"}},
			{"nod homeassistant sentences --language pl", Message{EN: "only show the Polish ones", PL: "tylko pokaż polskie", JA: "ポーランド語だけ表示"}},
		},
	}
	TopicHassLovelace = Topic{
		Short: Message{EN: "Write cards for a dashboard", PL: "Zapisz karty na pulpit", JA: "ダッシュボードのカードを作る"},
		Examples: []Example{
			{"nod homeassistant lovelace --agent shop_on_desk", Message{EN: "the hub, and the agent of sensor.shop_on_desk_state", PL: "hub oraz agent z sensor.shop_on_desk_state", JA: "ハブと、sensor.shop_on_desk_state のエージェント"}},
		},
	}
	FlagHassPrefix     = Message{EN: "what the topics begin with, as voicepe.prefix", PL: "początek tematów, jak voicepe.prefix", JA: "トピックの先頭(voicepe.prefix と同じ)"}
	FlagHassLanguage   = Message{EN: "what is spoken: en, pl or ja", PL: "język głosu: en, pl lub ja", JA: "話す言語: en、pl、ja"}
	FlagHassOutput     = Message{EN: "write it into this file", PL: "zapisz do tego pliku", JA: "このファイルに書く"}
	FlagHassDir        = Message{EN: "write everything below this folder, as Home Assistant wants it", PL: "zapisz wszystko w tym folderze, tak jak chce Home Assistant", JA: "このフォルダー以下に、Home Assistant の配置で書く"}
	FlagHassDevice     = Message{EN: "what the entities begin with, or the six digits of a Voice PE", PL: "początek nazw encji albo sześć znaków Voice PE", JA: "エンティティ名の先頭、または Voice PE の 6 桁"}
	FlagHassSatellite  = Message{EN: "the assist_satellite that speaks and listens", PL: "assist_satellite, który mówi i słucha", JA: "話して聞く assist_satellite"}
	FlagHassRing       = Message{EN: "the light of the ring", PL: "światło pierścienia", JA: "リングの light"}
	FlagHassRingAction = Message{EN: "esphome.…_nod_ring: every LED by itself (see nod device esphome voice-pe)", PL: "esphome.…_nod_ring: każda dioda osobno (zob. nod device esphome voice-pe)", JA: "esphome.…_nod_ring: LED を個別に点灯(nod device esphome voice-pe を参照)"}
	FlagHassPlayer     = Message{EN: "the media_player of the beep", PL: "media_player dla sygnału", JA: "ビープ音の media_player"}
	FlagHassButton     = Message{EN: "the event entity of the button", PL: "encja zdarzeń przycisku", JA: "ボタンの event エンティティ"}
	FlagHassDial       = Message{EN: "the event entity of the dial, if the firmware has one", PL: "encja zdarzeń gałki, jeśli oprogramowanie ją ma", JA: "ダイヤルの event エンティティ(あれば)"}
	FlagHassAliases    = Message{EN: "add input_select.claude_state, script.claude_transition and their like", PL: "dodaj input_select.claude_state, script.claude_transition i podobne", JA: "input_select.claude_state や script.claude_transition なども追加する"}
	FlagHassTTS        = Message{EN: "speak with this tts entity at the media player, and do not listen", PL: "mów tą encją tts przez media player i nie słuchaj", JA: "この tts でメディアプレーヤーから話し、聞き取りはしない"}
	FlagHassOwner      = Message{EN: "who runs the puck: nod, or homeassistant (its package)", PL: "kto steruje krążkiem: nod albo homeassistant (jego pakiet)", JA: "パックを動かすのは nod か homeassistant(パッケージ)"}
	FlagHassAgent      = Message{EN: "what an agent's entities begin with; may be given often", PL: "początek nazw encji agenta; można podać wiele razy", JA: "エージェントのエンティティ名の先頭(複数可)"}
)
