package config

// checkHouse looks at what belongs to Home Assistant and MQTT.
func (c *Config) checkHouse() error {
	for _, section := range []interface{ check() error }{c.MQTT, c.VoicePE, c.Entities, c.HomeAssistant, c.Wyoming} {
		if err := section.check(); err != nil {
			return err
		}
	}
	return nil
}
