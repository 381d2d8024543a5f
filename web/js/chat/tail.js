// The end of the conversation: what it asks, what it does now, what is on its
// way to it. Cards stand where they were asked; what is said later comes below.
import { doing, stateWords } from "../elements/agent-row.js";
import "../elements/card.js";
import { fill, h, keyed } from "../html.js";
import { moved } from "../guard.js";
import { icon, stateShape } from "../icons.js";
import { waiting } from "../state.js";
import { t } from "../words.js";
import { sentTo } from "./post.js";
import { sentView, updateSent } from "./sent.js";

/** How long a settled card stays: long enough to read who was first. */
const STAY = 2000;

export class Tail {
  /**
   * @param {string} id
   * @param {() => void} changed a card has gone
   * @param {(waits: boolean) => void} part there is a new card, or none any more
   */
  constructor(id, changed, part) {
    this.id = id;
    this.part = part;
    this.changed = changed;
    /** Voice mode shows the cards: two of one request would share their fields. */
    this.away = false;
    /** Requests whose card is here, or was until a moment ago. @type {Map<string, number>} */
    this.shown = new Map();
    this.activity = h("div", { class: "activity", hidden: true });
    this.cards = h("div", { class: "chat-cards" });
    this.outbox = h("div", { class: "chat-sent" });
    this.element = h("div", { class: "chat-tail" }, this.activity, this.outbox);
  }

  /** @param {Nod.State} state */
  update(state) {
    const list = this.away ? [] : this.requests(state);
    const there = new Set([...this.cards.children].map((c) => /** @type {HTMLElement} */ (c).dataset.key));
    if (list.some((r) => !there.has(r.id)) || (!list.length && there.size)) this.part(list.length > 0);
    keyed(this.cards, list, (r) => r.id, () => h("nod-card"), (card, r) => {
      card.request = r;
      card.classList.toggle("of-helper", r.agent.subagent?.type !== undefined); // only then it matters who asks: the rest is in the head
    });
    this.showActivity(state.agents.get(this.id), list.some((r) => r.status === "pending"));
    this.showSent();
  }

  /** What waits, in the order it was asked; and what was settled just now. @param {Nod.State} state */
  requests(state) {
    const time = performance.now();
    for (const r of waiting(state)) if (r.agent.id === this.id && !this.shown.has(r.id)) this.shown.set(r.id, 0);
    /** @type {Nod.Request[]} */
    const list = [];
    for (const [id, until] of this.shown) {
      const r = state.requests.get(id);
      if (!r || (until && time >= until)) {
        this.shown.delete(id);
        moved();
        continue;
      }
      if (r.status !== "pending" && !until) {
        this.shown.set(id, time + STAY);
        setTimeout(this.changed, STAY + 20);
      }
      list.push(r);
    }
    return list;
  }

  /**
   * @param {Nod.Agent | undefined} a
   * @param {boolean} asks a card says what it waits for
   */
  showActivity(a, asks) {
    const quiet = !a || a.state === "idle" || (a.state === "waiting" && asks);
    const sign = quiet ? "" : JSON.stringify([a.state, a.tool, a.since, a.until, a.problem, a.needs_you, a.stopping, a.subagents]);
    if (this.activity.dataset.sign === sign) return;
    this.activity.dataset.sign = sign;
    if (this.activity.hidden !== quiet && this.cards.firstChild) moved();
    this.activity.hidden = quiet;
    if (quiet || !a) return;
    const look = a.stopping ? "error" : a.state;
    this.activity.dataset.state = look;
    const helpers = (a.subagents ?? []).map((s) => s.type ?? s.id);
    fill(this.activity, h("span", { class: "agent-shape" }, stateShape(look)),
      h("div", { class: "activity-text" },
        h("p", null, h("span", { class: `state-word state-${look}` }, stateWords(a))),
        this.what(a),
        a.state === "working" && helpers.length > 0 && h("p", { class: "hint" }, icon("agents", { size: 16 }), t("chat.helpers", helpers.length, helpers.join(", ")))));
  }

  /** @param {Nod.Agent} a */
  what(a) {
    if (a.state === "waiting") return h("p", null, t("chat.elsewhere", a.needs_you ?? t("ask.question"), a.host));
    const text = doing(a);
    if (a.state === "working") return a.tool ? h("p", { class: "mono activity-tool", title: a.tool }, a.tool) : null;
    return text ? h("p", null, text) : null;
  }

  showSent() {
    const list = sentTo(this.id);
    if (list.length !== this.outbox.childElementCount && this.cards.firstChild) moved();
    keyed(this.outbox, list, (x) => x.id, sentView, updateSent);
  }

  /** The card that a shortcut is for. @returns {import("../elements/card.js").NodCard | null} */
  card() {
    const focused = document.activeElement?.closest("nod-card");
    return /** @type {any} */ (focused && this.cards.contains(focused) ? focused : this.cards.querySelector("nod-card:not(.is-settled)"));
  }

  /** Settled requests that no card stands for any more. @param {Nod.State} state */
  past(state) {
    return [...state.requests.values()].filter((r) => r.agent.id === this.id && r.status !== "pending" && !this.shown.has(r.id));
  }

}
