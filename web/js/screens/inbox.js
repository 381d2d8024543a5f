// What waits: one card to answer, the others below it, what has just been
// settled below those. On a desk the same three stand side by side.
import { mine } from "../decide.js";
import { agentRow, updateAgentRow } from "../elements/agent-row.js";
import { awayLine, riskLevel } from "../elements/badge.js";
import { prefetch } from "../elements/card.js";
import { leaseRow, updateLeaseRow } from "../elements/lease.js";
import { settledTone, settledWords, chain } from "../elements/proof.js";
import { fill, h, keyed, say } from "../html.js";
import { moved } from "../guard.js";
import { icon, riskShape } from "../icons.js";
import { announce } from "../notice.js";
import { agentsInOrder, automatic, away, elsewhere, machine, steady, step, waiting } from "../state.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { quiet, welcome } from "./quiet.js";

/** How long a settled card stays: long enough to read who was first. */
const STAY = 2000;
const JUST_NOW = 5;

/** @type {Nod.MakeScreen} */
export default function inbox() {
  const screen = new Inbox();
  screen.update(store.state);
  return screen;
}

class Inbox {
  constructor() {
    this.title = t("nav.inbox");
    this.order = /** @type {string[]} */ ([]);
    this.current = "";
    this.fresh = /** @type {Set<string>} */ (new Set());
    this.known = /** @type {Set<string> | undefined} */ (undefined);
    this.leaving = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this.card = h("section", { class: "inbox-card", "aria-label": t("inbox.current") });
    this.rows = h("ul", { class: "rows" });
    this.all = h("h2", { class: "label for-desk" });
    this.also = h("h2", { class: "label for-phone" });
    this.past = h("ul", { class: "rows past" });
    this.pastTitle = h("h2", { class: "label" }, t("inbox.justnow"));
    this.agents = h("ul", { class: "agents" });
    this.leases = h("ul", { class: "leases" });
    this.leasesTitle = h("h2", { class: "label" }, t("lease.open"));
    this.pill = h("button", { type: "button", class: "pill", hidden: true, onclick: () => this.openFresh() });
    this.element = h("div", { class: "screen inbox" },
      this.pill,
      h("section", { class: "inbox-list", "aria-label": t("inbox.waiting") }, this.all, this.also, this.rows, this.pastTitle, this.past),
      this.card,
      h("aside", { class: "inbox-side", "aria-label": t("nav.agents") }, this.leasesTitle, this.leases, h("h2", { class: "label" }, t("nav.agents")), this.agents));
    const wanted = new URLSearchParams(location.search).get("request");
    if (wanted) {
      this.current = wanted;
      history.replaceState(null, "", "/"); // without telling the router: we are already there
    }
  }

  /** @param {Nod.State} state */
  update(state) {
    const sorted = waiting(state);
    for (const r of sorted) prefetch(r.id);
    this.arrange(state, sorted);
    this.choose(state);
    this.drawRows(state);
    this.drawCard(state);
    this.drawPast(state);
    this.drawSide(state);
  }

  /**
   * New cards go below; what is being read or touched stays where it is.
   * @param {Nod.State} state
   * @param {Nod.Request[]} sorted
   */
  arrange(state, sorted) {
    const ids = sorted.map((r) => r.id);
    const { order } = steady(this.order, ids);
    const added = this.known ? ids.filter((id) => !this.known?.has(id)) : [];
    this.known = new Set(ids);
    if (order.join() !== this.order.join()) moved();
    this.order = order;
    if (this.current) for (const id of added) this.fresh.add(id);
    for (const id of this.fresh) if (!this.known.has(id) || id === this.current) this.fresh.delete(id);
    const first = added[0] && state.requests.get(added[0]);
    if (first) announce(t("inbox.arrived", first.agent.name, first.title));
    this.pill.hidden = this.fresh.size === 0;
    if (this.fresh.size) say(this.pill, t("inbox.new", this.fresh.size));
  }

  /** The card to show: the one there was, for as long as it waits, and then the next. @param {Nod.State} state */
  choose(state) {
    const now = state.requests.get(this.current);
    if (now?.status === "pending") return;
    if (now && this.card.firstElementChild) {
      this.leaving ??= setTimeout(() => { this.leaving = undefined; this.open(this.order[0] ?? ""); }, STAY);
      return;
    }
    if (now || (this.current && !state.seq)) return; // opened from a notification after it was settled; or nothing is known yet
    this.current = this.order[0] ?? "";
  }

  /** @param {string} id */
  open(id) {
    clearTimeout(this.leaving);
    this.leaving = undefined;
    this.current = id;
    this.fresh.delete(id);
    this.order = steady([], waiting(store.state).map((r) => r.id)).order;
    this.update(store.state);
    this.element.closest("main")?.scrollTo({ top: 0 });
    this.card.scrollTo?.({ top: 0 });
    moved();
  }

  openFresh() {
    const next = waiting(store.state).find((r) => this.fresh.has(r.id));
    this.fresh.clear();
    if (next) this.open(next.id);
  }

  /** @param {Nod.State} state */
  drawRows(state) {
    const list = this.order.map((id) => state.requests.get(id)).filter((r) => r !== undefined);
    say(this.all, t("inbox.waitingcount", list.length));
    say(this.also, t("inbox.also", list.filter((r) => r.id !== this.current).length));
    this.element.classList.toggle("has-more", list.some((r) => r.id !== this.current));
    this.element.classList.toggle("is-empty", list.length === 0);
    keyed(this.rows, list, (r) => r.id, (r) => this.row(r), (el, r) => {
      el.firstElementChild?.setAttribute("aria-current", String(r.id === this.current));
      el.classList.toggle("is-fresh", this.fresh.has(r.id));
      const where = el.querySelector(".row-where");
      if (where) say(where, [elsewhere(r.agent), away(state, r.agent.id) ? "" : machine(state, r.agent.host)].filter(Boolean).join(" · "));
      const gone = el.querySelector(".row-away");
      if (gone instanceof HTMLElement) awayLine(gone, r.agent);
    });
  }

  /** @param {Nod.Request} r */
  row(r) {
    const level = riskLevel(r.risk?.level);
    return h("li", null, h("button", { type: "button", class: "row", "data-request": r.id, onclick: () => this.open(r.id) },
      h("span", { class: `row-shape risk-${r.kind === "approval" ? level : "read"}` }, r.kind === "approval" ? riskShape(level) : icon({ question: "question", plan: "book", elicitation: "pencil" }[r.kind] ?? "question", { size: 18 })),
      h("span", { class: "row-text" },
        h("span", { class: "row-top" }, h("strong", null, r.agent.name), h("span", { class: "row-where" }),
          h("nod-time", r.expires_at ? { "data-until": r.expires_at } : { "data-since": r.asked_at })),
        h("span", { class: r.kind === "approval" ? "row-title mono" : "row-title" }, r.title),
        h("span", { class: "row-away", hidden: true }))));
  }

  /** @param {Nod.State} state */
  drawCard(state) {
    const r = state.requests.get(this.current);
    const there = this.card.firstElementChild;
    if (r) {
      const card = there instanceof HTMLElement && there.dataset.request === r.id ? /** @type {any} */ (there) : h("nod-card");
      card.request = r;
      if (card !== there) {
        const focused = there?.contains(document.activeElement);
        fill(this.card, card);
        if (focused) card.focus({ preventScroll: true });
        moved();
      }
      return;
    }
    const sign = state.agents.size ? "quiet" : "welcome";
    if (!(there instanceof HTMLElement) || there.dataset.sign !== sign) fill(this.card, sign === "quiet" ? quiet() : welcome());
    /** @type {any} */ (this.card.firstElementChild)?.show?.(state);
  }

  /** @param {Nod.State} state */
  drawPast(state) {
    const list = [...state.requests.values()].filter((r) => r.status !== "pending" && r.id !== this.current).reverse().slice(0, JUST_NOW);
    this.pastTitle.hidden = list.length === 0;
    keyed(this.past, list, (r) => r.id, () => h("li", { class: "done-row" }), (el, r) => {
      const sign = `${r.status} ${step(r)}`;
      if (el.dataset.sign === sign) return;
      el.dataset.sign = sign;
      const auto = r.decision && automatic(r.decision);
      const tone = settledTone(r);
      el.className = `done-row tone-${tone}`;
      fill(el, icon(auto ? "auto" : { doubt: "question", no: "cross", yes: "tick", plain: "more" }[tone], { size: 20 }),
        h("div", null, h("span", { class: "row-title mono" }, r.title), h("small", null, settledWords(r, mine(r))), r.status === "decided" && chain(r)));
    });
  }

  /** @param {Nod.State} state */
  drawSide(state) {
    keyed(this.agents, agentsInOrder(state).filter((a) => a.state !== "ended"), (a) => a.id, (a) => agentRow(a), updateAgentRow);
    keyed(this.leases, [...state.leases.values()], (l) => l.id, leaseRow, updateLeaseRow);
    this.leasesTitle.hidden = state.leases.size === 0;
  }

  /** @param {string} key */
  key(key) {
    const card = this.card.querySelector("nod-card");
    const at = this.order.indexOf(this.current);
    if (key === "j" || key === "k") {
      const next = this.order[at + (key === "j" ? 1 : -1)];
      if (next) {
        this.open(next);
        this.card.querySelector("nod-card")?.focus();
      }
      return true;
    }
    const names = /** @type {const} */ ({ a: "allow", d: "deny", e: "edit" });
    if (!card || !(key in names)) return false;
    return card.act(names[/** @type {"a"} */ (key)]);
  }

  leave() {
    clearTimeout(this.leaving);
  }
}
