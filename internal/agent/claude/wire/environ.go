package wire

import "strings"

// PassesOn reports whether Claude Code gets a variable of the hub's environment. It needs
// few: the hub must not pass on its own token, nor that it was started inside an agent.
func PassesOn(name string) bool {
	switch name {
	case "HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "CLAUDE_CONFIG_DIR",
		"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "TEMP", "TMP": // Windows has other names for the same
		return true
	}
	switch strings.ToUpper(name) {
	case "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY":
		return true
	}
	for _, prefix := range []string{"LC_", "XDG_", "ANTHROPIC_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
