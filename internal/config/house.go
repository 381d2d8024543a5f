package config

// checkHouse looks at what belongs to other machines of the house.
func (c *Config) checkHouse() error {
	for _, section := range []interface{ check() error }{c.MQTT, c.VoicePE, c.Entities, c.HomeAssistant, c.Wyoming, c.Link, c.Metrics} {
		if err := section.check(); err != nil {
			return err
		}
	}
	return nil
}
