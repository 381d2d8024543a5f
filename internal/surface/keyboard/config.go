package keyboard

import "nod/internal/config"

// Config is the section of keyboards with four screens.
type Config struct {
	Listen      config.Addresses `toml:"listen"`      // where the firmware looks: [":8080", ":8081"]
	AppleScript bool             `toml:"applescript"` // on a Mac: what nothing else reaches is typed into the window in front
}
