package config

// HomeAssistant is the section of a Home Assistant whose satellites nod speaks through.
type HomeAssistant struct {
}

func defaultHomeAssistant() HomeAssistant { return HomeAssistant{} }

func (c HomeAssistant) check() error { return nil }
