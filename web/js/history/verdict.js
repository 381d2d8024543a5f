// How something ended, in one word and one shape; and who did it, from where.
import { h } from "../html.js";
import { icon } from "../icons.js";
import { automatic, step } from "../state.js";
import { store } from "../store.js";
import { has, t } from "../words.js";

/** @typedef {{key: string, shape: string, tone: "yes" | "no" | "doubt" | "plain", doubt?: string}} Ending doubt: it may have had no effect */

/** @param {Nod.Request} r @returns {Ending} */
export function ending(r) {
  const s = step(r), plain = verdict(r);
  return s === "doubted" || s === "overruled" ? { ...plain, shape: "question", tone: "doubt", doubt: s } : plain;
}

/** @param {Nod.Request} r @returns {Ending} */
function verdict(r) {
  const d = r.decision, w = r.withdrawal;
  if (r.status === "decided" && d) {
    if (d.verdict === "deny") return d.stop ? { key: "stopped", shape: "stop", tone: "no" } : { key: "denied", shape: "cross", tone: "no" };
    if (d.verdict === "answer") return { key: "answered", shape: "tick", tone: "yes" };
    return { key: d.input === undefined ? "allowed" : "edited", shape: "tick", tone: "yes" };
  }
  if (r.status !== "withdrawn" || !w) return { key: "expired", shape: "hourglass", tone: "plain" };
  if (w.reason !== "terminal" && w.reason !== "host") return { key: w.reason, shape: w.reason === "lost" ? "broken" : "more", tone: "plain" };
  const key = w.outcome === "denied" || w.outcome === "allowed" ? w.outcome : "answered";
  return key === "denied" ? { key, shape: "cross", tone: "no" } : { key, shape: "tick", tone: "yes" };
}

/** @param {Ending} e */
export const endingWord = (e) => t(has(`verdict.${e.key}`) ? `verdict.${e.key}` : "verdict.superseded");

/** When it was settled, as far as that is known. @param {Nod.Request} r */
export const settledAt = (r) => r.decision?.at ?? r.withdrawal?.at ?? r.expires_at ?? r.asked_at;

/** @param {string} via */
export const door = (via) => (has(`via.${via}`) ? t(`via.${via}`) : via);

/** By whom and from where; "" if no one did anything. @param {Nod.Request} r */
export function whoWords(r) {
  const d = r.decision;
  if (d && automatic(d)) return t(d.via === "lease" ? "history.by.lease" : "history.by.policy");
  if (d) return t("history.by.person", d.by === store.me?.name ? t("who.you") : d.by, door(d.via));
  if (r.withdrawal?.reason === "host" && r.withdrawal.detail) return t("history.by.host", r.withdrawal.detail, r.agent.host);
  if (r.withdrawal?.reason === "terminal" || r.withdrawal?.reason === "host") return t("history.by.terminal", r.agent.host);
  return "";
}

/** @param {Nod.Request} r */
export const isAutomatic = (r) => r.decision !== undefined && automatic(r.decision);

/** The mark of a decision that no person made. */
export const autoMark = () => h("span", { class: "auto-mark" }, icon("auto", { size: 14 }), t("history.automatic"));
