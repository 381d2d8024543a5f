package keyboard

import "nod/internal/config"

// Config is the section of keyboards with four screens. See docs/keyboard.md.
type Config struct {
	Listen      config.Addresses `toml:"listen"`      // where the firmware connects: `[":8080", ":8081"]`
	AppleScript bool             `toml:"applescript"` // on a Mac: type into the front window where nothing else reaches the agent
}
