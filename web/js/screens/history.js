// Every decision: by whom, from where, and what is proven of it.
import { call } from "../api.js";
import { sheet } from "../elements/dialog.js";
import { fill, h, say } from "../html.js";
import { filterBar } from "../history/bar.js";
import { detail } from "../history/detail.js";
import { active, fits, fromAddress, toAddress, toQuery } from "../history/filters.js";
import { Ledger } from "../history/ledger.js";
import { Lines } from "../history/lines.js";
import { save } from "../history/save.js";
import { icon } from "../icons.js";
import { announce, explain, notice } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";

const PAGE = 60;
/** How far below the edge of the screen the next page is asked for. */
const AHEAD = "1200px";
const SETTLES = ["request.decided", "request.withdrawn", "request.expired"];
const wide = matchMedia("(min-width: 1100px)");

/** @type {Nod.MakeScreen} */
export default function history() {
  return new Past();
}

class Past {
  constructor() {
    this.title = t("nav.history");
    this.filters = fromAddress(location.search);
    this.wanted = new URLSearchParams(location.search).get("request") ?? "";
    this.current = "";
    this.bar = filterBar(this.filters, () => this.changed(), (form) => void this.export(form));
    this.list = new Lines(() => this.filters.q);
    this.list.element.addEventListener("click", (e) => {
      const id = e.target instanceof Element ? e.target.closest("[data-open]")?.getAttribute("data-open") : "";
      if (id) this.open(id);
    });
    this.foot = h("div", { class: "ledger-foot", role: "status" });
    this.pill = h("button", { type: "button", class: "pill fresh", hidden: true, onclick: () => this.reveal() });
    this.side = h("aside", { class: "past-side", "aria-label": t("history.chosen") });
    this.element = h("div", { class: "screen history" },
      h("section", { class: "past-list" }, this.bar.element, this.pill, this.list.element, this.foot), this.side);
    this.ledger = this.begin();
    /** @type {IntersectionObserver | undefined} */
    this.eye = undefined;
    this.offs = [store.on("link", (link) => { if (link === "live") void this.catchUp(); })];
    this.drawSide();
  }

  begin() {
    return new Ledger((before, signal) => {
      const query = toQuery(this.filters, new Date());
      query.set("limit", String(PAGE));
      if (before) query.set("before", String(before));
      return call("GET", `/v1/history?${query}`, undefined, { signal });
    });
  }

  /** The first one comes when the screen is in the page: only then is it known what is in sight. */
  update() {
    if (this.eye) return;
    this.eye = new IntersectionObserver((entries) => { if (entries.some((e) => e.isIntersecting)) void this.more(); }, { root: this.element.closest("main"), rootMargin: `0px 0px ${AHEAD}` });
    this.eye.observe(this.foot);
    if (this.wanted) void this.openFar(this.wanted);
  }

  /** Another question: everything that was read is left. */
  changed() {
    globalThis.history.replaceState(null, "", toAddress(this.filters));
    this.ledger.close();
    this.ledger = this.begin();
    this.list.clear();
    this.current = "";
    this.drawSide();
    this.drawPill();
    this.element.closest("main")?.scrollTo({ top: 0 });
    void this.more();
  }

  async more() {
    const mine = this.ledger;
    if (mine.running || mine.done || (mine.trouble && store.link !== "live")) return;
    const reading = mine.more();
    this.drawFoot();
    const added = await reading;
    if (mine !== this.ledger) return;
    this.list.append(added);
    this.bar.known(mine.shown);
    this.drawFoot();
    // A page may be short, or empty, and there is still more: go on while the end is in sight.
    if (mine.done || mine.trouble || mine.tired) return;
    this.eye?.unobserve(this.foot);
    this.eye?.observe(this.foot);
  }

  /** @param {Nod.Event} e */
  event(e) {
    const r = store.state.requests.get(e.request_id ?? "");
    if (!r || r.status === "pending") return;
    const known = this.ledger.known.has(r.id);
    if (known) this.ledger.hear(r);
    else if (!SETTLES.includes(e.kind) || this.ledger.next === undefined || !fits(r, this.filters, new Date())) return; // or the first page will have it
    else if (this.ledger.hear(r)) this.drawPill();
    this.list.change(r);
    if (r.id === this.current) this.drawSide();
    if (!this.ledger.shown.length) this.reveal(); // nothing is being read that could move
  }

  /** After a break in the line: what was settled meanwhile. */
  async catchUp() {
    const mine = this.ledger;
    if (mine.trouble || mine.next === undefined) {
      void this.more();
      return;
    }
    const { requests } = await mine.ask(0, mine.gone.signal).catch(() => ({ requests: /** @type {Nod.Request[]} */ ([]) }));
    if (mine !== this.ledger) return;
    for (const r of requests) mine.hear(r);
    this.drawPill();
  }

  drawPill() {
    const n = this.ledger.fresh.size;
    this.pill.hidden = n === 0;
    if (!n) return;
    say(this.pill, t("inbox.new", n));
    announce(t("inbox.new", n));
  }

  reveal() {
    const news = this.ledger.reveal();
    if (!news.length) return;
    this.list.insert(news, this.ledger.shown);
    this.drawPill();
    this.drawFoot();
    this.element.closest("main")?.scrollTo({ top: 0 });
  }

  drawFoot() {
    const { shown, done, trouble, tired, running } = this.ledger;
    if (trouble) {
      fill(this.foot, h("p", { class: "problem", role: "alert" }, explain(trouble)), h("button", { type: "button", onclick: () => { this.ledger.trouble = undefined; void this.more(); } }, t("history.again")));
    } else if (done && !shown.length) fill(this.foot, this.nothing());
    else if (done) fill(this.foot, h("p", { class: "hint" }, t("history.end", shown.length)));
    else if (tired) fill(this.foot, h("p", { class: "hint" }, t("history.tired")), h("button", { type: "button", onclick: () => { this.ledger.empty = 0; void this.more(); } }, t("history.further")));
    else if (running) fill(this.foot, h("p", { class: "hint sending" }, h("i", { class: "sign" }), t(shown.length ? "history.older" : "history.loading")));
    else fill(this.foot);
  }

  nothing() {
    const narrowed = this.filters.q.trim() !== "" || active(this.filters) > 0;
    return h("div", { class: "quiet" }, h("i", { class: "sign big", "aria-hidden": "true" }),
      h("h2", null, t(narrowed ? "history.nothing" : "history.none")),
      h("p", { class: "quiet-line" }, t(narrowed ? "history.nothing.text" : "history.none.text")));
  }

  /** @param {string} id */
  open(id) {
    const r = this.ledger.shown.find((x) => x.id === id);
    if (!r) return;
    this.current = id;
    this.mark();
    if (wide.matches) this.drawSide();
    else sheet(t("history.decision"), [detail(r)], { class: "past-sheet", closed: () => this.list.button(id)?.focus({ preventScroll: true }) });
  }

  /** One that a link names; it may be far down, or not fit what is looked for. @param {string} id */
  async openFar(id) {
    try {
      const r = await call("GET", `/v1/requests/${encodeURIComponent(id)}`);
      this.current = id;
      if (wide.matches) fill(this.side, detail(r));
      else sheet(t("history.decision"), [detail(r)], { class: "past-sheet" });
    } catch (e) {
      notice(explain(e), { kind: "bad" });
    }
  }

  mark() {
    for (const el of this.list.element.querySelectorAll("[aria-current]")) el.removeAttribute("aria-current");
    this.list.button(this.current)?.setAttribute("aria-current", "true");
  }

  drawSide() {
    const r = this.ledger.shown.find((x) => x.id === this.current);
    const there = this.side.firstElementChild;
    if (r) {
      fill(this.side, detail(r));
      this.side.scrollTo({ top: 0 });
    } else if (!(there instanceof HTMLElement) || there.dataset.sign !== "none") {
      fill(this.side, h("div", { class: "quiet", "data-sign": "none" }, icon("history", { size: 32 }), h("p", { class: "quiet-line" }, t("history.choose"))));
    }
  }

  /** @param {string} key */
  key(key) {
    if (key === "Enter" && document.activeElement?.matches("button, a, summary, select")) return false; // the browser's own
    if (key === "Escape" && this.current) {
      this.current = "";
      this.mark();
      this.drawSide();
      return true;
    }
    if (!["j", "k", "Enter"].includes(key)) return false;
    const ids = this.ledger.shown.map((r) => r.id);
    const focused = document.activeElement?.closest("[data-id]")?.getAttribute("data-id");
    const at = ids.indexOf(focused ?? this.current);
    const id = key === "Enter" ? ids[Math.max(0, at)] : ids[Math.min(ids.length - 1, Math.max(0, at + (key === "j" ? 1 : -1)))];
    if (!id) return true;
    const button = this.list.button(id);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest" });
    if (key === "Enter" || wide.matches) this.open(id);
    return true;
  }

  /** @param {"csv" | "json"} form */
  async export(form) {
    try {
      await save(form, toQuery(this.filters, new Date()));
      notice(t("history.saved"), { kind: "good" });
    } catch (e) {
      notice(explain(e), { kind: "bad" });
    }
  }

  leave() {
    this.ledger.close();
    this.eye?.disconnect();
    this.bar.leave();
    for (const off of this.offs) off();
  }
}
