package app

// homeAssistant lets nod speak through the satellites of a Home Assistant.
func (h *house) homeAssistant() {}
