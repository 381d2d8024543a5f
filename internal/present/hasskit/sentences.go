package hasskit

import (
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

// Intent is what Home Assistant calls an answer by voice.
func (a answers) Intent() string {
	switch a.Event {
	case puck.VoiceYes:
		return "NodPuckYes"
	case puck.VoiceNo:
		return "NodPuckNo"
	case puck.VoiceCancel:
		return "NodPuckCancel"
	case puck.VoiceStop:
		return "NodPuckStop"
	}
	return "NodPuckOption"
}

// Sentences are custom sentences, the one of the chosen language first, and what
// they do.
func Sentences(o Options) ([]File, error) {
	s, err := newSheet(o)
	if err != nil {
		return nil, err
	}
	var files []File
	order := []words.Lang{o.Say.Lang()}
	for _, lang := range []words.Lang{words.English, words.Polish} {
		if lang != order[0] {
			order = append(order, lang)
		}
	}
	for _, lang := range order {
		one := *s
		one.Options.Say, one.Sentences, one.Errors = words.In(lang), nil, nil
		one.words()
		one.Language = one.Options.language()
		text, err := fill("sentences.yaml", 0, &one)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: "custom_sentences/" + one.Language + "/nod_puck.yaml", Data: []byte(text)})
	}
	text, err := fill("intents.yaml", 0, s)
	if err != nil {
		return nil, err
	}
	return append(files, File{Name: "packages/nod_puck_sentences.yaml", Data: []byte(text)}), nil
}
