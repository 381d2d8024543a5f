package words

// The words of the screen chat.
var webChat = []WebWord{}

var webChatCounts = []WebCount{}
