// Above the box: a few short replies that fit the moment. The hub chooses them;
// what is shown and what is said are two things, and the second is the title.
import { call } from "../api.js";
import { guarded, moved } from "../guard.js";
import { fill, h } from "../html.js";
import { notice } from "../notice.js";
import { lang, t } from "../words.js";
import { post } from "./post.js";

/** @typedef {{id: string, label: string, detail?: string, hold?: boolean, do: {kind: string, text?: string, page?: number}}} Button */

const MOST = 5;

/**
 * Those that belong here: words, and the way to more of them. What is asked has
 * its card, to stop has its own button, and what must be held is typed.
 * @param {Button[]} list
 */
export const fitting = (list) => list.filter((b) => !b.hold && ((b.do.kind === "say" && b.do.text) || b.do.kind === "page"));

/**
 * Names the moment: while it is the same, the row stays as it is. "" is a moment for none.
 * @param {Nod.Agent | undefined} a
 * @param {number} last the place of the newest turn
 */
export function moment(a, last) {
  if (!a || !a.can?.includes("say") || ["working", "waiting", "ended"].includes(a.state)) return "";
  return `${a.state} ${a.since} ${last} ${lang()}`;
}

export class Quick {
  /**
   * @param {string} agent
   * @param {{sent: () => void}} o
   */
  constructor(agent, o) {
    this.agent = agent;
    this.o = o;
    this.sign = "";
    this.element = h("div", { class: "chat-quick", role: "group", "aria-label": t("quick.label"), hidden: true });
  }

  /**
   * @param {Nod.Agent | undefined} a
   * @param {number} last
   */
  update(a, last) {
    const sign = moment(a, last);
    if (sign === this.sign) return;
    this.sign = sign;
    this.show([]);
    if (sign) void this.ask(sign, 0);
  }

  /**
   * @param {string} sign
   * @param {number} page
   */
  async ask(sign, page) {
    try {
      const { suggestions } = await call("GET", `/v1/agents/${encodeURIComponent(this.agent)}/suggestions?most=${MOST}&page=${page}`);
      if (sign === this.sign) this.show(fitting(suggestions ?? []));
    } catch {
      // Then there are none; the box is there.
    }
  }

  /** @param {Button[]} list */
  show(list) {
    if (!list.length && this.element.hidden) return;
    this.element.hidden = !list.length;
    // Text only: next to a text box a picture adds nothing.
    fill(this.element, list.map((b) => h("button", { type: "button", title: b.detail, onclick: guarded(() => this.press(b)) }, b.label)));
    moved(); // a finger on its way meant what was there before
  }

  /** @param {Button} b */
  press(b) {
    if (b.do.kind === "page") {
      void this.ask(this.sign, b.do.page ?? 0);
      return;
    }
    if (!post({ agent: this.agent, text: b.do.text ?? "", files: [], when_busy: "queue" })) {
      notice(t("chat.offline"));
      return;
    }
    this.show([]); // once
    this.o.sent();
  }
}
