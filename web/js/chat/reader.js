// Brings the conversation from the hub: the end of it first, older pages as
// they are wanted, and what comes in as soon as the hub has drawn it.
import { call } from "../api.js";
import { FETCH, Talk } from "./talk.js";
import { arrived } from "./post.js";

const HURRY = 400; // a reply that the hub has not drawn by then is shown as it is

/** @typedef {import("./talk.js").Page} Page */

export class Reader {
  /**
   * @param {string} id
   * @param {{changed: (pages: Set<Page>) => void, news: (turns: Nod.Turn[]) => void}} o news: turns that were said just now
   */
  constructor(id, o) {
    this.id = id;
    this.o = o;
    this.talk = new Talk();
    this.path = `/v1/agents/${encodeURIComponent(id)}/turns?html=1`;
    this.over = new AbortController();
    this.begun = false;
    /** @type {"" | "loading" | "failed"} */
    this.above = "";
    /** @type {unknown} */
    this.problem = undefined;
    /** Told by the log, not drawn yet. @type {Nod.Turn[]} */
    this.heard = [];
    this.asking = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.patience = undefined;
  }

  /** @param {string} query @returns {Promise<Nod.Turn[]>} */
  async turns(query) {
    return (await call("GET", `${this.path}${query}`, undefined, { signal: this.over.signal })).turns ?? [];
  }

  /** The end of the conversation: at first, and after every break. */
  async begin() {
    try {
      const first = !this.begun, last = this.talk.last;
      const list = await this.turns(`&limit=${FETCH}`);
      this.problem = undefined;
      this.begun = true;
      this.take(list);
      if (!first) this.o.news(list.filter((x) => x.seq > last).reverse().slice(-1));
      void this.decisions(0);
    } catch (e) {
      if (this.over.signal.aborted) return;
      this.problem = e;
      this.o.changed(new Set());
    }
  }

  /** @param {Nod.Turn[]} list newest first */
  take(list) {
    this.heard = this.heard.filter((x) => !list.some((y) => y.seq === x.seq));
    const { changed } = this.talk.newest(list);
    arrived(list, list.length >= FETCH);
    this.o.changed(changed);
  }

  async older() {
    if (this.above === "loading" || this.talk.whole || !this.begun) return;
    this.above = "loading";
    const before = this.talk.first;
    try {
      const list = await this.turns(`&limit=${FETCH}&before=${before}`);
      this.above = "";
      const below = this.talk.pages[0];
      this.talk.older(list);
      this.o.changed(new Set(below ? [below] : [])); // it may no longer begin a day
      void this.decisions(before);
    } catch {
      if (this.over.signal.aborted) return;
      this.above = "failed";
      this.o.changed(new Set());
    }
  }

  /** What was decided between the turns that are there. @param {number} before 0: up to now */
  async decisions(before) {
    try {
      for (let from = before, tries = 0; tries < 5; tries++) {
        const { requests, next } = await call("GET", `/v1/history?agent=${encodeURIComponent(this.id)}&limit=100${from ? `&before=${from}` : ""}`, undefined, { signal: this.over.signal });
        this.settle(requests ?? []);
        if (!next || next <= this.talk.first) return;
        from = next;
      }
    } catch {
      // The conversation is whole without it; the history screen has it too.
    }
  }

  /** @param {Nod.Request[]} list */
  settle(list) {
    if (!this.begun) return;
    const changed = new Set(list.filter((r) => r.status !== "pending").map((r) => this.talk.settle(r)).filter((p) => p !== undefined));
    if (changed.size) this.o.changed(changed);
  }

  /** @param {Nod.Turn} turn */
  hear(turn) {
    if (!this.begun) return; // the beginning brings it
    this.heard.push(turn);
    this.o.news([turn]);
    this.patience ??= setTimeout(() => this.hurry(), HURRY);
    void this.ask();
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.heard.length && !this.over.signal.aborted) {
        const last = this.heard.at(-1);
        this.take(await this.turns(`&limit=${Math.min(FETCH, this.heard.length + 2)}`));
        if (this.heard.at(-1) === last) break; // the hub lists it a moment after it announces it
      }
    } catch {
      // They are shown as they are.
    }
    this.asking = false;
    if (!this.heard.length) {
      clearTimeout(this.patience);
      this.patience = undefined;
    }
  }

  hurry() {
    this.patience = undefined;
    if (!this.heard.length) return;
    const heard = this.heard.splice(0);
    const changed = new Set(heard.map((x) => this.talk.hear(x)).filter((p) => p !== undefined));
    arrived(heard.toReversed());
    this.o.changed(changed);
  }

  leave() {
    this.over.abort();
    clearTimeout(this.patience);
  }
}
