// Sends an answer, once, and remembers how far it got. The truth about a
// request is in the state; this only knows what this page has tried.
import { api, ApiError } from "./api.js";
import { step } from "./state.js";
import { store } from "./store.js";
import { explain, notice } from "./notice.js";
import { t } from "./words.js";

/** @typedef {{phase: "sending" | "sent" | "failed" | "unsure", answer: Nod.Answer, words?: string, proof?: boolean}} Attempt proof: it would have taken a passkey */

/** @type {Map<string, Attempt>} */
const attempts = new Map();
/** @type {Set<(id: string) => void>} */
const ears = new Set();

/** @param {string} id */
export const attempt = (id) => attempts.get(id);

/** @param {(id: string) => void} f */
export function onAttempt(f) {
  ears.add(f);
  return () => ears.delete(f);
}

/**
 * @param {string} id
 * @param {Attempt} a
 */
function put(id, a) {
  attempts.set(id, a);
  for (const f of ears) f(id);
}

/**
 * @param {Nod.Request} r
 * @param {Nod.Answer} answer
 * @param {{prove?: boolean}} [how] prove: false where no person is at the screen to confirm with a passkey
 */
export async function decide(r, answer, how = {}) {
  if (attempts.get(r.id)?.phase === "sending") return;
  if (store.link !== "live" || !navigator.onLine) {
    put(r.id, { phase: "failed", answer, words: t("offline.refused") });
    return;
  }
  put(r.id, { phase: "sending", answer });
  await send(r, answer, undefined, how.prove ?? true);
}

/**
 * @param {Nod.Request} r
 * @param {Nod.Answer} answer
 * @param {string} [proof]
 * @param {boolean} [prove]
 */
async function send(r, answer, proof, prove = true) {
  try {
    const d = await api.decide(r.id, answer, proof);
    put(r.id, { phase: "sent", answer });
    const now = store.state.requests.get(r.id) ?? r;
    // The hub has it on disk; the log will say the same, now or in a moment.
    if (now.status === "pending") store.learn({ ...now, status: "decided", decision: d, receipts: [...(now.receipts ?? []), { step: "decided", by: d.by, via: d.via, at: d.at }] });
  } catch (e) {
    const needed = !proof && e instanceof ApiError && e.code === "proof_needed";
    if (needed && prove) await confirm(r, answer);
    else if (needed) put(r.id, { phase: "failed", answer, words: t("voice.proof"), proof: true });
    else fail(r, answer, e);
  }
}

/**
 * The hub wants a passkey for this one. Nothing was decided yet; it is sent
 * again once, with the proof. Another device may answer it meanwhile.
 * @param {Nod.Request} r
 * @param {Nod.Answer} answer
 */
async function confirm(r, answer) {
  let proof;
  try {
    const { proveRequest } = await import("./passkey.js");
    proof = await proveRequest(r.id);
  } catch (e) {
    put(r.id, { phase: "failed", answer, words: explain(e) });
    return;
  }
  await send(r, answer, proof);
}

/**
 * @param {Nod.Request} r
 * @param {Nod.Answer} answer
 * @param {unknown} e
 */
function fail(r, answer, e) {
  if (e instanceof ApiError && e.code === "conflict" && e.request) {
    attempts.delete(r.id);
    store.learn(e.request); // the card says who was first
    for (const f of ears) f(r.id);
    return;
  }
  const code = e instanceof ApiError ? e.code : "";
  // It is unknown whether it arrived: say so, and check.
  const unsure = code === "timeout" || code === "offline";
  put(r.id, { phase: unsure ? "unsure" : "failed", answer, words: unsure ? t("error.unsure") : explain(e) });
  if (unsure) void look(r.id);
}

/** @param {string} id */
async function look(id) {
  try {
    const r = await api.request(id);
    if (r.status !== "pending") store.learn(r);
    else put(id, { phase: "failed", answer: { verdict: "deny" }, words: t("error.notsent") });
  } catch {
    // The stream will report it, once it is connected again.
  }
}

// Back again: what was refused may be tried once more, what was unsure is looked up.
store.on("link", (link) => {
  if (link !== "live") return;
  for (const [id, a] of attempts) {
    if (a.phase === "unsure") void look(id);
    if (a.phase !== "failed") continue;
    attempts.delete(id);
    for (const f of ears) f(id);
  }
});

/** Whose answers were ours: those that this page sent. @param {Nod.Request} r */
export const mine = (r) => attempts.get(r.id)?.phase === "sent" || (attempts.has(r.id) && r.decision?.by === store.me?.name && r.decision?.via === "web");

/** @type {Set<string>} */
const warned = new Set();

/** Tells at once, wherever the person is, when an answer of theirs had no effect. @param {Nod.State} state */
export function watchProof(state) {
  for (const id of attempts.keys()) {
    const r = state.requests.get(id);
    const s = r ? step(r) : "";
    if (!r || warned.has(id + s) || (s !== "doubted" && s !== "overruled") || !mine(r)) continue;
    warned.add(id + s);
    notice(t(`proof.${s}.long`, r.agent.name, r.agent.host), { kind: "doubt", stay: true });
  }
}
