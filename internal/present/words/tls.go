package words

// What `nod serve` says about HTTPS.
var (
	FlagTLS     = Message{EN: "HTTPS with certificates that nod makes itself; devices trust them once, see /trust", PL: "HTTPS z certyfikatami, które nod wydaje sam; urządzenia ufają im raz, zob. /trust", JA: "nod が自分で発行する証明書で HTTPS(端末で一度だけ信頼。/trust を参照)"}
	TLSOneWay   = Message{EN: "--tls makes certificates of its own: leave --tls-cert and --tls-key out, or leave --tls out.", PL: "--tls samo wydaje certyfikaty: pomiń --tls-cert i --tls-key albo pomiń --tls.", JA: "--tls は証明書を自分で発行します。--tls-cert と --tls-key を外すか、--tls を外してください。"}
	TLSBoth     = Message{EN: "--tls-cert and --tls-key belong together: give both.", PL: "--tls-cert i --tls-key należą do siebie: podaj oba.", JA: "--tls-cert と --tls-key は両方とも指定してください。"}
	ServeTrust  = Message{EN: "Trust it on a device: %[1]s  (CA SHA-256 %[2]s)", PL: "Zaufaj na urządzeniu: %[1]s  (CA SHA-256 %[2]s)", JA: "端末で信頼する: %[1]s (CA SHA-256 %[2]s)"}
	TrustAbsent = Message{EN: "This hub has no CA of its own, so there is nothing to trust. Start it with `nod serve --tls` for one.", PL: "Ten hub nie ma własnego CA, więc nie ma czemu ufać. Uruchom go przez `nod serve --tls`, aby je mieć.", JA: "このハブには独自の CA がないため、信頼するものはありません。使うには `nod serve --tls` で起動してください。"}
)

// Guide is how to do one thing on one kind of device. *Words* are what its
// screen says, `words` are to be typed.
type Guide struct {
	Title Message
	Steps []Message
}

// The page that helps to trust the hub.
var (
	TrustTitle   = Message{EN: "Trust this hub", PL: "Zaufaj temu hubowi", JA: "このハブを信頼する"}
	TrustLead    = Message{EN: "Once per device, about a minute. Then nod opens here without a warning, and notifications and the microphone work.", PL: "Raz na urządzenie, około minuty. Potem nod otwiera się tu bez ostrzeżeń, a powiadomienia i mikrofon działają.", JA: "端末ごとに一度だけ、1 分ほどです。警告なしで nod が開き、通知とマイクが使えるようになります。"}
	TrustCompare = Message{EN: "Compare first", PL: "Najpierw porównaj", JA: "まず確認"}
	TrustPrint   = Message{EN: "`nod doctor` on the hub's own machine shows the same SHA-256 fingerprint. If one digit differs, stop: someone is in between.", PL: "`nod doctor` na komputerze huba pokazuje ten sam odcisk SHA-256. Jeśli różni się choć jeden znak, przerwij: ktoś jest pośrodku.", JA: "ハブのマシンで `nod doctor` を実行すると、同じ SHA-256 フィンガープリントが表示されます。一文字でも違えば中止してください。誰かが間に入っています。"}
	TrustBounds  = Message{EN: "*%[1]s* can speak for your own network and the names you gave this hub, and for nothing else on the internet. Valid until %[2]s.", PL: "*%[1]s* może poświadczać tylko Twoją sieć i nazwy nadane temu hubowi, nic innego w internecie. Ważny do %[2]s.", JA: "*%[1]s* が証明できるのは、自分のネットワークとこのハブに付けた名前だけです。インターネット上の他のサイトは証明できません。%[2]s まで有効です。"}
	TrustDevice  = Message{EN: "Then on this device", PL: "Potem na tym urządzeniu", JA: "次に、この端末で"}
	TrustOpen    = Message{EN: "Open nod", PL: "Otwórz nod", JA: "nod を開く"}
	TrustUndo    = Message{EN: "To undo it, remove *%s* where you added it.", PL: "Aby to cofnąć, usuń *%s* tam, gdzie został dodany.", JA: "取り消すには、追加した場所から *%s* を削除してください。"}
	TrustNone    = Message{EN: "Nothing to do here", PL: "Nic tu nie trzeba robić", JA: "することはありません"}
	TrustProfile = Message{EN: "Lets this device open the nod hub in your network without a warning.", PL: "Pozwala otwierać na tym urządzeniu hub nod w Twojej sieci bez ostrzeżeń.", JA: "この端末で、ネットワーク内の nod ハブを警告なしで開けるようにします。"}

	GetProfile     = Message{EN: "Download the profile", PL: "Pobierz profil", JA: "プロファイルをダウンロード"}
	GetCertificate = Message{EN: "Download the certificate", PL: "Pobierz certyfikat", JA: "証明書をダウンロード"}
)

// How to trust a CA on each kind of device.
var (
	TrustIOS = Guide{
		Title: Message{EN: "iPhone and iPad", PL: "iPhone i iPad", JA: "iPhone と iPad"},
		Steps: []Message{
			Message{EN: "Open this page in *Safari*, tap the button above, then *Allow*.", PL: "Otwórz tę stronę w *Safari*, stuknij przycisk powyżej, potem *Pozwól*.", JA: "このページを *Safari* で開き、上のボタンをタップして *許可* を選びます。"},
			Message{EN: "In *Settings* tap *Profile Downloaded*, then *Install*.", PL: "W *Ustawieniach* stuknij *Pobrano profil*, potem *Instaluj*.", JA: "*設定* で *ダウンロード済みのプロファイル* をタップし、*インストール* を選びます。"},
			Message{EN: "In *Settings → General → About → Certificate Trust Settings* switch on *%s*. Without this last step nothing changes.", PL: "W *Ustawienia → Ogólne → To urządzenie… → Ustawienia zaufania certyfikatów* włącz *%s*. Bez tego ostatniego kroku nic się nie zmieni.", JA: "*設定 → 一般 → 情報 → 証明書信頼設定* で *%s* をオンにします。この最後の手順がないと何も変わりません。"},
		},
	}
	TrustAndroid = Guide{
		Title: Message{EN: "Android", PL: "Android", JA: "Android"},
		Steps: []Message{
			Message{EN: "Tap the button above. The file is in *Downloads*.", PL: "Stuknij przycisk powyżej. Plik jest w folderze *Pobrane*.", JA: "上のボタンをタップします。ファイルは *ダウンロード* に入ります。"},
			Message{EN: "Open *Settings*, search for *CA certificate* and open it (usually under *Security → Encryption & credentials → Install a certificate*).", PL: "Otwórz *Ustawienia*, wyszukaj *Certyfikat CA* i otwórz (zwykle *Zabezpieczenia → Szyfrowanie i dane logowania → Zainstaluj certyfikat*).", JA: "*設定* を開き、*CA 証明書* を検索して開きます(多くは *セキュリティ → 暗号化と認証情報 → 証明書のインストール*)。"},
			Message{EN: "Tap *Install anyway* and choose *PromptRelay-CA.crt*.", PL: "Stuknij *Zainstaluj mimo to* i wybierz *PromptRelay-CA.crt*.", JA: "*インストールする* をタップし、*PromptRelay-CA.crt* を選びます。"},
			Message{EN: "Chrome trusts it at once. Firefox needs *Use third party CA certificates* in its secret settings (tap its logo in *About* five times).", PL: "Chrome ufa od razu. Firefox wymaga *Use third party CA certificates* w ukrytych ustawieniach (stuknij pięć razy logo w *O programie*).", JA: "Chrome ではすぐに有効です。Firefox では *Firefox について* のロゴを 5 回タップし、隠し設定の *Use third party CA certificates* を有効にします。"},
		},
	}
	TrustMac = Guide{
		Title: Message{EN: "Mac", PL: "Mac", JA: "Mac"},
		Steps: []Message{
			Message{EN: "Open the downloaded file. *Keychain Access* adds it to *login*.", PL: "Otwórz pobrany plik. *Dostęp do pęku kluczy* doda go do *logowania*.", JA: "ダウンロードしたファイルを開きます。*キーチェーンアクセス* が *ログイン* に追加します。"},
			Message{EN: "Double-click *%s* there, open *Trust* and choose *Always Trust* at the top.", PL: "Kliknij tam dwukrotnie *%s*, rozwiń *Zaufanie* i wybierz u góry *Zawsze ufaj*.", JA: "そこで *%s* をダブルクリックし、*信頼* を開いて一番上で *常に信頼* を選びます。"},
			Message{EN: "Close the window and confirm with your password. Start the browser again.", PL: "Zamknij okno i potwierdź hasłem. Uruchom przeglądarkę ponownie.", JA: "ウインドウを閉じてパスワードで確認し、ブラウザを起動し直します。"},
		},
	}
	TrustWindows = Guide{
		Title: Message{EN: "Windows", PL: "Windows", JA: "Windows"},
		Steps: []Message{
			Message{EN: "Open the downloaded file and choose *Install Certificate…*, then *Current User*.", PL: "Otwórz pobrany plik i wybierz *Zainstaluj certyfikat…*, potem *Bieżący użytkownik*.", JA: "ダウンロードしたファイルを開き、*証明書のインストール…*、*現在のユーザー* の順に選びます。"},
			Message{EN: "Choose *Place all certificates in the following store → Browse… → Trusted Root Certification Authorities*.", PL: "Wybierz *Umieść wszystkie certyfikaty w następującym magazynie → Przeglądaj… → Zaufane główne urzędy certyfikacji*.", JA: "*証明書をすべて次のストアに配置する → 参照… → 信頼されたルート証明機関* を選びます。"},
			Message{EN: "*Finish*, confirm with *Yes*, start the browser again.", PL: "*Zakończ*, potwierdź *Tak*, uruchom przeglądarkę ponownie.", JA: "*完了*、*はい* の順に選び、ブラウザを起動し直します。"},
		},
	}
	TrustLinux = Guide{
		Title: Message{EN: "Linux", PL: "Linux", JA: "Linux"},
		Steps: []Message{
			Message{EN: "Chrome and Chromium: open `chrome://certificate-manager`, then *Installed by you → Trusted certificates → Import*.", PL: "Chrome i Chromium: otwórz `chrome://certificate-manager`, potem *Zainstalowane przez Ciebie → Zaufane certyfikaty → Importuj*.", JA: "Chrome と Chromium: `chrome://certificate-manager` を開き、*自分でインストールした証明書 → 信頼できる証明書 → インポート* を選びます。"},
			Message{EN: "Firefox: *Settings → Privacy & Security → View Certificates… → Authorities → Import…*, tick *identify websites*.", PL: "Firefox: *Ustawienia → Prywatność i bezpieczeństwo → Wyświetl certyfikaty… → Organy certyfikacji → Importuj…*, zaznacz *identyfikacja witryn*.", JA: "Firefox: *設定 → プライバシーとセキュリティ → 証明書を表示… → 認証局証明書 → インポート…* で、*ウェブサイトの識別* にチェックを入れます。"},
			Message{EN: "In a terminal: `curl --cacert PromptRelay-CA.pem …`; for nod itself `export NOD_CA=/path/PromptRelay-CA.pem`.", PL: "W terminalu: `curl --cacert PromptRelay-CA.pem …`; dla samego nod `export NOD_CA=/ścieżka/PromptRelay-CA.pem`.", JA: "ターミナル: `curl --cacert PromptRelay-CA.pem …`。nod 自身は `export NOD_CA=/パス/PromptRelay-CA.pem`。"},
		},
	}
)
