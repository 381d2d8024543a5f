package policy

import "strings"

// dangerous knows the commands that change, destroy or send something: why a person should look, in words for a small
// screen.
func dangerous(c call) (finding, bool) {
	if len(c.args) == 1 && c.args[0].text == "--version" {
		return finding{}, false
	}
	level, why := "", ""
	switch c.name {
	case "rm", "unlink", "rmdir", "shred", "trash":
		level, why = Destructive, deletes(c)
	case "mv", "rename":
		level, why = Destructive, "moves "+c.names()
	case "cp", "install", "ditto":
		level, why = Write, "copies over "+c.last()
	case "ln":
		level, why = Write, "makes links"
		if c.letter('f') || c.flag("--force") {
			level, why = Destructive, "replaces a file by a link"
		}
	case "chmod", "chown", "chgrp", "chattr", "setfacl", "xattr":
		level, why = Destructive, "changes who may use "+c.last()
	case "dd":
		level, why = Destructive, "writes raw data to "+c.valueOf("of=")
	case "fdisk", "parted", "wipefs", "sgdisk", "mkswap", "losetup", "cryptsetup", "diskutil", "lvremove", "vgremove", "zfs", "zpool", "mdadm":
		level, why = Destructive, "changes disks"
	case "truncate":
		level, why = Destructive, "cuts off "+c.last()
	case "tee", "sponge", "split", "csplit", "touch", "mkdir", "mktemp", "mkfifo", "patch":
		level, why = Write, "writes "+c.last()
	case "kill", "pkill", "killall", "xkill", "skill":
		level, why = Destructive, "ends processes"
	case "reboot", "shutdown", "halt", "poweroff", "init", "telinit":
		level, why = Destructive, "stops the whole machine"
	case "service", "launchctl", "rc-service", "update-rc.d", "sysctl", "modprobe", "rmmod", "insmod", "mount", "umount", "swapoff", "iptables", "nft", "ufw", "firewall-cmd", "setenforce", "hostnamectl", "timedatectl":
		level, why = Destructive, "changes the system"
	case "useradd", "userdel", "usermod", "groupadd", "groupdel", "passwd", "chpasswd", "visudo", "adduser", "deluser", "su", "sudo", "doas":
		level, why = Destructive, "changes users or acts as root"
	case "at", "batch", "tmux", "screen":
		level, why = Unknown, "runs commands elsewhere or later"
	case "terraform", "tofu", "pulumi", "ansible", "ansible-playbook", "cdk", "serverless":
		level, why = Destructive, "may change infrastructure"
	case "psql", "mysql", "sqlite3", "mariadb", "mongosh", "mongo", "redis-cli", "clickhouse-client", "sqlcmd", "duckdb":
		return database(c), true
	case "apt", "apt-get", "dpkg", "yum", "dnf", "rpm", "pacman", "zypper", "apk", "brew", "snap", "flatpak", "nix", "nix-env", "port", "gem", "bundle", "cargo", "rustup", "pipx", "uv", "poetry", "yarn", "pnpm", "composer", "mvn", "gradle", "conda":
		level, why = Write, "may install, remove or build packages"
		if elsewhere(c.args) {
			return stops(Unknown, "unknown: "+c.name, "runs another program or project"), true
		}
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "perl", "ruby", "node", "php", "lua", "osascript", "pwsh", "powershell", "tclsh", "deno", "bun", "npx", "awk", "gawk", "mawk", "nawk", "java", "make", "expect", "script", "busybox", "gdb", "strace":
		if len(c.args) == 1 && (c.args[0].text == "-V" || c.args[0].text == "-v" || c.args[0].text == "-version") && c.name != "bash" && c.name != "make" {
			return finding{}, false
		}
		level, why = Unknown, "runs a program of its own"
	case "eval", "exec", "source", ".", "builtin", "trap", "alias", "enable", "hash", "unalias":
		level, why = Unknown, "runs or changes commands"
	case "vi", "vim", "nvim", "nano", "emacs", "ed", "ex", "less", "more", "most", "man", "view", "info":
		level, why = Unknown, "can run commands and write files"
	case "tar", "unzip", "zip", "gzip", "gunzip", "bzip2", "xz", "zstd", "7z", "cpio", "ar", "rar", "unrar":
		level, why = Write, "may write files, run programs"
	default:
		if strings.HasPrefix(c.name, "mkfs") || strings.HasPrefix(c.name, "newfs") {
			level, why = Destructive, "erases a disk"
		} else if sends(c.name) {
			level, why = Network, sending(c)
		}
	}
	if level == "" {
		return finding{}, false
	}
	f := asks(level, level+": "+short(c.name), why)
	for _, a := range c.args {
		f.firm = f.firm || a.text == "/dev/sda" || strings.HasPrefix(a.text, "of=/dev/")
	}
	if level != Destructive {
		if bad, found := c.secrets(c.args); found {
			return bad, true // touching a secret is the worst part
		}
	}
	return f, true
}

// interprets names programs that run what they read.
func interprets(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "perl", "ruby", "node", "php", "lua", "pwsh", "osascript", "source", ".", "eval", "sudo", "tclsh", "deno", "bun":
		return true
	}
	return false
}

// sends names programs that talk to other machines.
func sends(name string) bool {
	switch name {
	case "curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "netcat", "socat", "ftp", "lftp", "telnet", "mosh", "http", "https", "xh", "aria2c",
		"dig", "host", "nslookup", "ping", "traceroute", "whois", "nmap", "mail", "sendmail", "mutt", "gh", "glab", "hub", "aws", "gcloud", "az", "doctl", "heroku", "flyctl", "vercel", "netlify", "openssl", "mosquitto_pub", "rclone", "s3cmd", "gsutil", "curlie", "ssh-copy-id", "ssh-keyscan", "kcat":
		return true
	}
	return false
}

// sending says whether data leaves or a file is written.
func sending(c call) string {
	switch c.name {
	case "curl":
		for _, a := range c.args {
			switch t := a.text; {
			case strings.HasPrefix(t, "-d") || strings.HasPrefix(t, "--data") || strings.HasPrefix(t, "-F") || strings.HasPrefix(t, "--form") || strings.HasPrefix(t, "-T") || strings.HasPrefix(t, "--upload"):
				return "sends data to another machine"
			case strings.HasPrefix(t, "-o") || strings.HasPrefix(t, "-O") || strings.HasPrefix(t, "--output") || strings.HasPrefix(t, "--remote"):
				return "downloads to a file"
			}
		}
		return "asks another machine"
	case "wget", "aria2c":
		return "downloads to a file"
	case "ssh", "mosh", "telnet":
		return "runs on another machine"
	case "scp", "sftp", "rsync", "rclone", "ftp", "lftp":
		return "copies files between machines"
	}
	return "talks to other machines"
}

func deletes(c call) string {
	if c.letter('r') || c.letter('R') || c.flag("--recursive") {
		return "deletes files below " + c.names()
	}
	return "deletes " + c.names()
}

// database finds destructive statements on the command line.
func database(c call) finding {
	for _, a := range c.args {
		low := strings.ToLower(strings.Join(strings.Fields(a.text), " "))
		for _, w := range []string{"drop ", "truncate ", "delete from", "flushall", "flushdb", "alter ", "update ", "grant ", ".deletemany(", "dropdatabase"} {
			if strings.Contains(low, w) {
				return asks(Destructive, "destructive: "+c.name, "changes a database: "+strings.TrimSpace(w))
			}
		}
	}
	return asks(Unknown, "unknown: "+c.name, "talks to a database")
}

// letter reports whether a short flag is among the flags, alone or joined.
func (c call) letter(l byte) bool {
	for _, a := range c.args {
		if len(a.text) > 1 && a.text[0] == '-' && a.text[1] != '-' && strings.IndexByte(a.text, l) > 0 {
			return true
		}
	}
	return false
}

func (c call) flag(name string) bool { return contains(texts(c.args), name) }

// names shows what a command is about: its operand, or how many.
func (c call) names() string {
	var list []string
	for _, a := range c.args {
		if !strings.HasPrefix(a.text, "-") && a.text != "" {
			list = append(list, a.text)
		}
	}
	switch len(list) {
	case 0:
		return "something not known yet"
	case 1:
		return c.place.shown(c.place.each(list[0])[0])
	}
	return c.place.shown(c.place.each(list[0])[0]) + " and more"
}

func (c call) last() string {
	if len(c.args) == 0 || c.args[len(c.args)-1].text == "" {
		return "files"
	}
	return c.place.shown(c.place.each(c.args[len(c.args)-1].text)[0])
}

func (c call) valueOf(prefix string) string {
	for _, a := range c.args {
		if v, ok := strings.CutPrefix(a.text, prefix); ok {
			return short(v)
		}
	}
	return "a file"
}
