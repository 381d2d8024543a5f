package hasskit

// Blueprint makes a Voice PE the eyes, the voice and the hands of a puck that nod
// runs, by one automation and without any other YAML.
func Blueprint(o Options) ([]File, error) {
	s, err := newSheet(o)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		into *string
		name string
	}{{&s.BlueLED, "blueprint-led.yaml"}, {&s.BlueVoice, "blueprint-voice.yaml"}} {
		if *part.into, err = fill(part.name, 10, s); err != nil {
			return nil, err
		}
	}
	text, err := fill("blueprint.yaml", 0, s)
	if err != nil {
		return nil, err
	}
	return []File{{Name: "blueprints/automation/nod/voice_puck.yaml", Data: []byte(text)}}, nil
}
