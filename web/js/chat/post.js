// Sends messages to an agent and tracks their delivery, also while another
// screen is open and after a reload.
import { ApiError, call } from "../api.js";
import { explain } from "../notice.js";
import { store } from "../store.js";
import { now } from "../time.js";
import { t } from "../words.js";
import { became, compare, learn, nameAgain } from "./outbox.js";

/** @typedef {import("./outbox.js").Sent} Sent */

const KEY = "nod.outbox";

/** @type {Sent[]} */
let list = restore();
/** Ids that have become turns. @type {Set<string>} */
const over = new Set();
/** @type {Set<() => void>} */
const ears = new Set();

/** @returns {Sent[]} messages in transit when the page was left, with an unknown result */
function restore() {
  try {
    /** @type {Sent[]} */
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return kept.map((x) => ({ ...x, phase: x.phase === "sending" ? "unsure" : x.phase }));
  } catch {
    return [];
  }
}

/** @param {Sent[]} next */
function put(next) {
  if (next === list) return;
  list = next;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(list.filter((x) => x.own && x.phase !== "delivered")));
  } catch {
    // It holds for as long as the page does.
  }
  for (const f of ears) f();
}

/** @param {string} agent */
export const sentTo = (agent) => list.filter((x) => x.agent === agent);

/** @param {() => void} f */
export function onSent(f) {
  ears.add(f);
  return () => void ears.delete(f);
}

/**
 * Turns that are shown now: the messages that they were are no longer. One that
 * was delivered before all of them is part of an older page.
 * @param {Nod.Turn[]} turns newest first
 * @param {boolean} [all] whether everything of this time is among them
 */
export function arrived(turns, all = false) {
  const oldest = turns.at(-1);
  let next = list;
  if (all && oldest) next = next.filter((x) => x.agent !== oldest.agent || x.phase !== "delivered" || x.at >= Date.parse(oldest.at));
  if (next.length === list.length) next = list;
  for (const turn of turns.toReversed()) {
    const x = became(next, turn);
    if (!x) continue;
    over.add(x.id);
    next = next.filter((y) => y !== x);
  }
  put(next);
}

store.on("event", (/** @type {Nod.Event} */ e) => {
  if (e.message && e.kind.startsWith("message.")) put(learn(list, e.message, over));
});
let compared = /** @type {unknown} */ (undefined);
store.on("state", (/** @type {Nod.State} */ s) => {
  if (s.messages === compared || store.link !== "live") return;
  compared = s.messages;
  let next = list;
  for (const m of s.messages.values()) next = learn(next, m, over);
  put(compare(next, s.messages));
});
// While disconnected, every message that the hub has may be settled.
store.on("link", (link) => {
  compared = undefined;
  if (link === "waiting" && list.some((x) => x.phase === "queued")) put(list.map((x) => (x.phase === "queued" ? { ...x, logged: true } : x)));
});

export const newName = () => crypto.randomUUID?.() ?? `m-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/**
 * Says something. Without a connection nothing is sent, now or later.
 * @param {{agent: string, text: string, files: Nod.Attachment[], when_busy: Nod.WhenBusy}} what
 * @returns {string} the name under which it is on its way; "": it is not
 */
export function post(what) {
  if (store.link !== "live" || !navigator.onLine) return "";
  /** @type {Sent} */
  const x = { ...what, id: newName(), at: now(), phase: "sending", own: true };
  put([...list, x]);
  void deliver(x);
  return x.id;
}

/** @param {Sent} x */
export function again(x) {
  const id = nameAgain(x, newName);
  if (!id || store.link !== "live" || !navigator.onLine) return false;
  /** @type {Sent} */
  const next = { ...x, id, at: now(), phase: "sending", problem: undefined, own: true };
  put([...list.filter((y) => y.id !== x.id), next]);
  void deliver(next);
  return true;
}

/** @param {Sent} x */
export const discard = (x) => put(list.filter((y) => y.id !== x.id));

/** @param {Sent} x */
async function deliver(x) {
  try {
    const m = await call("POST", `/v1/agents/${encodeURIComponent(x.agent)}/turns`,
      { id: x.id, text: x.text, when_busy: x.when_busy, ...(x.files.length ? { files: x.files.map((f) => f.id) } : {}) });
    put(learn(list, m, over, false));
  } catch (e) {
    const at = list.findIndex((y) => y.id === x.id);
    const known = list[at];
    if (!known || known.phase !== "sending") return; // the log was quicker, and knows better
    const unsure = !(e instanceof ApiError) || ["offline", "timeout", "unavailable", "internal"].includes(e.code);
    put(list.with(at, { ...known, phase: unsure ? "unsure" : "failed", problem: unsure ? "" : reason(e) }));
  }
}

/** @param {unknown} e */
function reason(e) {
  const code = e instanceof ApiError ? e.code : "";
  if (code === "not_found") return t("chat.problem.gone");
  return code === "unreachable" ? t("chat.problem.unreachable") : explain(e);
}
