// The button that leads to the end of a conversation, with a count of what came
// while the reader was further up.
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { t } from "../words.js";

export class Jump {
  /** @param {() => void} toEnd */
  constructor(toEnd) {
    this.element = h("button", { type: "button", class: "chat-jump", hidden: true, onclick: toEnd });
    this.unseen = 0;
  }

  /** @param {boolean} atEnd */
  update(atEnd) {
    this.element.hidden = atEnd;
    const words = this.unseen ? t("chat.jump.new", this.unseen) : t("chat.jump");
    if (this.element.dataset.sign === words) return;
    this.element.dataset.sign = words;
    this.element.classList.toggle("has-news", this.unseen > 0);
    fill(this.element, icon("down", { size: 20 }), h("span", { class: this.unseen ? "" : "unseen" }, words));
  }
}
