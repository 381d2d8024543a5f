package words

// The words of the screen history.
var webHistory = []WebWord{}

var webHistoryCounts = []WebCount{}
