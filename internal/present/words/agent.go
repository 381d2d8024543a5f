package words

// Lists of agents.
var (
	Subagents = Plural{
		EN: [2]string{"%d subagent", "%d subagents"},
		PL: [3]string{"%d podagent", "%d podagenty", "%d podagentów"},
		JA: "サブエージェント %d",
	}
	AgentsTitle = Message{EN: "Agents", PL: "Agenty", JA: "エージェント"}
)
