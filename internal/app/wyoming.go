package app

// wyoming is nod as a conversation agent of Home Assistant.
func (h *house) wyoming() {}
