// The beginning of a conversation's log: more of it, its very first word, or why
// there is nothing.
import { ApiError } from "../api.js";
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { explain } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";

export class Begin {
  /**
   * @param {string} id of the agent
   * @param {import("./reader.js").Reader} reader
   */
  constructor(id, reader) {
    this.id = id;
    this.reader = reader;
    this.element = h("div", { class: "chat-begin" });
  }

  /** @param {boolean} bare there is neither a card nor anything on its way */
  update(bare) {
    const sign = this.sign(bare);
    if (this.element.dataset.sign === sign) return;
    this.element.dataset.sign = sign;
    fill(this.element, this.view(sign));
  }

  /** @param {boolean} bare */
  sign(bare) {
    const { talk, begun, problem, above } = this.reader;
    // To try again would not help where there is no such agent.
    if (!begun) return problem instanceof ApiError && problem.code === "not_found" ? "unknown" : problem ? "error" : "loading";
    if (above === "failed") return "failed";
    if (!talk.whole) return "more";
    if (!talk.empty || !bare) return "begin";
    return store.state.seq > 0 && !store.state.agents.has(this.id) ? "unknown" : "empty";
  }

  /** @param {string} sign */
  view(sign) {
    switch (sign) {
      case "error":
        return this.big(sign, explain(this.reader.problem), this.retry(() => { delete this.element.dataset.sign; void this.reader.begin(); }));
      case "empty":
      case "unknown":
        return this.big(sign, t(sign === "empty" && store.state.agents.get(this.id)?.conversation ? "talk.begin" : `chat.${sign}.how`));
      case "failed":
        return h("p", { class: "chat-more" }, t("chat.older.failed"), this.retry(() => void this.reader.older()));
      case "begin":
        return h("p", { class: "chat-day" }, t("chat.begin"));
    }
    return h("p", { class: `chat-skeleton ${sign}`, role: "status", "aria-label": t("chat.loading") }, h("i"), h("i"), h("i"));
  }

  /**
   * @param {string} sign
   * @param {import("../html.js").Child} more
   * @param {import("../html.js").Child} [act]
   */
  big(sign, more, act) {
    return h("div", { class: "chat-empty" }, h("i", { class: "sign big", "aria-hidden": "true" }), h("h2", null, t(`chat.${sign}`)), h("p", null, more), act);
  }

  /** @param {() => void} act */
  retry(act) {
    return h("button", { type: "button", onclick: act }, icon("again", { size: 20 }), t("chat.retry"));
  }
}
