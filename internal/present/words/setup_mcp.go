package words

// What `nod setup claude` says about its MCP server.
var (
	ServerWritten = Message{
		EN: "Wrote %s: agents can ask you by themselves, from the next session on.",
		PL: "Zapisano %s: agenci mogą pytać sami, od następnej sesji.",
		JA: "%s に書き込みました。次のセッションから、エージェントが自分で質問できます。",
	}
	ServerRemoved = Message{
		EN: "Took nod's MCP server out of %s.",
		PL: "Usunięto serwer MCP nod z %s.",
		JA: "%s から nod の MCP サーバーを取り除きました。",
	}
)
