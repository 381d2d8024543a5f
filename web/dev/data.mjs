// Make-believe agents and requests for the mock.

const ago = (s) => new Date(Date.now() - s * 1000).toISOString();
const ahead = (s) => new Date(Date.now() + s * 1000).toISOString();
export const pick = (list) => list[Math.floor(Math.random() * list.length)];

export const me = { kind: "device", name: "Pixel, Chrome", via: "web", id: "t1", rights: ["view", "answer", "admin"], version: "dev", open: true };

export const assistants = [
  { name: "jarvis", about: "Knows the house: lights, heating, doors.", kind: "claude", host: "desk", language: "pl" },
  { name: "coder", about: "Works in the projects of this machine.", kind: "claude", model: "Opus 5", host: "desk", cwd: "/home/anna/src" },
];

export const answer = (text) => `You asked: “${text}”\n\nThe light in the **kitchen** is on, at 40 %. It was switched on at 18:02 by the sensor beside the door. Zażółć gęślą jaźń.\n\n1. Nobody has moved there for 12 minutes.\n2. It goes out by itself in 3 minutes.\n\nShall I switch it off now?`;

const agents = () => [
  { id: "a1", kind: "claude", name: "anvil", host: "desk", cwd: "/home/anna/src/anvil", state: "waiting", needs_you: "Run a command", model: "Opus 5", since: ago(41), started_at: ago(3600), seen_at: ago(2), can: ["say", "interrupt"], context: { tokens: 84_000, window: 200_000 } },
  { id: "a2", kind: "claude", name: "web-shop", host: "desk", cwd: "/home/anna/src/web-shop", state: "working", tool: "Bash: npm run build", model: "Sonnet 5", since: ago(12), started_at: ago(1200), seen_at: ago(2), can: ["interrupt"], context: { tokens: 31_000, window: 200_000 } },
  { id: "a3", kind: "claude", name: "thesis", host: "laptop", hub: "link:laptop", cwd: "/home/anna/thesis", state: "working", tool: "Read: chapters/03-method.tex", model: "Opus 5", since: ago(4), started_at: ago(900), seen_at: ago(1) },
  { id: "a4", kind: "claude", name: "infra", host: "rack-1", cwd: "/srv/infra", state: "limited", until: ahead(3100), model: "Sonnet 5", problem: "Usage limit reached", since: ago(600), started_at: ago(8000), seen_at: ago(600) },
  { id: "a5", kind: "claude", name: "notes", host: "laptop", hub: "link:laptop", cwd: "/home/anna/notes", state: "idle", prompt: "Tidy up the reading list", model: "Haiku 5", since: ago(1300), started_at: ago(2600), seen_at: ago(1300) },
  { id: "a6", kind: "claude", name: "firmware", host: "desk", cwd: "/home/anna/src/firmware", state: "error", problem: "API error 529: overloaded", model: "Opus 5", since: ago(90), started_at: ago(2600), seen_at: ago(90), can: ["interrupt"] },
  { id: "c-kitchen", kind: "claude", name: "jarvis", host: "desk", cwd: "", state: "idle", since: ago(40), started_at: ago(700), seen_at: ago(40), can: ["say", "interrupt"], conversation: { assistant: "jarvis", room: "kitchen", user: "Anna", context: 300, until: ahead(260), warm: true, turns: 4 } },
  { id: "c-tests00", kind: "claude", name: "flaky tests", host: "desk", cwd: "/home/anna/src/anvil", state: "idle", model: "Opus 5", since: ago(5200), started_at: ago(9000), seen_at: ago(5200), can: ["say", "interrupt"], conversation: { assistant: "coder", turns: 2 } },
  { id: "a7", kind: "claude", name: "old-port", host: "desk", cwd: "/home/anna/src/old-port", state: "ended", since: ago(4000), started_at: ago(9600), seen_at: ago(4000) },
];

const ref = (a) => ({ id: a.id, name: a.name, host: a.host, cwd: a.cwd, kind: a.kind });
const base = (a) => ({ agent: ref(a), can_edit: false, can_always: false, one_tap: true, dialog: "beside", status: "pending", receipts: [{ step: "stored", at: ago(40) }], seq: 1 });

const bash = (a, id, command, risk, more = {}) => ({
  ...base(a), id, kind: "approval", tool: "Bash", title: command, display: command, input: { command, description: more.description }, risk,
  can_edit: true, edit_field: "command", can_always: true, asked_at: ago(38),
  options: [
    { id: "lease", kind: "lease", label: "Bash(go test:*)", detail: "" },
    { id: "rule-1", kind: "always", label: "allow Bash(go test:*)", detail: "localSettings" },
    { id: "rule-1-session", kind: "always", label: "allow Bash(go test:*)", detail: "session" },
  ], ...more,
});

function requests(as) {
  const [a1, a2, a3, a4, a5] = as;
  return [
    bash(a1, "r-test", "go test -race -count=1 ./internal/hub/... \\\n  | tee /tmp/hub-test.log", { level: "write", reason: "writes /tmp/hub-test.log" }, { expires_at: ahead(272) }),
    bash(a4, "r-rm", "kubectl delete namespace staging --grace-period=0 --force", { level: "destructive", reason: "deletes a whole namespace" }, { expires_at: ahead(540), doubt: true }),
    { ...base(a2), id: "r-edit", kind: "approval", tool: "Edit", title: "src/cart/total.ts", display: "", input: { file_path: "/home/anna/src/web-shop/src/cart/total.ts", old_string: "a", new_string: "b" }, risk: { level: "write", reason: "changes one file" }, can_edit: true, edit_field: "new_string", can_always: true, options: [{ id: "rule-1", kind: "always", label: "mode acceptEdits", detail: "session" }], asked_at: ago(30) },
    { ...base(a3), id: "r-ask", kind: "question", tool: "AskUserQuestion", title: "Which citation style? (+2)", asked_at: ago(20), questions: [
      { question: "Which citation style should the bibliography use?", header: "Citations", free_text: true, options: [{ label: "APA 7", description: "Author and year in the text; what the faculty recommends." }, { label: "Chicago", description: "Footnotes; longer, but every source is named where it is used." }, { label: "IEEE", description: "Numbers in brackets, in the order of appearance." }] },
      { question: "Which chapters may I restructure?", header: "Scope", multi_select: true, free_text: true, options: [{ label: "2 Background" }, { label: "3 Method" }, { label: "5 Discussion" }] },
      { question: "Anything that I must not touch?", header: "Limits", free_text: true },
    ] },
    { ...base(a5), id: "r-plan", kind: "plan", tool: "ExitPlanMode", title: "Move the reading list into one file", display: "# Plan", input: { plan: "# Move the reading list into one file\n\n1. Collect …" }, can_edit: true, edit_field: "plan", one_tap: false, asked_at: ago(15), options: [{ id: "default", kind: "mode", label: "default", detail: "asks before edits and commands" }, { id: "acceptEdits", kind: "mode", label: "acceptEdits", detail: "edits files without asking" }, { id: "auto", kind: "mode", label: "auto", detail: "decides by itself" }] },
    { ...base(a2), id: "r-form", kind: "elicitation", tool: "tickets", title: "Where should the ticket go?", display: "Where should the ticket go?", one_tap: false, dialog: "after", asked_at: ago(9), questions: [{ id: "project", question: "Project: the board's key", type: "string", header: "Project" }, { id: "points", question: "Story points", type: "integer", optional: true }, { id: "urgent", question: "Urgent", type: "boolean", options: [{ label: "true" }, { label: "false" }] }] },
    { ...base(a2), id: "r-link", kind: "elicitation", tool: "billing", title: "Sign in to billing", display: "Sign in to continue.", link: "https://billing.example.com/device?code=WDJB-MJHT", one_tap: false, dialog: "after", asked_at: ago(5), questions: [] },
  ];
}

export function world(scene) {
  if (scene === "empty" || scene === "unpaired") return { agents: [], requests: [], leases: [] };
  const as = agents();
  if (scene === "quiet") {
    as[0].state = "working";
    as[0].tool = "Edit: cmd/anvil/main.go";
    return { agents: as.filter((a) => ["a1", "a2", "a3", "a5"].includes(a.id)), requests: [], leases: [] };
  }
  return { agents: as, requests: requests(as), leases: [{ id: "l1", rules: ["Bash(npm test:*)"], agent: "a2", folder: "/home/anna/src/web-shop", until: ahead(760), limit: 30, used: 11, by: "anna at desk", via: "terminal", granted_at: ago(440) }], hosts: [{ name: "laptop", up: false, since: ago(320), version: "dev" }] };
}

let n = 0;
export const fresh = () => bash(agents()[n % 3], `r-new-${++n}`, pick(["git push origin main", "curl -sS https://example.com/health", "rm -rf build", "ls -la"]), pick([{ level: "network", reason: "talks to another machine" }, { level: "destructive", reason: "deletes build" }, { level: "read", reason: "only looks" }]), { asked_at: ago(0), expires_at: ahead(300 + 60 * n) });

export const lease = (r, terms) => ({ id: `l-${Date.now()}`, rules: ["Bash(go test:*)"], agent: terms.where === "session" ? r.agent.id : undefined, folder: r.agent.cwd, until: ahead(terms.minutes * 60), limit: terms.times, used: 0, by: me.name, via: "web", granted_at: ago(0) });

const esc = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;");

export function parts(r) {
  if (!r) return [];
  if (r.kind === "plan") return [{ kind: "markdown", html: "<h1>Move the reading list into one file</h1><p>The list is spread over <strong>seven</strong> notes. I would like to:</p><ol><li>Collect every entry into <code>reading.md</code>, newest first.</li><li>Keep the tags, drop the duplicates (14 found).</li><li>Leave a link in each old note.</li></ol><h2>What stays as it is</h2><p>The notes themselves, and everything in <code>archive/</code>.</p>" }];
  if (r.id === "r-edit") return [{ kind: "diff", title: "src/cart/total.ts", html: `<table class="diff"><tbody>${[["d-ctx", " ", "export function total(items: Item[]) {"], ["d-del", "−", "  return items.reduce((sum, i) =&gt; sum + i.price, 0);"], ["d-add", "+", "  return items.reduce("], ["d-add", "+", "    (sum, i) =&gt; sum + i.price <ins>* i.quantity</ins>, 0,"], ["d-add", "+", "  );"], ["d-ctx", " ", "}"]].map(([c, s, t], i) => `<tr class="${c}"><td class="d-num">${i + 18}</td><td class="d-sign">${s}</td><td class="d-text">${t}</td></tr>`).join("")}</tbody></table>` }];
  if (r.tool === "Bash") {
    const html = esc(r.display).replace(/^(\S+)/gm, "<span class=\"c-fn\">$1</span>").replace(/( --?[\w-]+)/g, "<span class=\"c-var\">$1</span>").replace("staging", "staging<span class=\"hidden-char\">⟨ZWSP⟩</span>");
    return [{ kind: "command", html: `<pre class="code"><code>${html}</code></pre>` }];
  }
  return r.display ? [{ kind: "text", html: `<p>${esc(r.display)}</p>` }] : [];
}

/** As the hub would draw it, more or less. */
export const drawn = (text) => esc(text).split("\n\n").map((p) => (p.startsWith("```") ? `<pre class="code"><code>${p.replace(/```\w*\n?/g, "").replace(/\b(func|return|for)\b/g, '<span class="c-kw">$1</span>')}</code></pre>`
  : p.startsWith("- ") ? `<ul>${p.split("\n").map((l) => `<li>${l.slice(2)}</li>`).join("")}</ul>` : `<p>${p}</p>`)).join("").replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>").replace(/`([^`]+)`/g, "<code>$1</code>");

const REPLIES = [
  "They take **4 s** now. The slow part was a `time.Sleep` in three of them.",
  "I looked through the writer. Two things stand out:\n\n- the buffer is copied once per event\n- the lock is held while the disk writes\n\nShall I change both?",
  "Done. This is what it looks like now:\n\n```go\nfunc (w *Writer) Append(e Event) error {\n\tw.mu.Lock()\n\tdefer w.mu.Unlock()\n\treturn w.log.Write(e.Body())\n}\n```\n\nAll tests pass.",
  "No, that one is on purpose: a reader that falls behind is dropped, so that one slow phone cannot hold up the others. It connects again by itself and gets everything it has missed.",
];
const WISHES = ["Make the tests quick.", "Why is the log slow?", "Yes, both please. And say what it brought when you are done.", "Is the second channel a leak?"];
const STEPS = [["Bash", "go test ./..."], ["Read", "internal/hub/writer.go"], ["Edit", "internal/hub/writer.go"], ["Grep", "time.Sleep"]];

export function turns(agent, many = 0) {
  const n = many || 12, out = [];
  for (let i = 0; i < n; i++) {
    const round = Math.floor(i / 6), part = i % 6;
    const at = ago((n - i) * 47), seq = i + 1;
    if (part === 0) out.push({ agent, role: "person", text: WISHES[round % 4], at, seq });
    else if (part === 5) out.push({ agent, role: "agent", text: REPLIES[round % 4], at, seq });
    else out.push({ agent, role: "tool", tool: STEPS[part - 1][0], text: STEPS[part - 1][1], html: `<pre class="code"><code>${STEPS[part - 1][1]}</code></pre>`, at, seq });
  }
  return out.map((x) => ({ html: drawn(x.text), ...x }));
}
