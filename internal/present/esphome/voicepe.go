package esphome

// voicePEFile is the default name of the addition.
const voicePEFile = "nod-voice-pe.yaml"

// VoicePE is the small addition to the official firmware of a Home Assistant
// Voice PE. It holds no address and no secret: nod reaches the device through Home
// Assistant.
func VoicePE(file string) ([]File, error) {
	if file == "" {
		file = voicePEFile
	}
	data, err := fill("voice-pe.yaml", sheet{File: file})
	if err != nil {
		return nil, err
	}
	return []File{{Name: file, Data: data}}, nil
}
