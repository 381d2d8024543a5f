package words

// The words of the screen settings.
var webSettings = []WebWord{}

var webSettingsCounts = []WebCount{}
