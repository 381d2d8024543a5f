package words

// What it takes to allow something dangerous, where the hub wants a passkey.
var (
	PasskeyNeeded = Message{
		EN: "Confirm with your passkey: open nod in a browser and allow it there, or answer in the agent's own dialog. To deny works here.",
		PL: "Potwierdź kluczem dostępu: otwórz nod w przeglądarce i pozwól tam albo odpowiedz w oknie agenta. Odrzucić można tutaj.",
		JA: "パスキーでの確認が必要です。ブラウザで nod を開いて許可するか、エージェント自身の画面で答えてください。拒否はここでもできます。",
	}
	PasskeyFirst = Message{
		EN: "Confirm with a passkey that is already registered, then do this again.",
		PL: "Potwierdź zarejestrowanym już kluczem dostępu i powtórz.",
		JA: "登録済みのパスキーで確認してから、もう一度行ってください。",
	}
)

// Why a ceremony with a passkey came to nothing, and what to do.
var (
	PasskeyWrong = Message{
		EN: "The passkey's answer does not add up, so nothing was confirmed. Try again.",
		PL: "Odpowiedź klucza dostępu się nie zgadza, więc nic nie potwierdzono. Spróbuj ponownie.",
		JA: "パスキーの応答を確認できなかったため、何も確認されていません。もう一度試してください。",
	}
	PasskeyLate = Message{
		EN: "That took too long, or was used already. Nothing was confirmed. Try again.",
		PL: "To trwało za długo albo zostało już użyte. Nic nie potwierdzono. Spróbuj ponownie.",
		JA: "時間切れか、すでに使われています。何も確認されていません。もう一度試してください。",
	}
	PasskeyElsewhere = Message{
		EN: "This confirmation was made for another page or another hub, so it does not count here. Open nod at its own address.",
		PL: "To potwierdzenie powstało dla innej strony albo innego huba i tutaj się nie liczy. Otwórz nod pod jego własnym adresem.",
		JA: "この確認は別のページまたは別のハブのものなので、ここでは無効です。nod 本来のアドレスで開いてください。",
	}
	PasskeyUnverified = Message{
		EN: "The passkey did not check who you are. Use your finger, face or PIN; a security key needs a PIN first.",
		PL: "Klucz dostępu nie sprawdził, kim jesteś. Użyj palca, twarzy albo PIN-u; klucz sprzętowy musi mieć PIN.",
		JA: "パスキーによる本人確認が行われませんでした。指紋・顔・PIN を使ってください。セキュリティキーには先に PIN の設定が必要です。",
	}
	PasskeyStrange = Message{
		EN: "This hub does not know that passkey: it was deleted here, or belongs to another hub. Use another one.",
		PL: "Ten hub nie zna tego klucza dostępu: został tu usunięty albo należy do innego huba. Użyj innego.",
		JA: "このハブに登録されていないパスキーです。削除されたか、別のハブのものです。ほかのパスキーを使ってください。",
	}
	PasskeyCopied = Message{
		EN: "This passkey has counted backwards: there may be a copy of it. It does not count. If you made no copy, delete it and add a new one.",
		PL: "Licznik tego klucza dostępu się cofnął: może istnieć jego kopia. Nie liczy się. Jeśli to nie Twoja kopia, usuń go i dodaj nowy.",
		JA: "このパスキーの使用回数が戻っています。複製された可能性があるため無効です。心当たりがなければ削除し、新しいものを追加してください。",
	}
	PasskeyNone = Message{
		EN: "There is no passkey for %s yet. Add one in the settings with a device that may administer, or answer in the agent's own dialog.",
		PL: "Nie ma jeszcze klucza dostępu dla %s. Dodaj go w ustawieniach na urządzeniu z prawem admin albo odpowiedz w oknie agenta.",
		JA: "%s 用のパスキーがまだありません。管理権限のある端末の設定で追加するか、エージェント自身の画面で答えてください。",
	}
	PasskeyKnown = Message{
		EN: "This passkey is registered here already.",
		PL: "Ten klucz dostępu jest tu już zarejestrowany.",
		JA: "このパスキーはすでに登録されています。",
	}
	PasskeyUnsuited = Message{
		EN: "nod cannot check the signatures of this passkey. Use another device or security key.",
		PL: "nod nie umie sprawdzić podpisów tego klucza dostępu. Użyj innego urządzenia albo klucza sprzętowego.",
		JA: "このパスキーの署名方式には対応していません。別の端末かセキュリティキーを使ってください。",
	}
	PasskeyBusy = Message{
		EN: "Too many confirmations are under way. Wait two minutes and try again.",
		PL: "Trwa zbyt wiele potwierdzeń. Poczekaj dwie minuty i spróbuj ponownie.",
		JA: "進行中の確認が多すぎます。2 分ほど待ってから、もう一度試してください。",
	}
)

// Where passkeys do not work.
var (
	PasskeyPlain = Message{
		EN: "Passkeys need HTTPS. Start the hub with `nod serve --tls` and open it with https://, or use http://localhost on the hub's machine.",
		PL: "Klucze dostępu wymagają HTTPS. Uruchom hub przez `nod serve --tls` i otwórz go przez https:// albo użyj http://localhost na komputerze huba.",
		JA: "パスキーには HTTPS が必要です。`nod serve --tls` でハブを起動して https:// で開くか、ハブのマシンで http://localhost を使ってください。",
	}
	PasskeyNameless = Message{
		EN: "Passkeys belong to a name, and this page was opened by an address of numbers. Open the hub by its name, such as localhost on its own machine or desk.local.",
		PL: "Klucze dostępu należą do nazwy, a tę stronę otwarto adresem z cyfr. Otwórz hub po nazwie, na przykład localhost na jego komputerze albo desk.local.",
		JA: "パスキーは名前に結び付きますが、このページは数字のアドレスで開かれています。ハブのマシンなら localhost、ほかの端末なら desk.local のような名前で開いてください。",
	}
	PasskeyNoBrowser = Message{
		EN: "Only a browser can use a passkey: open nod there.",
		PL: "Z klucza dostępu może skorzystać tylko przeglądarka: otwórz w niej nod.",
		JA: "パスキーはブラウザでのみ使えます。ブラウザで nod を開いてください。",
	}
	PasskeyName = Message{
		EN: "A passkey needs a name by which you will know it, such as “phone”: at most 64 characters on one line.",
		PL: "Klucz dostępu potrzebuje nazwy, po której go poznasz, na przykład „telefon”: najwyżej 64 znaki w jednym wierszu.",
		JA: "あとで見分けられる名前を付けてください (例: 「スマートフォン」)。1 行、64 文字までです。",
	}
	PasskeyUnknown = Message{
		EN: "There is no passkey %q here.",
		PL: "Nie ma tu klucza dostępu %q.",
		JA: "パスキー %q はここにありません。",
	}
)
