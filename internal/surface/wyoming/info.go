package wyoming

// info describes this program to Home Assistant, which reads every list and requires
// attribution, installed, name and models.
type info struct {
	ASR    []program `json:"asr"`
	TTS    []program `json:"tts"`
	Handle []program `json:"handle"`
	Intent []program `json:"intent"`
	Wake   []program `json:"wake"`
	Mic    []program `json:"mic"`
	Snd    []program `json:"snd"`
}

type program struct {
	Name        string      `json:"name"` // the entity's name
	Attribution attribution `json:"attribution"`
	Installed   bool        `json:"installed"`
	Description string      `json:"description"`
	Version     string      `json:"version"`
	Models      []model     `json:"models"`
	Streaming   bool        `json:"supports_handled_streaming"` // Home Assistant does not read partial answers
	Home        bool        `json:"supports_home_control"`      // what the assistant can control is not known here
}

type model struct {
	Name        string      `json:"name"`
	Attribution attribution `json:"attribution"`
	Installed   bool        `json:"installed"`
	Description string      `json:"description"`
	Version     string      `json:"version"`
	Languages   []string    `json:"languages"` // none: every language
}

type attribution struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

func (s *Surface) info() info {
	by := attribution{Name: "nod", URL: s.Address()}
	who := s.Assistant
	if who == "" {
		who = "assistant"
	}
	languages := []string{}
	if s.Language != "" {
		languages = append(languages, s.Language)
	}
	none := []program{}
	return info{
		ASR: none, TTS: none, Intent: none, Wake: none, Mic: none, Snd: none,
		Handle: []program{{
			Name: s.Name, Attribution: by, Installed: true, Description: "Talk with an assistant through nod", Version: s.Version,
			Models: []model{{Name: who, Attribution: by, Installed: true, Description: "nod's " + who, Version: s.Version, Languages: languages}},
		}},
	}
}
