// One line of the past.
import { riskLevel } from "../elements/badge.js";
import { fill, h } from "../html.js";
import { icon, riskShape } from "../icons.js";
import { elsewhere, step } from "../state.js";
import { t } from "../words.js";
import { wordsOf } from "./filters.js";
import { pieces, snippet, timeWords } from "./text.js";
import { autoMark, ending, endingWord, isAutomatic, settledAt, whoWords } from "./verdict.js";

/** @param {string} text @param {string[]} words */
const marked = (text, words) => pieces(text, words).map((p) => (p.hit ? h("mark", null, p.text) : p.text));

/** What changes in a line after it was drawn. @param {Nod.Request} r */
export const signOf = (r) => `${r.status} ${step(r)} ${r.decision?.at ?? ""}`;

/**
 * @param {HTMLElement} li
 * @param {Nod.Request} r
 * @param {string} q
 */
export function drawRow(li, r, q) {
  const words = wordsOf(q);
  const e = ending(r), level = riskLevel(r.risk?.level), who = whoWords(r);
  const found = words.length ? snippet(r, words) : "";
  li.dataset.sign = signOf(r);
  fill(li, h("button", { type: "button", class: `entry tone-${e.tone}`, "data-open": r.id },
    icon(e.shape, { size: 22 }),
    h("span", { class: "entry-text" },
      h("span", { class: r.kind === "approval" ? "entry-title mono" : "entry-title" }, marked(r.title, words)),
      found && h("span", { class: "entry-found" }, marked(found, words)),
      h("span", { class: "entry-how" }, h("b", { class: "entry-verdict" }, endingWord(e)), e.doubt && h("span", { class: "entry-doubt" }, t(`step.${e.doubt}`)), who && h("span", null, marked(who, words)), isAutomatic(r) && autoMark()),
      h("span", { class: "entry-where" }, r.kind === "approval" && h("span", { class: `risk risk-${level}` }, riskShape(level), t(`risk.${level}`)),
        h("span", null, marked([r.agent.name, elsewhere(r.agent), r.agent.host].filter(Boolean).join(" · "), words)))),
    h("time", { datetime: settledAt(r) }, timeWords(settledAt(r), r.asked_at))));
}
