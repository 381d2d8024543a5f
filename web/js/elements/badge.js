// How risky: a shape, a word, a reason of a few words.
import { fill, h } from "../html.js";
import { riskShape } from "../icons.js";
import { t } from "../words.js";

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
