//go:build !noemoji

package icon

import "eliasnaur.com/font/noto/emoji/color"

// embedded is the font in the binary, ten megabytes of it.
func embedded() []byte { return color.TTF }
