package policy

import (
	"path"
	"strings"
)

// Left out of every kubectl command: --server, --token and friends (send the
// credentials elsewhere), --cache-dir and --profile (write), --raw (any request),
// -f and -k (a manifest from anywhere), -w (never ends).
const (
	kubeLong = "namespace= context= cluster= all-namespaces selector= output= kubeconfig= request-timeout= field-selector= show-labels no-headers sort-by= label-columns= ignore-not-found show-kind chunk-size= template= as= as-group= show-managed-fields v="
	kubeTake = "nloLv"
)

func kubeDangers() []danger {
	return []danger{
		{"server", Secret, "sends credentials to another server"}, {"s", Secret, "sends credentials to another server"}, {"token", Secret, "uses a token from the line"},
		{"raw", Unknown, "makes any request to the cluster"}, {"watch", Read, "never ends by itself"}, {"w", Read, "never ends by itself"},
		{"f", Read, "follows, or reads a manifest"}, {"follow", Read, "never ends by itself"}, {"filename", Network, "reads a manifest from anywhere"},
		{"cache-dir", Write, "writes a cache elsewhere"}, {"profile", Write, "writes a profile"}, {"kustomize", Unknown, "may run programs"}, {"k", Unknown, "may run programs"},
		{"insecure-skip-tls-verify", Secret, "trusts any server"}, {"output-directory", Write, "writes files"},
	}
}

// kubectl judges kubectl by its verb, with flags before it.
func kubectl(c call) finding {
	s := spec{what: "reads from the cluster", operands: anyText, bare: "A", take: kubeTake, long: kubeLong, dangers: kubeDangers()}
	verb := subcommand(c.args, kubeTake, kubeLong)
	if f, ok := kubeDanger(verb); ok {
		return f
	}
	switch verb {
	case "get", "describe", "events":
		s.long += " show-events"
	case "logs":
		s.bare += "p"
		s.take += "c"
		s.long += " container= previous tail= since= since-time= timestamps all-containers prefix limit-bytes= max-log-requests="
	case "top":
		s.long += " containers sum use-protocol-buffers"
	case "explain":
		s.long += " recursive api-version="
	case "version":
		s.long += " client short"
	case "api-resources", "api-versions":
		s.long += " api-group= namespaced? verbs= cached categories="
	case "rollout":
		s.long += " timeout= watch?"
	case "cluster-info", "config", "auth":
		s.long += " minify verbose"
	default:
		return asks(Unknown, "kubectl "+short(verb), "a kubectl command not known harmless")
	}
	s.check = func(c call, p parsed) (finding, bool) { return kubeCheck(verb, c, p) }
	return s.judge("kubectl "+verb, c)
}

func kubeCheck(verb string, c call, p parsed) (finding, bool) {
	if len(p.operands) == 0 || p.operands[0].text != verb || !leads(c.args, verb) {
		return asks(Unknown, "kubectl", "flags before the command"), true
	}
	for _, f := range p.flags {
		value := strings.TrimPrefix(f.value, "=")
		switch f.name {
		case "kubeconfig":
			// A kubeconfig can name a program to run for credentials.
			if !ownKubeconfig(c.place, value) {
				return stops(Unknown, "kubectl --kubeconfig", "a kubeconfig can run programs"), true
			}
		case "o", "output":
			kind, _, _ := strings.Cut(value, "=")
			if !contains([]string{"json", "yaml", "wide", "name", "jsonpath", "custom-columns", "go-template", "jsonpath-as-json"}, kind) {
				return asks(Unknown, "kubectl -o "+short(kind), "an output not known as harmless"), true
			}
		case "v":
			// From 8 on it prints requests with their tokens.
			if !digits(value) || len(value) > 1 || value > "5" {
				return stops(Secret, "kubectl -v", "may print tokens"), true
			}
		}
	}
	second := ""
	if len(p.operands) > 1 {
		second = p.operands[1].text
	}
	switch verb {
	case "cluster-info":
		return stops(Write, "kubectl cluster-info dump", "may write files, shows secrets"), second != ""
	case "config":
		// view hides secrets unless --raw, which is left out.
		return asks(Write, "kubectl config "+short(second), "changes how clusters are reached"), !contains([]string{"view", "current-context", "get-contexts", "get-clusters"}, second)
	case "auth":
		return asks(Unknown, "kubectl auth "+short(second), "a kubectl command not known harmless"), second != "can-i" && second != "whoami"
	case "rollout":
		if second == "status" {
			// By default it waits until a rollout is over, which may be never.
			bounded := p.hasValue("false", "watch") || p.has("timeout") && !p.hasValue("0", "timeout") && !p.hasValue("0s", "timeout")
			return asks(Read, "kubectl rollout status", "may never end by itself"), !bounded
		}
		return asks(Destructive, "kubectl rollout "+short(second), "changes what runs"), second != "history"
	case "explain":
		return finding{}, false // documentation, also of secrets
	}
	for _, o := range p.operands[1:] {
		if o.glob {
			return asks(Unknown, "kubectl: unquoted pattern", "a pattern becomes file names here"), true
		}
		if strings.Contains(strings.ToLower(o.text), "secret") {
			return stops(Secret, "kubectl "+verb+" secret", "shows secrets of the cluster"), true
		}
	}
	return finding{}, false
}

// ownKubeconfig accepts the usual places of a user's own file.
func ownKubeconfig(p place, name string) bool {
	if strings.ContainsAny(name, "*?[:") {
		return false
	}
	for _, full := range p.each(name) {
		if p.home == "" || path.Dir(full) != path.Join(p.home, ".kube") {
			return full == "/etc/kubernetes/admin.conf" || full == "/etc/rancher/k3s/k3s.yaml"
		}
	}
	return true
}

// subcommand is the first word that is neither a flag nor a flag's value.
func subcommand(args []word, take, long string) string {
	s := spec{take: take, long: long}
	for i := 0; i < len(args); i++ {
		a := args[i].text
		if len(a) < 2 || a[0] != '-' {
			return a
		}
		name := strings.TrimLeft(a, "-")
		kind, _ := s.longKind(name)
		if strings.HasPrefix(a, "--") && kind == "=" || len(a) == 2 && strings.Contains(take, a[1:]) {
			i++
		}
	}
	return ""
}

// leads reports whether a verb comes first, except for global flags with a value, and is directly followed by its own
// verb. After any other flag kubectl and helm would take the verb as its value, and the next word for the verb.
func leads(args []word, verb string) bool {
	i := 0
	for ; i < len(args) && args[i].text != verb; i++ {
		switch name, _, attached := strings.Cut(args[i].text, "="); name {
		case "-n", "--namespace", "--context", "--cluster", "--kubeconfig", "--as", "--request-timeout", "--kube-context":
			if !attached {
				i++
			}
		default:
			return false
		}
	}
	switch verb {
	case "config", "auth", "rollout", "top", "cluster-info":
		return i+1 >= len(args) || !strings.HasPrefix(args[i+1].text, "-") || verb == "cluster-info" || verb == "top"
	}
	return i < len(args)
}

func kubeDanger(verb string) (finding, bool) {
	level, why := Destructive, ""
	switch verb {
	case "delete":
		why = "deletes things in the cluster"
	case "apply", "replace", "patch", "edit", "create", "set", "label", "annotate", "expose", "run", "autoscale", "scale", "taint", "kustomize":
		why = "changes the cluster"
	case "drain", "cordon", "uncordon":
		why = "moves work off a node"
	case "exec", "attach", "debug":
		why = "runs commands in a container"
	case "cp":
		level, why = Write, "copies files to or from containers"
	case "port-forward", "proxy":
		level, why = Network, "opens a way into the cluster"
	case "certificate":
		why = "decides about certificates"
	default:
		return finding{}, false
	}
	return asks(level, level+": kubectl "+verb, why), true
}

// helm: values and manifests of a release are full of passwords, so get is asked.
func helm(c call) finding {
	const take, long = "no", "namespace= kube-context= output= all-namespaces all deployed failed filter= max= short date reverse revision= client"
	verb := subcommand(c.args, take, long)
	s := spec{what: "lists releases", operands: anyText, bare: "Aaqdr", take: take, long: long, max: 3, dangers: kubeDangers()}
	switch verb {
	case "list", "ls", "status", "history", "version":
		if !leads(c.args, verb) {
			return asks(Unknown, "helm", "flags before the command")
		}
		s.check = func(_ call, p parsed) (finding, bool) {
			if verb == "status" && p.has("o", "output") && !p.hasValue("table", "o", "output") {
				return stops(Secret, "helm status", "values often hold passwords"), true
			}
			return asks(Unknown, "helm", "the command cannot be read"), len(p.operands) == 0 || p.operands[0].text != verb
		}
		return s.judge("helm "+verb, c)
	case "get":
		return stops(Secret, "helm get", "values often hold passwords")
	case "uninstall", "delete", "del", "un", "rollback", "install", "upgrade":
		return asks(Destructive, "destructive: helm "+verb, "changes what runs in the cluster")
	}
	return asks(Unknown, "helm "+short(verb), "a helm command not known harmless")
}
