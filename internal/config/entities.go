package config

// Entities is the section of agents as devices of Home Assistant, found over MQTT.
type Entities struct {
}

func defaultEntities() Entities { return Entities{} }

func (c Entities) check() error { return nil }
