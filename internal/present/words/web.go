package words

// WebWord is a sentence of the web app under the key by which the page asks for
// it. A list of structs and not a map: maps are built at every start.
type WebWord struct {
	Key string
	Message
}

// WebCount is a sentence of the web app about a number.
type WebCount struct {
	Key string
	Plural
}

// webWords are the lists by screen, each in a file of its own.
func webWords() [][]WebWord {
	return [][]WebWord{webShell, webErrors, webAsk, webCard, webSettled, webAgents, webTalk, webStart, webChat, webQuick, webKeys, webHistory, webSettings, webNotify, webDevices, webDevice, webKeyboard, webPuck, webRules}
}

func webCounts() [][]WebCount {
	return [][]WebCount{webShellCounts, webAgentCounts, webChatCounts, webHistoryCounts, webSettingsCounts, webPuckCounts}
}

// Web is the book of the web app in one language, as the page reads it: a
// sentence, or its forms by the names of Intl.PluralRules.
func Web(l Lang) map[string]any {
	p := In(l)
	book := map[string]any{}
	for _, list := range webWords() {
		for _, w := range list {
			book[w.Key] = p.pick(w.Message)
		}
	}
	for _, list := range webCounts() {
		for _, c := range list {
			book[c.Key] = p.forms(c.Plural)
		}
	}
	return book
}

func (p Printer) forms(m Plural) map[string]string {
	switch p.lang {
	case Polish:
		return map[string]string{"one": m.PL[0], "few": m.PL[1], "many": m.PL[2], "other": m.PL[2]}
	case Japanese:
		return map[string]string{"other": m.JA}
	}
	return map[string]string{"one": m.EN[0], "other": m.EN[1]}
}

// WebLang is the language of a code such as "pl"; ok is false for others.
func WebLang(code string) (l Lang, ok bool) {
	switch code {
	case "en":
		return English, true
	case "pl":
		return Polish, true
	case "ja":
		return Japanese, true
	}
	return English, false
}
