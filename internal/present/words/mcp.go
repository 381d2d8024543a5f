package words

// What `nod mcp` says to people. What it says to agents is English: models read it.
var (
	TopicMCP = Topic{
		Short: Message{EN: "Let an agent ask you through the Model Context Protocol (MCP)", PL: "Pozwól agentowi pytać Cię przez Model Context Protocol (MCP)", JA: "エージェントが MCP(Model Context Protocol)であなたに質問できるようにする"},
		Examples: []Example{
			{"claude mcp add --scope user nod -- nod mcp", Message{EN: "give it to Claude Code; agents start it themselves", PL: "dodaj do Claude Code; agenci uruchamiają to sami", JA: "Claude Code に登録(起動はエージェントが行う)"}},
			{"nod setup claude --plugin", Message{EN: "the same as a plugin, with hooks and a skill", PL: "to samo jako wtyczka, z hookami i umiejętnością", JA: "フックとスキル付きのプラグインとして登録"}},
			{"claude -p --permission-prompt-tool mcp__nod__permission …", Message{EN: "answer the approvals of a script from any device", PL: "zatwierdzaj kroki skryptu z dowolnego urządzenia", JA: "スクリプトの承認をどの端末からでも行う"}},
		},
	}
	FlagMCPData = Message{EN: "the data directory of the hub", PL: "katalog danych huba", JA: "ハブのデータディレクトリ"}
	MCPTerminal = Message{
		EN: "`nod mcp` is started by an agent, which speaks JSON-RPC to it; there is nothing to type here.\nGive it to Claude Code with: claude mcp add --scope user nod -- nod mcp",
		PL: "`nod mcp` uruchamia agent i rozmawia z nim w JSON-RPC; tu nie ma czego wpisywać.\nDodaj do Claude Code: claude mcp add --scope user nod -- nod mcp",
		JA: "`nod mcp` はエージェントが起動し、JSON-RPC で会話します。ここに入力するものはありません。\nClaude Code への登録: claude mcp add --scope user nod -- nod mcp",
	}
)
