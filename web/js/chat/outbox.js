// What people say to agents, on its way there. Pure: lists go in, lists come
// out. The hub's word is the truth; the page only adds what it has tried.

/** After this long without a response from the hub, the person is told so. */
export const PATIENCE = 10_000;

/**
 * sending: on the way to the hub · unsure: not known whether it arrived ·
 * queued: the hub has it · delivered: the agent has it · failed: it never will
 * @typedef {{id: string, agent: string, text: string, files: {id: string, name: string, size: number}[], when_busy: Nod.WhenBusy,
 *   at: number, phase: "sending" | "unsure" | "queued" | "delivered" | "failed", problem?: string, by?: string, via?: string, own: boolean, logged?: boolean}} Sent
 * own: sent from this page · logged: it is in the log, so its result will be too
 */

const FAR = { sending: 0, unsure: 0, queued: 1, delivered: 2, failed: 2 };

/**
* What the hub says about a message. Its phase never goes back, and a message that was
 * dropped is not brought back.
 * @param {Sent[]} list
 * @param {Nod.Message} m
 * @param {ReadonlySet<string>} over ids that have become turns
* @param {boolean} [logged] from the log, not only from the response to a call
 * @returns {Sent[]}
 */
export function learn(list, m, over, logged = true) {
  if (over.has(m.id)) return list;
  const at = list.findIndex((x) => x.id === m.id);
  const known = list[at];
  if (!known) {
    if (m.status !== "queued") return list;
    return [...list, { id: m.id, agent: m.agent, text: m.text, files: m.files ?? [], when_busy: m.when_busy ?? "queue", at: Date.parse(m.at), phase: "queued", by: m.by, via: m.via, own: false, logged }];
  }
  const phase = m.status === "typed" ? "queued" : m.status; // in the agent's own queue: still on its way
  if (FAR[phase] < FAR[known.phase]) return list;
  return list.with(at, { ...known, phase, problem: m.problem, by: m.by, via: m.via, at: Date.parse(m.at), logged: logged || known.logged });
}

/** @param {string} s */
const plain = (s) => s.replace(/\s+/g, " ").trim();

/** Clocks differ a little, and the page's own time is only near the hub's. */
const SLACK = 5000;

/**
 * A turn of a person is the message that became it: the oldest that says the
 * same. What goes with files may have more words around it.
 * @param {Sent[]} list
 * @param {Nod.Turn} turn
 * @returns {Sent | undefined}
 */
export function became(list, turn) {
  if (turn.role !== "person") return undefined;
  const said = plain(turn.text), at = Date.parse(turn.at);
  return list.find((x) => x.agent === turn.agent && x.phase !== "failed" && at >= x.at - SLACK &&
    (plain(x.text) === said || (x.files.length > 0 && said.includes(plain(x.text)))));
}

/**
* A message that the log had and the state no longer has was settled while this page was
 * disconnected, with an unknown result. Messages of other devices are left to them.
 * @param {Sent[]} list
 * @param {ReadonlyMap<string, Nod.Message>} under way
 * @returns {Sent[]} the same list, if nothing was lost
 */
export function compare(list, under) {
  const lost = (/** @type {Sent} */ x) => x.phase === "queued" && x.logged === true && !under.has(x.id);
  if (!list.some(lost)) return list;
  return list.filter((x) => x.own || !lost(x)).map((x) => (lost(x) ? { ...x, phase: /** @type {const} */ ("unsure") } : x));
}

/**
 * What a bubble says about its way. A message that is meant to wait is not late.
 * @param {Sent} x
 * @param {number} now
 * @returns {"sending" | "unsure" | "late" | "waits" | "queued" | "delivered" | "failed"}
 */
export function way(x, now) {
  if (x.phase === "queued" && x.when_busy === "wait") return "waits";
  if ((x.phase === "queued" || x.phase === "sending") && now - x.at >= PATIENCE) return "late";
  return x.phase;
}

/**
* How it is sent again: under the same id if it is unknown whether it
 * arrived, so that it cannot be delivered twice; under a new one after a definite
 * failure; not at all while it is on its way.
 * @param {Sent} x
 * @param {() => string} name
 * @returns {string | undefined}
 */
export function nameAgain(x, name) {
  if (x.phase === "unsure") return x.id;
  return x.phase === "failed" ? name() : undefined;
}
