// What the log says so far, as far as this page needs it. Pure: the same
// snapshot and the same events always give the same state, and nothing that was
// given out is changed afterwards.

/** How many settled requests are kept for "just now". */
const KEEP = 40;

/** @returns {Nod.State} */
export const empty = () => ({
  seq: 0, agents: new Map(), requests: new Map(), leases: new Map(), messages: new Map(), hosts: new Map(), lastTurn: new Map(),
});

/**
 * @template {{id: string}} T
 * @param {T[] | null | undefined} list
 * @returns {Map<string, T>}
 */
const byID = (list) => new Map((list ?? []).map((x) => [x.id, x]));

/**
 * A new snapshot. Settled requests of the old state stay: after a gap a person
 * still wants to know what became of their answer. What was pending and is no
* longer there was settled while disconnected, and is forgotten.
 * @param {Nod.State} old
 * @param {Nod.Snapshot} snap
 * @returns {Nod.State}
 */
export function restart(old, snap) {
  const requests = byID(snap.requests);
  for (const r of old.requests.values()) if (r.status !== "pending" && !requests.has(r.id)) requests.set(r.id, r);
  return {
    seq: snap.seq, agents: byID(snap.agents), requests, leases: byID(snap.leases), messages: byID(snap.messages),
    hosts: new Map((snap.hosts ?? []).map((x) => [hostKey(x), x])), lastTurn: old.lastTurn,
  };
}

/**
 * @param {Nod.State} state
 * @param {Nod.Event} e
 * @returns {Nod.State}
 */
export function apply(state, e) {
  if (e.seq <= state.seq) return state; // said twice after a reconnect
  const next = { ...state, seq: e.seq };
  const change = changes[e.kind];
  if (change) change(next, e);
  return next;
}

/** @type {Record<string, (s: Nod.State, e: Nod.Event) => void>} */
const changes = {
  "agent.changed": (s, e) => { if (e.agent) s.agents = put(s.agents, e.agent.id, e.agent); },
  "request.raised": (s, e) => { if (e.request) s.requests = put(s.requests, e.request.id, e.request); },
  "request.decided": (s, e) => settle(s, e, (r) => {
    if (!e.decision) return r;
    /** @type {Nod.Receipt} */
    const receipt = { step: "decided", by: e.decision.by, via: e.decision.via, at: e.at };
    if (e.decision.under) use(s, e.decision.under);
    return { ...r, status: "decided", decision: e.decision, receipts: [...(r.receipts ?? []), receipt] };
  }),
  "request.withdrawn": (s, e) => settle(s, e, (r) => ({ ...r, status: "withdrawn", withdrawal: e.withdrawal })),
  "request.expired": (s, e) => settle(s, e, (r) => ({ ...r, status: "expired" })),
  "request.receipt": (s, e) => {
    const r = s.requests.get(e.request_id ?? "");
    if (r && e.receipt) s.requests = put(s.requests, r.id, { ...r, receipts: [...(r.receipts ?? []), e.receipt] });
  },
  "turn.taken": (s, e) => { if (e.turn?.role === "agent") s.lastTurn = put(s.lastTurn, e.turn.agent, e.seq); },
  "lease.granted": (s, e) => { if (e.lease) s.leases = put(s.leases, e.lease.id, e.lease); },
  "lease.ended": (s, e) => { if (e.lease) s.leases = drop(s.leases, e.lease.id); },
  "message.said": (s, e) => { if (e.message) s.messages = put(s.messages, e.message.id, e.message); },
  "message.typed": (s, e) => { if (e.message) s.messages = put(s.messages, e.message.id, e.message); },
  "message.delivered": (s, e) => { if (e.message) s.messages = drop(s.messages, e.message.id); },
  "message.failed": (s, e) => { if (e.message) s.messages = drop(s.messages, e.message.id); },
  "host.changed": (s, e) => { if (e.host) s.hosts = put(s.hosts, hostKey(e.host), e.host); },
};

/**
 * @template V
 * @param {Map<string, V>} map
 * @param {string} key
 * @param {V} value
 */
const put = (map, key, value) => new Map(map).set(key, value);

/**
 * @template V
 * @param {Map<string, V>} map
 * @param {string} key
 */
function drop(map, key) {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/**
 * @param {Nod.State} s
 * @param {Nod.Event} e
 * @param {(r: Nod.Request) => Nod.Request} f
 */
function settle(s, e, f) {
  const r = s.requests.get(e.request_id ?? "");
  if (!r || r.status !== "pending") return;
  const requests = new Map(s.requests);
  requests.delete(r.id); // and to the end: settled ones are kept in the order in which they were settled
  requests.set(r.id, f(r));
  const settled = [...requests.values()].filter((x) => x.status !== "pending");
  for (const old of settled.slice(0, Math.max(0, settled.length - KEEP))) requests.delete(old.id);
  s.requests = requests;
}

/**
 * @param {Nod.State} s
 * @param {string} id
 */
function use(s, id) {
  const l = s.leases.get(id);
  if (l) s.leases = put(s.leases, id, { ...l, used: l.used + 1 });
}

/**
 * What waits: oldest deadline first, then the oldest question.
 * @param {Nod.State} s
 * @returns {Nod.Request[]}
 */
export function waiting(s) {
  const deadline = (/** @type {Nod.Request} */ r) => (r.expires_at ? Date.parse(r.expires_at) : Infinity);
  return [...s.requests.values()].filter((r) => r.status === "pending").sort((a, b) => {
    const x = deadline(a), y = deadline(b);
    return (x === y ? 0 : x - y) || Date.parse(a.asked_at) - Date.parse(b.asked_at) || (a.id < b.id ? -1 : 1);
  });
}

/**
 * The order on screen: what is there keeps its place, what is new comes below.
 * fresh is how many of the new ones are more urgent than something above them.
 * @param {string[]} shown
 * @param {string[]} sorted
 * @returns {{order: string[], urgent: string[]}}
 */
export function steady(shown, sorted) {
  const rank = new Map(sorted.map((id, i) => [id, i]));
  const kept = shown.filter((id) => rank.has(id));
  const added = sorted.filter((id) => !kept.includes(id));
  const urgent = added.filter((id) => kept.some((k) => Number(rank.get(k)) > Number(rank.get(id))));
  return { order: [...kept, ...added], urgent };
}

const RANK = ["waiting", "error", "limited", "working", "idle", "ended"];

/**
 * Agents as a person looks for them: those that need someone first.
 * @param {Nod.State} s
 * @returns {Nod.Agent[]}
 */
export const agentsInOrder = (s) => [...s.agents.values()].sort((a, b) =>
  RANK.indexOf(a.state) - RANK.indexOf(b.state) || Date.parse(b.since) - Date.parse(a.since) || (a.id < b.id ? -1 : 1));

/**
 * How far a request has provably come.
 * @param {Nod.Request} r
 */
export function step(r) {
  /** @type {Set<string>} */
  const steps = new Set((r.receipts ?? []).map((x) => x.step));
  return ["overruled", "applied", "doubted", "delivered", "decided", "shown", "told", "stored"].find((x) => steps.has(x)) ?? "raised";
}

/** @param {Nod.Request} r */
export const needsHold = (r) => r.kind === "approval" && ["destructive", "secret", "unknown"].includes(r.risk?.level ?? "unknown");

/**
 * Suggested replies that say more than the card's own buttons: a dialog's Yes and No
 * stand there as Allow and Deny already.
 * @param {Nod.Request} r
 */
export const replies = (r) => (r.suggestions ?? []).filter(({ answer: a }) =>
  r.kind !== "approval" || a.verdict === "answer" || a.message || a.stop || a.mode || a.lease || a.input !== undefined ||
  (a.remember && !r.options?.some((o) => o.kind === "always" && o.id === a.remember)));

/** @param {Nod.Decision} d */
export const automatic = (d) => d.via === "policy" || d.via === "lease";

/**
 * The project of an agent, where its name does not say it already.
 * @param {{name: string, cwd: string, conversation?: {assistant: string}}} a
 */
export const elsewhere = (a) => (a.name === project(a.cwd) || a.conversation?.assistant === project(a.cwd) || a.name.startsWith(`${project(a.cwd)} `) ? "" : project(a.cwd));

/** @param {string} cwd the last folder is what people call a project */
export const project = (cwd) => cwd.split(/[\\/]/).filter(Boolean).at(-1) ?? cwd;

/** What a tool is called with. @param {Nod.Request} r @returns {Record<string, unknown>} */
export const input = (r) => /** @type {any} */ (r.input ?? {});

/** Hubs apart from links, which may have the name of the same machine. @param {Nod.Host} x */
const hostKey = (x) => (x.hub ? `hub/${x.hub}` : x.name);

/** The host of an agent, while it is unreachable. @param {Nod.State} s @param {string} id */
export function away(s, id) {
  const a = s.agents.get(id);
  if (!a?.hub || a.state === "ended") return undefined;
  const host = s.hosts.get(a.hub.startsWith("link:") ? a.hub.slice(5) : `hub/${a.hub}`);
  return host?.up === false ? host : undefined;
}

/** The name of a machine, where there is more than one. @param {Nod.State} s @param {string} host */
export function machine(s, host) {
  const all = [...s.hosts.values()].map((x) => x.name);
  for (const a of s.agents.values()) if (a.state !== "ended") all.push(a.host);
  for (const r of s.requests.values()) if (r.status === "pending") all.push(r.agent.host);
  return all.some((x) => x && x !== host) ? host : "";
}

/** Whether an answer to it arrives only when its host is back. @param {Nod.State} s @param {Nod.Request} r */
export const answerWaits = (s, r) => (r.status === "pending" || (r.status === "decided" && step(r) === "decided") ? away(s, r.agent.id) : undefined);
