package v1

import (
	"time"

	"nod"
)

// ScreenHello is the first message of a display with three buttons. See
// docs/screen-protocol.md.
type ScreenHello struct {
	Type     string `json:"type"`
	Token    string `json:"token,omitempty"` // where no header can be sent
	Key      string `json:"key,omitempty"`   // a browser's half of its token; the cookie has the other
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Format   string `json:"format"` // "rgb565" or "png"
	Text     bool   `json:"text,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"` // of one message; 0: any
	Spare    bool   `json:"spare,omitempty"`     // send a picture for when the hub is away
	Buttons  int    `json:"buttons"`
	Language string `json:"language,omitempty"`
	Name     string `json:"name,omitempty"`
}

// ScreenPress reports a button. Frame is the number of the picture that the display
// showed at that moment.
type ScreenPress struct {
	Button string `json:"button"` // A, B or C
	Kind   string `json:"kind"`   // down, up, click or hold
	Frame  uint32 `json:"frame"`
}

// ScreenNote is everything that the hub sends to a display besides pictures. Its type
// says which fields count.
type ScreenNote struct {
	Type string `json:"type"` // welcome, beep, dim, beat, error

	Version int      `json:"version,omitempty"`
	Width   int      `json:"width,omitempty"`
	Height  int      `json:"height,omitempty"`
	Format  string   `json:"format,omitempty"`
	Rights  []string `json:"rights,omitempty"`
	HoldMS  int      `json:"hold_ms,omitempty"`
	BeatS   int      `json:"beat_s,omitempty"`

	Hz    int `json:"hz,omitempty"`
	To    int `json:"to,omitempty"` // the note slides there
	MS    int `json:"ms,omitempty"`
	Times int `json:"times,omitempty"`

	Level *int `json:"level,omitempty"` // of the light, in percent

	Code    nod.Code `json:"code,omitempty"`
	Message string   `json:"message,omitempty"`
}

// KeyboardList is the keyboards that are connected or admitted.
type KeyboardList struct {
	Keyboards []Keyboard `json:"keyboards"`
}

// Keyboard is one keyboard with pictures on its keys.
type Keyboard struct {
	ID        string      `json:"id"`
	Name      string      `json:"name,omitempty"`
	Address   string      `json:"address"`
	Admitted  bool        `json:"admitted"`
	Connected bool        `json:"connected"`
	By        string      `json:"by,omitempty"`
	At        *time.Time  `json:"at,omitempty"`
	Agent     nod.AgentID `json:"agent,omitempty"` // bound to it
	Shows     nod.AgentID `json:"shows,omitempty"`
}

// KeyboardAdmission admits a keyboard by the code that its keys show.
type KeyboardAdmission struct {
	Code string `json:"code"`
	Name string `json:"name"`
}
