package policy

// secretNames are files that hold secrets wherever they are; a name with a slash is the end of a path. All in lower
// case: some file systems ignore case.
var secretNames = [...]string{
	".env*", "*.env", "env.local", "env.production", "env.prod", "env.staging", ".flaskenv", ".dev.vars*", ".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".git-credentials", ".vault-token", ".vault_pass",
	".dockercfg", ".boto", ".s3cfg", ".fetchmailrc", ".msmtprc", ".authinfo*", ".claude.json", ".databrickscfg", ".snowsql", ".sentryclirc", ".xauthority", ".aider.conf.yml", ".terraformrc", ".rclone.conf", ".wgetrc", ".curlrc",
	"*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.kdb", "*.ppk", "*.asc", "*.gpg", "*.age", "*.tfstate", "*.tfstate.backup", "*.tfvars", "*.tfvars.json", "*.ovpn", "*.agekey", "*.keytab",
	"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "ssh_host_*_key",
	".*_history", ".histfile", ".zhistory", "*_history", "fish_history", ".lesshst", ".viminfo",
	"credentials", ".credentials", "credentials.*", "*credentials.json", "auth.json", "secrets.y*ml", "secrets.json", "secrets.toml", "*.secret", "*.secrets", ".secrets", "service-account*.json", "client_secret*.json",
	"shadow", "shadow-", "gshadow", "gshadow-", "master.passwd", "sudoers", "opasswd", "secring.*", "wallet.dat", "login.keychain*", "wp-config.php", "firebase-tools.json",
	".docker/config.json", ".config/gh/hosts.yml", ".config/hub", ".config/glab-cli/config.yml", ".config/pip/pip.conf", ".pip/pip.conf", ".m2/settings.xml", ".m2/settings-security.xml", ".codex/auth.json", ".gemini/oauth_creds.json", ".cursor/mcp.json", ".claude/settings*.json",
	".composer/auth.json", ".config/composer/auth.json", ".config/rclone/rclone.conf", ".config/op/config", ".config/containers/auth.json", ".gradle/gradle.properties", ".fly/config.yml", ".bundle/config", ".dbt/profiles.yml", ".netlify/config.json", ".railway/config.json", ".nuget/nuget/nuget.config",
	".cache/huggingface/token", ".huggingface/token", ".local/share/opencode/auth.json", "config/database.yml", "config/master.key",
	"logins.json", "key4.db", "key3.db", "cookies.sqlite", ".cargo/credentials*", ".git/config*", "etc/rancher/k3s/k3s.yaml", "etc/kubernetes/*.conf",
	"storage.key", "server.key", ".password", ".passwd", ".token", "token.json", "accesstokens.json",
}

// secretFolders hold only secrets; a name with a slash is a run of folders.
var secretFolders = [...]string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", ".oci", ".kaggle", ".envs", ".ngrok2", ".wrangler", ".config/.wrangler", ".config/gcloud", ".config/op", ".config/doctl", ".config/github-copilot", ".config/sops", ".config/stripe", ".config/anthropic", ".config/goose", ".config/configstore", ".config/ngrok",
	".claude/.credentials.json", ".mozilla", ".thunderbird", ".1password", ".subversion/auth", ".local/share/com.vercel.cli", ".local/share/atuin", ".zsh_sessions", ".terraform.d", ".ivy2/.credentials",
	"google-chrome", "chromium", "bravesoftware", "microsoft-edge", ".config/vivaldi", "keychains", "keyrings", ".secrets", "run/secrets", "etc/wireguard", "etc/ssl/private", "networkmanager/system-connections",
	"etc/sudoers.d", ".local/share/kwalletd", "application?support/google/chrome", "application?support/firefox", "library/cookies", ".nod", ".config/nod", ".local/state/nod", ".local/share/nod",
}

// openNames look like secrets and are not. cert.pem is not among them: many hold the key as well.
var openNames = [...]string{
	".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", "id_rsa.pub", "id_dsa.pub", "id_ecdsa.pub", "id_ed25519.pub",
	"fullchain.pem", "chain.pem", "cacert.pem", "public.pem", "pubkey.pem",
}

// codeEndings are of source or build files: a pattern that ends in one could match id_rsa.go, but that is never a
// key.
const codeEndings = "go ts tsx js jsx mjs cjs py rs c h cc cpp hpp java kt swift rb php cs lua md rst txt css scss html vue svelte sql sh proto json yml yaml toml lock mod sum log csv xml tar gz tgz bz2 xz zip iso bin exe deb rpm png jpg jpeg gif svg pdf wasm jar ipynb patch diff"
