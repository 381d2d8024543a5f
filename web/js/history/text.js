// Words and times of the past. Pure: nothing here touches the page.
import { lang, t } from "../words.js";
import { whoWords } from "./verdict.js";

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {string} name @param {Intl.DateTimeFormatOptions} o */
function format(name, o) {
  const key = name + lang();
  const f = formats.get(key) ?? new Intl.DateTimeFormat(lang(), o);
  formats.set(key, f);
  return f;
}

const plain = (/** @type {string} */ s) => s.replace(/[\u00a0\u2009\u202f]/g, " ");

/** @param {string} at @param {Date} now "Today", "Yesterday", "Monday, 12 January" */
export function dayWords(at, now) {
  const d = new Date(at);
  const days = Math.round((midnight(now) - midnight(d)) / 86_400_000);
  if (days === 0) return t("history.today");
  if (days === 1) return t("history.yesterday");
  const year = d.getFullYear() === now.getFullYear() ? undefined : /** @type {const} */ ("numeric");
  return plain(format(`day${year ?? ""}`, { weekday: "long", day: "numeric", month: "long", year }).format(d));
}

/** @param {Date} d */
const midnight = (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();

/** @param {string} at */
export const dayKey = (at) => String(midnight(new Date(at)));

/** The time alone, and the day where it is not the one above. @param {string} at @param {string} under */
export function timeWords(at, under) {
  const same = dayKey(at) === dayKey(under);
  return plain(format(same ? "time" : "both", same ? { timeStyle: "short" } : { day: "numeric", month: "short", hour: "numeric", minute: "numeric" }).format(new Date(at)));
}

/**
 * A text cut where the words that were searched for are.
 * @param {string} text
 * @param {string[]} words in lower case
 * @returns {{text: string, hit: boolean}[]}
 */
export function pieces(text, words) {
  const lower = text.toLowerCase();
  if (!words.length || lower.length !== text.length) return [{ text, hit: false }]; // letters that change their length: places would be wrong
  /** @type {{text: string, hit: boolean}[]} */
  const out = [];
  for (let at = 0; at < text.length;) {
    const next = words.map((w) => ({ w, i: lower.indexOf(w, at) })).filter((x) => x.i >= 0).sort((a, b) => a.i - b.i || b.w.length - a.w.length)[0];
    const end = next ? next.i : text.length;
    if (end > at) out.push({ text: text.slice(at, end), hit: false });
    if (!next) break;
    out.push({ text: text.slice(end, end + next.w.length), hit: true });
    at = end + next.w.length;
  }
  return out;
}

/**
 * Where the words were found, if the line itself does not show it.
 * @param {Nod.Request} r
 * @param {string[]} words
 */
export function snippet(r, words) {
  const seen = [r.title, r.agent.name, r.agent.host, whoWords(r)].join("\n").toLowerCase();
  const hidden = words.find((w) => !seen.includes(w));
  if (!hidden) return "";
  const replies = Object.values(r.decision?.answers ?? {}).flatMap((a) => [...(a.picked ?? []), a.text ?? "", a.notes ?? ""]);
  for (const text of [r.decision?.message, ...replies, r.display, ...Object.values(r.input ?? {}), r.agent.cwd, r.tool, r.id]) {
    if (typeof text !== "string") continue;
    const one = text.replace(/\s+/g, " ");
    const i = one.toLowerCase().indexOf(hidden);
    if (i >= 0) return `${i > 30 ? "…" : ""}${one.slice(Math.max(0, i - 30), i + hidden.length + 60)}${one.length > i + hidden.length + 60 ? "…" : ""}`;
  }
  return "";
}
