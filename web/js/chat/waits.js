// The pill that says how many requests wait when their cards are out of sight.
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { t } from "../words.js";

export class Waits {
  /**
   * @param {import("./tail.js").Tail} tail whose cards are meant
   * @param {HTMLElement} root the part that scrolls
   */
  constructor(tail, root) {
    this.cards = tail.cards;
    this.element = h("button", { type: "button", class: "pill chat-waits", hidden: true, onclick: () => tail.card()?.scrollIntoView({ block: "end" }) });
    this.seen = false;
    this.watch = new IntersectionObserver((all) => { this.seen = all.at(-1)?.isIntersecting ?? false; this.update(); }, { root, rootMargin: "-24px 0px" });
    this.watch.observe(this.cards);
  }

  update() {
    const n = this.cards.querySelectorAll("nod-card:not(.is-settled)").length;
    this.element.hidden = n === 0 || this.seen;
    if (n) fill(this.element, icon("back", { size: 18, class: "up" }), t("inbox.waitingcount", n));
  }

  leave() {
    this.watch.disconnect();
  }
}
