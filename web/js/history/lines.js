// The list on the screen: days, and in each day pieces of twenty lines. The
// browser leaves out whole pieces that are out of sight; to ask it for every
// line alone costs five times as much at each step of scrolling.
import { h } from "../html.js";
import { drawRow, signOf } from "./row.js";
import { dayKey, dayWords } from "./text.js";

const PIECE = 20;
/** A guess, until a piece was seen once. */
const LINE = 92;

export class Lines {
  /** @param {() => string} words what was searched for */
  constructor(words) {
    this.words = words;
    this.element = h("div", { class: "ledger" });
    /** @type {Map<string, HTMLElement>} */
    this.rows = new Map();
  }

  clear() {
    this.rows.clear();
    this.element.replaceChildren();
  }

  /** @param {string} id */
  button(id) {
    return this.rows.get(id)?.querySelector("button") ?? undefined;
  }

  /** What is older than everything there. @param {Nod.Request[]} added */
  append(added) {
    for (const r of added) {
      let day = /** @type {HTMLElement | null} */ (this.element.lastElementChild);
      if (day?.dataset.day !== dayKey(r.asked_at)) {
        day = this.day(r);
        this.element.append(day);
      }
      let piece = /** @type {HTMLElement} */ (day.lastElementChild);
      if (piece.children.length >= PIECE) {
        piece = h("ol", { class: "piece" });
        day.append(piece);
      }
      piece.append(this.row(r));
      grow(piece);
    }
  }

  /**
   * What is new, each before the next older one; nothing else is touched.
   * @param {Nod.Request[]} news
   * @param {Nod.Request[]} all in order, the news among them
   */
  insert(news, all) {
    const fresh = new Set(news.map((r) => r.id));
    for (let i = all.length - 1; i >= 0; i--) {
      const r = /** @type {Nod.Request} */ (all[i]);
      if (!fresh.has(r.id)) continue;
      const below = this.rows.get(all[i + 1]?.id ?? "");
      const section = /** @type {HTMLElement | null} */ (below?.closest(".day"));
      if (!below || !section) this.append([r]);
      else if (section.dataset.day === dayKey(r.asked_at)) {
        below.before(this.row(r));
        grow(/** @type {HTMLElement} */ (below.parentElement));
      } else {
        const day = this.day(r);
        section.before(day);
        day.lastElementChild?.append(this.row(r));
      }
    }
  }

  /** Redraws a line if it changed. @param {Nod.Request} r */
  change(r) {
    const li = this.rows.get(r.id);
    if (li && li.dataset.sign !== signOf(r)) drawRow(li, r, this.words());
  }

  /** @param {Nod.Request} r */
  day(r) {
    return h("section", { class: "day", "data-day": dayKey(r.asked_at) }, h("h2", { class: "label" }, dayWords(r.asked_at, new Date())), h("ol", { class: "piece" }));
  }

  /** @param {Nod.Request} r */
  row(r) {
    const li = h("li", { class: "line", "data-id": r.id });
    drawRow(li, r, this.words());
    this.rows.set(r.id, li);
    return li;
  }
}

/** @param {HTMLElement} piece */
function grow(piece) {
  piece.style.setProperty("contain-intrinsic-block-size", `auto ${piece.children.length * LINE}px`);
}
