// How risky: a shape, a word, a reason of a few words. And where: which machine,
// and since when it is unreachable.
import { fill, h } from "../html.js";
import { icon, riskShape } from "../icons.js";
import { away, machine } from "../state.js";
import { store } from "../store.js";
import { t } from "../words.js";
import "./clock.js";

const LEVELS = ["read", "write", "network", "destructive", "secret", "unknown"];

/** @param {string | undefined} level a level of a newer hub is unknown to us, and says so */
export const riskLevel = (level) => (level && LEVELS.includes(level) ? level : "unknown");

export class NodBadge extends HTMLElement {
  /** @param {Nod.Request["risk"]} risk */
  set risk(risk) {
    const level = riskLevel(risk?.level);
    this.className = `badge risk-${level}`;
    fill(this, h("span", { class: "badge-mark" }, riskShape(level), t(`risk.${level}`)),
      risk?.reason && h("span", { class: "badge-why" }, risk.reason));
  }
}
customElements.define("nod-badge", NodBadge);

/**
 * A line of words with the machine among them, redrawn only when its text
 * changes.
 * @param {HTMLElement} el
 * @param {{id: string, host: string}} a
 * @param {(string | undefined)[]} [before]
 * @param {(string | undefined)[]} [after]
 */
export function place(el, a, before = [], after = []) {
  const gone = away(store.state, a.id);
  const join = (/** @type {(string | undefined)[]} */ list) => list.filter(Boolean).join(" · ");
  const head = join([...before, gone ? gone.name : machine(store.state, a.host)]), tail = join(after);
  const sign = join([head, gone?.since, tail]);
  if (el.dataset.place === sign) return;
  el.dataset.place = sign;
  fill(el, gone ? [head, " ", h("span", { class: "away" }, icon("broken", { size: 14 }), h("nod-time", { "data-away": gone.since })), tail && ` · ${tail}`] : sign);
}

/** The same on a line of its own, only while its host is away. @param {HTMLElement} el @param {{id: string, host: string}} a */
export function awayLine(el, a) {
  el.hidden = !away(store.state, a.id);
  if (!el.hidden) place(el, a);
}
