package config

// MQTT is the section of the broker that devices and Home Assistant share with the hub.
type MQTT struct {
}

func defaultMQTT() MQTT { return MQTT{} }

func (c MQTT) check() error { return nil }
