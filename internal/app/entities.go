package app

// entities are agents as devices of Home Assistant.
func (h *house) entities() {}
