package policy

import (
	"strings"
	"unicode"
)

// secretNames are files that hold secrets wherever they lie; a name with a slash
// is the end of a path. All in small letters: some file systems do not care.
var secretNames = [...]string{
	".env", ".env.*", ".envrc", "*.env", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".git-credentials", ".vault-token", ".vault_pass",
	".dockercfg", ".boto", ".s3cfg", ".fetchmailrc", ".claude.json", ".databrickscfg", ".snowsql",
	"*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.kdb", "*.ppk", "*.asc", "*.gpg", "*.age", "*.tfstate", "*.tfstate.backup", "*.ovpn", "*.agekey", "*.keytab",
	"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "ssh_host_*_key",
	".*_history", ".histfile", "*_history", "fish_history", ".lesshst", ".viminfo",
	"credentials", "credentials.*", "*credentials.json", "secrets.y*ml", "secrets.json", "secrets.toml", "*.secret", "*.secrets", ".secrets", "service-account*.json", "client_secret*.json",
	"shadow", "shadow-", "gshadow", "gshadow-", "master.passwd", "sudoers", "opasswd", "secring.*", "wallet.dat", "login.keychain*",
	".docker/config.json", ".kube/config*", ".config/gh/hosts.yml", ".config/hub", ".m2/settings.xml", ".m2/settings-security.xml", ".codex/auth.json", ".gemini/oauth_creds.json",
	".composer/auth.json", ".config/composer/auth.json", ".terraformrc", ".config/rclone/rclone.conf", ".rclone.conf", ".wgetrc", ".curlrc", ".config/op/config",
	"logins.json", "key4.db", "key3.db", "cookies.sqlite", ".cargo/credentials*", ".git/config", "rancher/k3s/k3s.yaml", "kubernetes/admin.conf",
	"storage.key", "server.key", ".password", ".passwd", ".token", "token.json", "accesstokens.json",
}

// secretFolders hold secrets, all of them; a name with a slash is a run of folders.
var secretFolders = [...]string{
	".ssh", ".gnupg", ".aws", ".azure", ".password-store", ".oci", ".config/gcloud", ".config/op", ".config/doctl", ".claude/.credentials.json", ".mozilla", ".thunderbird", ".1password",
	"google-chrome", "chromium", "bravesoftware", "microsoft-edge", ".config/vivaldi", "keychains", "keyrings", ".secrets", "run/secrets", "etc/wireguard", "etc/ssl/private",
	"etc/sudoers.d", ".local/share/kwalletd", "application?support/google/chrome", "application?support/firefox", "library/cookies", ".nod", ".config/nod", ".local/state/nod", ".local/share/nod",
}

// openNames look like secrets and are none.
var openNames = [...]string{
	".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", "id_rsa.pub", "id_dsa.pub", "id_ecdsa.pub", "id_ed25519.pub",
}

// secretPath tells whether an absolute path, perhaps with patterns in it, may
// name a secret. Links cannot be seen from here: a harmless name may lead to one.
func secretPath(name string) bool {
	parts := strings.Split(strings.TrimPrefix(foldPath(name), "/"), "/")
	last := parts[len(parts)-1]
	if processSecret(parts) {
		return true
	}
	for _, f := range secretFolders {
		if run(parts, f, false) {
			return true
		}
	}
	for _, f := range openNames {
		if f == last {
			return false
		}
	}
	for _, f := range secretNames {
		if strings.Contains(f, "/") {
			if run(parts, f, true) {
				return true
			}
		} else if named(last, f) || last == "**" {
			return true
		}
	}
	return false
}

// named reports whether a name, or a pattern that says enough, is a secret one. A
// pattern such as *.go could match id_rsa.go, but that is nobody's key: against
// an open end only the part of a pattern before its first star is held.
func named(name, secret string) bool {
	star := strings.IndexAny(name, "*?[")
	if star < 0 || !strings.HasSuffix(secret, "*") {
		return meet(name, secret)
	}
	return meet(name, strings.TrimRight(secret, "*.")) || star > 0 && meet(name[:star], secret)
}

// run reports whether the names, which are parted by slashes, follow each other
// in a path, at its end if asked.
func run(parts []string, names string, atEnd bool) bool {
	many := strings.Count(names, "/") + 1
	from := 0
	if atEnd {
		from = max(0, len(parts)-many)
	}
	for i := from; i+many <= len(parts); i++ {
		all, rest := true, names
		for j := 0; j < many && all; j++ {
			var n string
			n, rest, _ = strings.Cut(rest, "/")
			all = meet(parts[i+j], n)
		}
		if all {
			return true
		}
	}
	return false
}

// processSecret covers the kernel's windows into processes, memory and disks.
func processSecret(parts []string) bool {
	last := parts[len(parts)-1]
	switch parts[0] {
	case "proc":
		for _, n := range []string{"environ", "mem", "kcore", "auxv", "cmdline", "fd", "stack"} {
			if meet(last, n) && !(n == "cmdline" && len(parts) == 2) {
				return true
			}
		}
		return len(parts) > 3 && (meet(parts[2], "fd") || meet(parts[2], "root") || meet(parts[2], "cwd") || meet(parts[2], "task"))
	case "dev":
		return len(parts) > 1 && parts[1] != "null" && parts[1] != "stdin" && parts[1] != "zero"
	}
	return false
}

// foldPath makes names equal that some file system takes for equal: small
// letters, look-alikes that fold to ASCII (ſ, K), and no invisible letters.
func foldPath(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return unicode.ToLower(r)
		}
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) {
			return -1
		}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if f < 0x80 {
				return unicode.ToLower(f)
			}
		}
		return unicode.ToLower(r)
	}, s)
}

// secrets looks for secrets among the files a call reads.
func (c call) secrets(title string, files []word) (finding, bool) {
	for _, name := range c.place.all(files) {
		if secretPath(name) {
			f := stops(Secret, "secret file: "+c.place.shown(name), "may read secrets in "+c.place.shown(name))
			f.paths = []string{name}
			return f, true
		}
	}
	return finding{}, false
}

// sweeps reports whether reading all of a folder would read well-known secrets:
// a home or what lies above it, or the system's own.
func (p place) sweeps(dir string) bool {
	d := foldPath(dir)
	switch d {
	case "/", "/home", "/users", "/root", "/etc", "/proc", "/var", "/run", "/dev", "/private", "/private/etc", "/private/var", "/~", "/?", "/mnt", "/media", "/volumes", "/sys":
		return true
	}
	if strings.HasPrefix(d, "/proc/") || strings.HasPrefix(d, "/dev/") {
		return true
	}
	if project := foldPath(p.project); project != "" && project != d && below(project, d) {
		return true // other projects lie there too
	}
	if p.home != "" {
		home := foldPath(p.home)
		if below(home, d) {
			return true
		}
		rest, inside := strings.CutPrefix(d, home+"/")
		if inside && (rest == ".config" || rest == "library" || rest == ".local" || rest == ".local/share" || rest == ".claude" || rest == ".docker" || rest == ".cargo" || rest == ".kube") {
			return true
		}
	}
	// /home/x, /Users/x: somebody's home.
	parts := strings.Split(d, "/")
	return len(parts) == 3 && (parts[1] == "home" || parts[1] == "users") || secretPath(dir)
}
