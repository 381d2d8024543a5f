package config

// VoicePE is the section of voice pucks on the wire of MQTT.
type VoicePE struct {
}

func defaultVoicePE() VoicePE { return VoicePE{} }

func (c VoicePE) check() error { return nil }
