package peer

import (
	"slices"
	"strings"
)

// AgentMarks lists the variables that agents set for the processes they start. A name with a trailing * is a prefix.
//
// A name that also reaches the shells of a person does not belong here, because it would lock that person out: what
// editors put into every terminal (CURSOR_TRACE_ID, CLAUDE_CODE_SSE_PORT, TERM_PROGRAM), and what people set
// themselves to configure an agent (CLAUDE_CODE_USE_BEDROCK, GOOSE_PROVIDER, OPENCODE_CONFIG, CODEX_HOME).
func AgentMarks() []string {
	return []string{
		"NOD_HEADLESS", // nod itself, for the programs behind conversations: spare ones have no agent yet
		// Claude Code: its shell tool, hooks and MCP servers.
		"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_PID",
		"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_IS_COWORK",
		// The name that several agents agreed on.
		"AI_AGENT",
		// Codex: CODEX_SANDBOX and CODEX_SANDBOX_NETWORK_DISABLED only inside its sandbox, the others always.
		"CODEX_SANDBOX*", "CODEX_THREAD_ID", "CODEX_CI",
		// Gemini CLI, and Qwen Code, which grew out of it.
		"GEMINI_CLI", "QWEN_CODE",
		// OpenCode.
		"OPENCODE",
		// Cursor: its agent's terminal, not the person's.
		"CURSOR_AGENT",
		// GitHub Copilot CLI.
		"COPILOT_CLI", "COPILOT_AGENT_SESSION_ID",
		// One mark each: Amp, Auggie, Cline, Goose, Pi.
		"AMP_CURRENT_THREAD_ID", "AUGMENT_AGENT", "CLINE_ACTIVE", "GOOSE_TERMINAL", "PI_CODING_AGENT",
	}
}

// Marks returns those of the given names (or NAME* patterns) that the process carries in its environment, as they were
// given: nothing that the process wrote comes out, and values do not even leave the reader.
//
// It sees the environment with which the program was started. If that cannot be read, or is wholly empty (which is
// how systems show an environment that they hide, or that of a dying process), it is an error, and callers must refuse.
func Marks(pid int, names []string) ([]string, error) { return marks(host{}, pid, names) }

func marks(t table, pid int, patterns []string) ([]string, error) {
	names, err := t.names(pid)
	if err != nil {
		return nil, err
	}
	var carried []string
	for _, p := range patterns {
		if slices.ContainsFunc(names, func(name string) bool { return matches(p, name) }) {
			carried = append(carried, p)
		}
	}
	return carried, nil
}

func matches(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}
