package config

// Wyoming is the section of nod as a conversation agent that Home Assistant finds by itself.
type Wyoming struct {
}

func defaultWyoming() Wyoming { return Wyoming{} }

func (c Wyoming) check() error { return nil }
