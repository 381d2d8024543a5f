// One agent: the conversation so far, what it does, what it asks, and the box.
import { ApiError } from "../api.js";
import { Box } from "../chat/box.js";
import { drawPage, refresh } from "../chat/bubble.js";
import { closed, closedView } from "../chat/closed.js";
import { Head } from "../chat/head.js";
import { Pane } from "../chat/pane.js";
import { onSent, sentTo } from "../chat/post.js";
import { Quick } from "../chat/quick.js";
import { Reader } from "../chat/reader.js";
import { Tail } from "../chat/tail.js";
import { Mouth } from "../chat/voice.js";
import { markRead } from "../elements/agent-row.js";
import { askWords } from "../elements/card.js";
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { explain } from "../notice.js";
import { go } from "../router.js";
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
    this.tail = new Tail(id, () => this.update(store.state), (waits) => this.part(waits));
    this.draft = new Draft(id, (change) => this.pane.steady(change));
    this.tail.element.prepend(this.draft.element);
    this.top = h("div", { class: "chat-begin" });
    this.foot = h("div", { class: "chat-foot" });
    this.news = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.unseen = 0;
    this.waits = h("button", { type: "button", class: "pill chat-waits", hidden: true, onclick: () => this.tail.card()?.scrollIntoView({ block: "end" }) });
    this.jump = h("button", { type: "button", class: "chat-jump", hidden: true, onclick: () => this.pane.toEnd() });
    this.reader = new Reader(id, { changed: (pages) => this.show(pages), news: (turns) => this.tell(turns) });
    this.pane = new Pane({
      head: this.top, cards: this.tail.cards, tail: this.tail.element, label: t("chat.log"),
      draw: (page, el) => drawPage(page, el, this.reader.talk.before(page)),
      older: () => { void this.reader.older(); this.showTop(); },
      end: (at) => this.ended(at),
    });
    this.quick = new Quick(id, { sent: () => this.pane.toEnd() });
    /** @type {Box | undefined} */
    this.box = undefined;
    this.element = h("div", { class: "chat" }, this.head.element, this.head.gone,
      h("div", { class: "chat-middle" }, this.waits, this.pane.element, this.jump), this.foot, this.news,
      h("div", { class: "chat-drop", "aria-hidden": "true" }, icon("clip"), t("chat.drop")));
    /** @type {Voice | undefined} */
    this.voice = undefined;
    /** It was begun in order to speak; a reload is not. */
    this.speak = location.search === "?voice";
    if (this.speak) history.replaceState(null, "", location.pathname);
    this.known = new Set([...store.state.requests.keys()]);
    this.clock = setInterval(() => { if (sentTo(id).length) this.tail.showSent(); refresh(this.pane.log); }, 1000);
    this.seeing = () => this.read();
    document.addEventListener("visibilitychange", this.seeing);
    this.ends = [onSent(() => this.pane.steady(() => this.tail.showSent())), store.on("link", (link) => { if (link === "live") void this.reader.begin(); }), store.on("me", () => this.update(store.state))];
    this.cardsSeen = false;
    this.watch = new IntersectionObserver((all) => { this.cardsSeen = all.at(-1)?.isIntersecting ?? false; this.showWaits(); }, { root: this.pane.element, rootMargin: "-24px 0px" });
    this.watch.observe(this.tail.cards);
    this.takeDrops();
    void this.reader.begin();
    this.showTop();
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
    this.showWaits();
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

  /** What waits and cannot be seen is told of. */
  showWaits() {
    const n = this.tail.cards.querySelectorAll("nod-card:not(.is-settled)").length;
    this.waits.hidden = n === 0 || this.cardsSeen;
    if (n) fill(this.waits, icon("back", { size: 18, class: "up" }), t("inbox.waitingcount", n));
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

  /** The beginning of the log: more of it, the very first word, or why there is nothing. */
  showTop() {
    const { talk, begun, problem, above } = this.reader;
    const bare = talk.empty && !this.tail.cards.firstChild && !this.tail.outbox.firstChild;
    const unknown = store.state.seq > 0 && !store.state.agents.has(this.id);
    const nobody = problem instanceof ApiError && problem.code === "not_found"; // to try again would not help
    const sign = !begun ? (nobody ? "unknown" : problem ? "error" : "loading") : above === "failed" ? "failed" : !talk.whole ? "more" : bare ? (unknown ? "unknown" : "empty") : "begin";
    if (this.top.dataset.sign === sign) return;
    this.top.dataset.sign = sign;
    const retry = (/** @type {() => void} */ act) => h("button", { type: "button", onclick: act }, icon("again", { size: 20 }), t("chat.retry"));
    const big = (/** @type {string} */ key, /** @type {import("../html.js").Child} */ more) =>
      h("div", { class: "chat-empty" }, h("i", { class: "sign big", "aria-hidden": "true" }), h("h2", null, t(`chat.${key}`)), h("p", null, more), key === "error" && retry(() => { delete this.top.dataset.sign; void this.reader.begin(); }));
    if (sign === "error") fill(this.top, big("error", explain(problem)));
    else if (sign === "empty" || sign === "unknown") fill(this.top, big(sign, t(sign === "empty" && store.state.agents.get(this.id)?.conversation ? "talk.begin" : `chat.${sign}.how`)));
    else if (sign === "failed") fill(this.top, h("p", { class: "chat-more" }, t("chat.older.failed"), retry(() => void this.reader.older())));
    else if (sign === "begin") fill(this.top, h("p", { class: "chat-day" }, t("chat.begin")));
    else fill(this.top, h("p", { class: `chat-skeleton ${sign}`, role: "status", "aria-label": t("chat.loading") }, h("i"), h("i"), h("i")));
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

  /** What was said just now: for ears, and for those who look elsewhere. @param {Nod.Turn[]} turns */
  tell(turns) {
    for (const turn of turns) {
      if (turn.role !== "agent") continue;
      if (!turn.subagent) {
        const name = store.state.agents.get(this.id)?.name ?? "";
        this.news.textContent = `${name}: ${this.draft.untold(turn).slice(0, 400)}`;
        if (this.voice) this.voice.hear(turn);
        else this.mouth.say(turn.text);
      }
      if (!this.pane.atEnd()) this.unseen++;
    }
    this.showJump();
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
    if (at) this.unseen = 0;
    this.showJump();
    this.read();
  }

  showJump() {
    this.jump.hidden = this.pane.atEnd();
    const words = this.unseen ? t("chat.jump.new", this.unseen) : t("chat.jump");
    if (this.jump.dataset.sign === words) return;
    this.jump.dataset.sign = words;
    this.jump.classList.toggle("has-news", this.unseen > 0);
    fill(this.jump, icon("down", { size: 20 }), h("span", { class: this.unseen ? "" : "unseen" }, words));
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

  takeDrops() {
    let depth = 0;
    const over = (/** @type {number} */ n) => { depth = n; this.element.classList.toggle("is-dropping", n > 0); };
    const mine = (/** @type {DragEvent} */ e) => this.box?.element.isConnected && e.dataTransfer?.types.includes("Files");
    this.element.addEventListener("dragenter", (e) => { if (mine(e)) over(depth + 1); });
    this.element.addEventListener("dragleave", (e) => { if (mine(e)) over(Math.max(0, depth - 1)); });
    this.element.addEventListener("dragover", (e) => { if (mine(e)) e.preventDefault(); });
    this.element.addEventListener("drop", (e) => {
      if (!mine(e)) return;
      e.preventDefault();
      over(0);
      this.box?.files.add(e.dataTransfer?.files ?? []);
    });
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
    clearInterval(this.clock);
    document.removeEventListener("visibilitychange", this.seeing);
    for (const end of this.ends) end();
    this.watch.disconnect();
    this.draft.leave();
    this.pane.leave();
    this.reader.leave();
    this.box?.leave();
    this.mouth.hush();
  }
}
