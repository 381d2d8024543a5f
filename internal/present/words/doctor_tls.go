package words

// What `nod doctor` says about HTTPS.
var (
	CheckTLS = Message{EN: "HTTPS", PL: "HTTPS", JA: "HTTPS"}

	SkipAddress   = Message{EN: "the hub tells its address only to those who may view", PL: "hub podaje adres tylko tym, którzy mają prawo view", JA: "アドレスは view の権限がある相手にだけ表示されます"}
	TLSPlain      = Message{EN: "plain HTTP on this machine only, which needs no certificate", PL: "zwykłe HTTP tylko na tym komputerze, certyfikat niepotrzebny", JA: "このマシンだけの HTTP なので、証明書は不要です"}
	TLSPlainWide  = Message{EN: "plain HTTP at %s: anyone on the way can read tokens, and phones get neither push nor microphone", PL: "zwykłe HTTP pod %s: każdy po drodze przeczyta tokeny, a telefony nie dostaną powiadomień ani mikrofonu", JA: "%s は平文の HTTP です。途中で誰でもトークンを読め、スマートフォンでは通知もマイクも使えません"}
	TLSPlainFix   = Message{EN: "Start the hub with `nod serve --tls`, or keep it behind a tunnel.", PL: "Uruchom hub przez `nod serve --tls` albo schowaj go za tunelem.", JA: "`nod serve --tls` で起動するか、トンネル経由にしてください。"}
	TLSValid      = Message{EN: "valid until %[1]s for %[2]s", PL: "ważny do %[1]s dla %[2]s", JA: "%[1]s まで有効、対象: %[2]s"}
	TLSOwn        = Message{EN: "CA SHA-256 %s", PL: "CA SHA-256 %s", JA: "CA SHA-256 %s"}
	TLSFails      = Message{EN: "no handshake with %[1]s (%[2]s)", PL: "brak uzgodnienia TLS z %[1]s (%[2]s)", JA: "%[1]s と TLS で接続できません (%[2]s)"}
	TLSFailsFix   = Message{EN: "Read the log of `nod serve`: it says what is wrong with the certificate.", PL: "Przeczytaj dziennik `nod serve`: mówi, co jest nie tak z certyfikatem.", JA: "`nod serve` のログに証明書の問題が書かれています。"}
	TLSEnded      = Message{EN: "the certificate ended on %s", PL: "certyfikat wygasł %s", JA: "証明書は %s に期限切れになりました"}
	TLSSoon       = Message{EN: "the certificate ends on %s", PL: "certyfikat wygasa %s", JA: "証明書は %s に期限が切れます"}
	TLSEndedFix   = Message{EN: "Renew your certificate files; the hub reads them again by itself. With ACME, look into the log of `nod serve`.", PL: "Odnów pliki certyfikatu; hub sam wczyta je ponownie. Przy ACME zajrzyj do dziennika `nod serve`.", JA: "証明書ファイルを更新してください(ハブが自動で読み直します)。ACME の場合は `nod serve` のログを確認してください。"}
	TLSCASoon     = Message{EN: "the hub's own CA ends on %s", PL: "własne CA huba wygasa %s", JA: "ハブ独自の CA は %s に期限が切れます"}
	TLSCASoonFix  = Message{EN: "Delete `%s` and start the hub again: it makes a new CA, which every device has to trust anew.", PL: "Usuń `%s` i uruchom hub ponownie: utworzy nowe CA, któremu każde urządzenie musi zaufać od nowa.", JA: "`%s` を削除してハブを再起動してください。新しい CA が作られ、各端末で信頼し直す必要があります。"}
	TLSOther      = Message{EN: "the certificate is for %[1]s, not for %[2]s", PL: "certyfikat jest dla %[1]s, nie dla %[2]s", JA: "証明書の対象は %[1]s で、%[2]s ではありません"}
	TLSOtherFix   = Message{EN: "Call the hub by a name of its certificate, or add the name to hosts in nod.toml.", PL: "Łącz się pod nazwą z certyfikatu albo dodaj nazwę do hosts w nod.toml.", JA: "証明書にある名前で接続するか、nod.toml の hosts に名前を加えてください。"}
	TLSUnknown    = Message{EN: "this machine does not know who signed the certificate", PL: "ten komputer nie wie, kto podpisał certyfikat", JA: "証明書の発行者をこのマシンは知りません"}
	TLSCAFix      = Message{EN: "Set NOD_CA to the file with the hub's CA, or unset it.", PL: "Ustaw NOD_CA na plik z CA huba albo usuń tę zmienną.", JA: "NOD_CA にハブの CA のファイルを設定するか、変数を削除してください。"}
	TLSUnknownFix = Message{EN: "If the hub signs for itself: get its CA from %s/ca.pem, compare the fingerprint, set NOD_CA to the file.", PL: "Jeśli hub podpisuje sam: pobierz jego CA z %s/ca.pem, porównaj odcisk, ustaw NOD_CA na ten plik.", JA: "ハブ独自の証明書であれば、%s/ca.pem から CA を取得し、フィンガープリントを確認して、NOD_CA にファイルを設定してください。"}
)
