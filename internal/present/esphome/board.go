package esphome

// Board is an M5Stack with a screen of 320×240.
type Board string

// The boards.
const (
	Basic  Board = "basic" // and Gray
	Core2  Board = "core2" // and v1.1
	CoreS3 Board = "cores3"
)

// wiring is where things are connected.
type wiring struct {
	Title, Chip, Flash string
	PSRAM              bool

	Panel, Clock, Data string
	PanelPins          bool // other than the model's

	Keys []key // buttons that can be pressed

	PowerChip                                                 bool // feeds the panel; then there is touch as well
	SDA, SCL, TouchInterrupt, TouchWords                      string
	WordSelect, BitClock, MasterClock, AudioOut, AudioChannel string
	AreaTop, AreaBottom                                       int
}

type key struct{ Name, Pin string }

type area struct {
	Name        string
	Left, Right int
}

// Areas are the thirds of the screen in which a touch is a button.
func (w wiring) Areas() []area {
	return []area{{"a", 0, 106}, {"b", 107, 213}, {"c", 214, 320}}
}

// buttonRow is where the hub draws what the buttons do.
const buttonRow = 240 - 42

// wiring is built when it is asked for: every command of nod shares this binary.
func (b Board) wiring() (wiring, bool) {
	switch b {
	case Basic:
		return wiring{
			Title: "Basic or Gray", Chip: "m5stack-core-esp32", Flash: "4MB",
			Panel: "M5CORE", Clock: "GPIO18", Data: "GPIO23",
			Keys: []key{{"a", "GPIO39"}, {"b", "GPIO38"}, {"c", "GPIO37"}},
		}, true
	case Core2:
		return wiring{
			Title: "Core2", Chip: "m5stack-core2", Flash: "16MB", PSRAM: true,
			Panel: "M5CORE2", Clock: "GPIO18", Data: "GPIO23",
			PowerChip: true, SDA: "GPIO21", SCL: "GPIO22", TouchInterrupt: "GPIO39",
			TouchWords: "The three circles below the screen, and the row above them that says what they do.",
			WordSelect: "GPIO0", BitClock: "GPIO12", AudioOut: "GPIO2", AudioChannel: "mono",
			AreaTop: buttonRow, AreaBottom: 320,
		}, true
	case CoreS3:
		return wiring{
			Title: "CoreS3", Chip: "m5stack-cores3", Flash: "16MB", PSRAM: true,
			Panel: "M5CORE2", PanelPins: true, Clock: "GPIO36", Data: "GPIO37",
			PowerChip: true, SDA: "GPIO12", SCL: "GPIO11",
			TouchWords: "The lowest row of the screen, which says what they do.",
			WordSelect: "GPIO33", BitClock: "GPIO34", MasterClock: "GPIO0", AudioOut: "GPIO13", AudioChannel: "mono",
			AreaTop: buttonRow, AreaBottom: 240,
		}, true
	}
	return wiring{}, false
}
