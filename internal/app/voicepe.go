package app

// voicePE is the wire of voice pucks over MQTT.
func (h *house) voicePE() {}
