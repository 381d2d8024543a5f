// One agent: the conversation so far, what it does, what it asks, and the box.
import { Begin } from "../chat/begin.js";
import { Box } from "../chat/box.js";
import { drawPage, refresh } from "../chat/bubble.js";
import { closed, closedView } from "../chat/closed.js";
import { dropHint, takeDrops } from "../chat/drop.js";
import { Head } from "../chat/head.js";
import { Jump } from "../chat/jump.js";
import { Pane } from "../chat/pane.js";
import { onSent, sentTo } from "../chat/post.js";
import { Quick } from "../chat/quick.js";
import { Reader } from "../chat/reader.js";
import { Tail } from "../chat/tail.js";
import { Mouth } from "../chat/voice.js";
import { Waits } from "../chat/waits.js";
import { markRead } from "../elements/agent-row.js";
import { askWords } from "../elements/card.js";
import { fill, h } from "../html.js";
import { go } from "../navigate.js";
import { agentsInOrder } from "../state.js";
import { store } from "../store.js";
import { Draft } from "../talk/draft.js";
import { Voice } from "../voice/open.js";
import { t } from "../words.js";

/** @type {Nod.MakeScreen} */
export default function chat(params) {
  const screen = new Chat(params.id ?? "");
  screen.update(store.state);
  return screen;
}

class Chat {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.title = store.state.agents.get(id)?.name ?? t("nav.agents");
    this.mouth = new Mouth(id);
    this.head = new Head(id, this.mouth);
    this.reader = new Reader(id, { changed: (pages) => this.show(pages), news: (turns) => this.tell(turns) });
    this.begin = new Begin(id, this.reader);
    this.tail = new Tail(id, () => this.update(store.state), (waits) => this.part(waits));
    this.pane = this.newPane();
    this.draft = new Draft(id, (change) => this.pane.steady(change));
    this.tail.element.prepend(this.draft.element);
    this.waits = new Waits(this.tail, this.pane.element);
    this.jump = new Jump(() => this.pane.toEnd());
    this.quick = new Quick(id, { sent: () => this.pane.toEnd() });
    this.foot = h("div", { class: "chat-foot" });
    this.news = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
    /** @type {Box | undefined} */
    this.box = undefined;
    /** @type {Voice | undefined} */
    this.voice = undefined;
    /** It was begun in order to speak; a reload is not. */
    this.speak = location.search === "?voice";
    if (this.speak) history.replaceState(null, "", location.pathname);
    this.known = new Set([...store.state.requests.keys()]);
    this.element = h("div", { class: "chat" }, this.head.element, this.head.gone,
      h("div", { class: "chat-middle" }, this.waits.element, this.pane.element, this.jump.element), this.foot, this.news, dropHint());
    takeDrops(this.element, () => (this.box?.element.isConnected ? this.box : undefined));
    this.ends = this.listen();
    void this.reader.begin();
    this.showTop();
  }

  newPane() {
    return new Pane({
      head: this.begin.element, cards: this.tail.cards, tail: this.tail.element, label: t("chat.log"),
      draw: (page, el) => drawPage(page, el, this.reader.talk.before(page)),
      older: () => { void this.reader.older(); this.showTop(); },
      end: (at) => this.ended(at),
    });
  }

  /** The subscriptions of this screen; each returned function ends one of them. */
  listen() {
    const clock = setInterval(() => { if (sentTo(this.id).length) this.tail.showSent(); refresh(this.pane.log); }, 1000);
    const seeing = () => this.read();
    document.addEventListener("visibilitychange", seeing);
    return [
      () => clearInterval(clock),
      () => document.removeEventListener("visibilitychange", seeing),
      onSent(() => this.pane.steady(() => this.tail.showSent())),
      store.on("link", (link) => { if (link === "live") void this.reader.begin(); }),
      store.on("me", () => this.update(store.state)),
    ];
  }

  /** @param {Nod.State} state */
  update(state) {
    const a = state.agents.get(this.id);
    this.title = a?.name ?? t("nav.agents");
    this.head.update(a);
    this.draft.update(a);
    this.pane.steady(() => {
      this.tail.update(state);
      this.draft.place(this.tail.cards, this.tail.element);
    });
    this.reader.settle(this.tail.past(state));
    this.showFoot(a, state.seq > 0);
    this.askAloud(state);
    this.voice?.update(state);
    this.showTop();
    this.waits.update();
    this.read();
    if (this.speak && this.box?.element.isConnected) {
      this.speak = false;
      this.talk();
    }
  }

  /** @param {Nod.Event} e */
  event(e) {
    if (e.kind !== "turn.taken" || e.turn?.agent !== this.id) return;
    this.draft.hear(e.turn);
    this.reader.hear(e.turn);
  }

  /** @param {boolean} waits */
  part(waits) {
    this.reader.talk.part(waits);
    this.pane.show(this.reader.talk, new Set());
  }

  /** @param {Set<import("../chat/talk.js").Page>} changed */
  show(changed) {
    this.pane.steady(() => {
      this.pane.show(this.reader.talk, changed);
      this.draft.drawn(this.reader.talk.last); // in the same moment: what was written is said now
    });
    this.showTop();
    this.showFoot(store.state.agents.get(this.id), store.state.seq > 0);
    this.read();
    if (!this.reader.talk.whole) this.pane.again();
  }

  showTop() {
    this.begin.update(!this.tail.cards.firstChild && !this.tail.outbox.firstChild);
  }

  /**
   * @param {Nod.Agent | undefined} a
   * @param {boolean} known whether the hub has told who there is
   */
  showFoot(a, known) {
    const why = known && store.me ? closed(a) : a && a.can?.includes("say") ? "" : "loading";
    if (why === "" && this.reader.begun) this.quick.update(a, this.reader.talk.last);
    if (why === "" && a) {
      this.box ??= new Box(this.id, { hush: () => this.mouth.hush(), sent: () => this.pane.toEnd(), voice: () => this.talk() });
      this.box.update(a);
    }
    const sign = why && why !== "loading" ? `${why} ${a?.name} ${a?.host}` : why;
    if (this.foot.dataset.sign === sign) return;
    this.foot.dataset.sign = sign;
    if (why === "loading") fill(this.foot);
    else fill(this.foot, why ? closedView(why, a, () => this.talk()) : [this.quick.element, this.box?.element]);
    if (why) this.box?.leave();
  }

  /** Announces new turns: to screen readers, and as a notice. @param {Nod.Turn[]} turns */
  tell(turns) {
    for (const turn of turns) {
      if (turn.role !== "agent") continue;
      if (!turn.subagent) {
        const name = store.state.agents.get(this.id)?.name ?? "";
        this.news.textContent = `${name}: ${this.draft.untold(turn).slice(0, 400)}`;
        if (this.voice) this.voice.hear(turn);
        else this.mouth.say(turn.text);
      }
      if (!this.pane.atEnd()) this.jump.unseen++;
    }
    this.jump.update(this.pane.atEnd());
  }

  /** Questions are read aloud too; the question last. @param {Nod.State} state */
  askAloud(state) {
    for (const r of state.requests.values()) {
      if (this.known.has(r.id)) continue;
      this.known.add(r.id);
      if (r.agent.id !== this.id || r.status !== "pending" || this.voice) continue;
      const first = r.questions?.[0];
      const options = (first?.options ?? []).map((o) => o.label).join(", ");
      const words = r.kind === "question" && first ? [options, first.question] : [r.kind === "approval" ? (r.risk?.reason ?? "") : "", askWords(r)];
      this.mouth.say([t("chat.aloud.asks", r.agent.name), ...words].filter(Boolean).join("\n"));
    }
  }

  /** @param {boolean} at */
  ended(at) {
    if (at) this.jump.unseen = 0;
    this.jump.update(this.pane.atEnd());
    this.read();
  }

  read() {
    if (!document.hidden && this.pane.atEnd()) markRead(this.id);
  }

  /** Voice mode, above everything until it is left. */
  talk() {
    if (this.voice) return;
    this.mouth.hush();
    this.tail.away = true;
    this.voice = new Voice(this.id, () => {
      this.voice = undefined;
      this.tail.away = false;
      this.update(store.state);
    });
    this.update(store.state);
    this.voice.open();
  }

  /** @param {string} key */
  key(key) {
    if (key === "j" || key === "k") {
      const all = agentsInOrder(store.state).filter((a) => a.state !== "ended" || a.id === this.id);
      const next = all[all.findIndex((a) => a.id === this.id) + (key === "j" ? 1 : -1)];
      if (next) go(`/agents/${encodeURIComponent(next.id)}`, { replace: true });
      return true;
    }
    if (key === "r" && this.box?.element.isConnected) {
      this.box.text.focus();
      return true;
    }
    if (key === "v" && this.box?.element.isConnected) {
      this.talk();
      return true;
    }
    if (key === "Escape") {
      if (globalThis.speechSynthesis?.speaking) this.mouth.hush();
      else go("/agents");
      return true;
    }
    const names = /** @type {const} */ ({ a: "allow", d: "deny", e: "edit" });
    const card = this.tail.card();
    return card && key in names ? card.act(names[/** @type {"a"} */ (key)]) : false;
  }

  leave() {
    this.voice?.close();
    for (const end of this.ends) end();
    this.waits.leave();
    this.draft.leave();
    this.pane.leave();
    this.reader.leave();
    this.box?.leave();
    this.mouth.hush();
  }
}
