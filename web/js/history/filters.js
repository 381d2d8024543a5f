// What a person looks for in the past: as an address, as a question to the hub,
// and as a test for what has just been settled. Pure.
import { automatic } from "../state.js";

/**
 * @typedef {object} Filters
 * @property {string} q
 * @property {string} verdict allow, deny, answer, expired, withdrawn; "": any
 * @property {string} by person, automatic, or a name; "": anyone
 * @property {string} agent
 * @property {string} when today, week, month, dates; "": always
 * @property {string} from with dates: a day
 * @property {string} to with dates: the last day
 */

export const VERDICTS = ["allow", "deny", "answer", "expired", "withdrawn"];
export const SPANS = ["today", "week", "month", "dates"];

/** @type {Filters} */
export const NONE = { q: "", verdict: "", by: "", agent: "", when: "", from: "", to: "" };

const NAMES = /** @type {(keyof Filters)[]} */ (Object.keys(NONE));
const DAY = /^\d{4}-\d\d-\d\d$/;

/** @param {string} search of an address; what it does not know it leaves out @returns {Filters} */
export function fromAddress(search) {
  const p = new URLSearchParams(search);
  const f = { ...NONE };
  for (const name of NAMES) f[name] = (p.get(name) ?? "").slice(0, 200);
  if (!VERDICTS.includes(f.verdict)) f.verdict = "";
  if (!SPANS.includes(f.when)) f.when = "";
  for (const name of /** @type {const} */ (["from", "to"])) if (f.when !== "dates" || !DAY.test(f[name])) f[name] = "";
  return f;
}

/** @param {Filters} f */
export function toAddress(f) {
  const p = new URLSearchParams();
  for (const name of NAMES) if (f[name].trim()) p.set(name, f[name].trim());
  return p.size ? `/history?${p}` : "/history";
}

/**
 * The times that a filter covers, by the clock of this browser.
 * @param {Filters} f
 * @param {Date} now
 * @returns {{from?: Date, to?: Date}}
 */
export function span(f, now) {
  const midnight = (/** @type {number} */ days) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  switch (f.when) {
    case "today": return { from: midnight(0) };
    case "week": return { from: midnight(6) };
    case "month": return { from: midnight(29) };
    case "dates": return { from: day(f.from, 0), to: day(f.to, 1) };
    default: return {};
  }
}

/** @param {string} text @param {number} later */
function day(text, later) {
  if (!DAY.test(text)) return undefined;
  const [y, m, d] = text.split("-").map(Number);
  return new Date(y ?? 0, (m ?? 1) - 1, (d ?? 1) + later);
}

/**
 * The question to the hub; the export takes the same.
 * @param {Filters} f
 * @param {Date} now
 * @returns {URLSearchParams}
 */
export function toQuery(f, now) {
  const p = new URLSearchParams();
  for (const name of /** @type {const} */ (["q", "verdict", "by", "agent"])) if (f[name].trim()) p.set(name, f[name].trim());
  const { from, to } = span(f, now);
  if (from) p.set("from", from.toISOString());
  if (to) p.set("to", to.toISOString());
  return p;
}

/** How many filters are set, the search not counted. @param {Filters} f */
export const active = (f) => [f.verdict, f.by, f.agent, f.when].filter(Boolean).length;

/** @param {string} q */
export const wordsOf = (q) => q.toLowerCase().split(/\s+/).filter(Boolean);

/**
* Whether the hub would list a request that this page has just received. The
 * same rules as hub.Past; where the two differ the hub is right, and the next
 * look shows it.
 * @param {Nod.Request} r
 * @param {Filters} f
 * @param {Date} now
 */
export function fits(r, f, now) {
  if (r.status === "pending") return false;
  const d = r.decision;
  if (f.verdict && f.verdict !== r.status && f.verdict !== d?.verdict) return false;
  if (f.agent && f.agent !== r.agent.id) return false;
  if (f.by && !d) return false;
  if (f.by && d) {
    const sort = automatic(d) ? "automatic" : "person";
    const named = f.by !== "automatic" && f.by !== "person";
    if (named ? d.by.toLowerCase() !== f.by.toLowerCase() : f.by !== sort) return false;
  }
  const { from, to } = span(f, now);
  const asked = new Date(r.asked_at);
  if ((from && asked < from) || (to && asked >= to)) return false;
  const text = remembered(r).toLowerCase();
  return wordsOf(f.q).every((w) => text.includes(w));
}

/** Everything a person could remember of a request. @param {Nod.Request} r */
export function remembered(r) {
  const d = r.decision;
  return [r.title, r.display, r.tool, r.agent.name, r.agent.host, r.agent.cwd, JSON.stringify(r.input ?? ""), r.id,
    ...(r.questions ?? []).map((q) => q.question), d?.by, d?.via, d?.message,
    ...Object.values(d?.answers ?? {}).flatMap((a) => [...(a.picked ?? []), a.text, a.notes])].filter(Boolean).join("\n");
}
