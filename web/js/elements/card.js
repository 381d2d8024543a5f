// One request: who asks, what exactly, how risky, how long left, what to do.
import { api } from "../api.js";
import { attempt, mine, onAttempt } from "../decide.js";
import { draft, forget } from "../drafts.js";
import { fill, h, trusted } from "../html.js";
import { moved } from "../guard.js";
import { icon } from "../icons.js";
import { answerWaits, elsewhere, input, project } from "../state.js";
import { store } from "../store.js";
import { has, t } from "../words.js";
import { approvalActs, planActs, questionActs } from "./acts.js";
import { place } from "./badge.js";
import "./clock.js";
import { settledView } from "./proof.js";
import { Questions } from "./questions.js";

/** Cards that the hub has rendered. @type {Map<string, Promise<Nod.CardPart[]>>} */
const rendered = new Map();

/** Asks for a card's contents early, so that it does not grow under a finger. @param {string} id */
export function prefetch(id) {
  let parts = rendered.get(id);
  if (!parts) {
    parts = api.card(id).then((c) => c.parts, () => { rendered.delete(id); return []; });
    rendered.set(id, parts);
    if (rendered.size > 60) rendered.delete(/** @type {string} */ (rendered.keys().next().value));
  }
  return parts;
}

/** As a person would ask. @param {Nod.Request} r */
export function askWords(r) {
  if (r.kind === "plan") return t("ask.plan");
  if (r.kind === "question") return t("ask.question");
  if (r.kind === "elicitation") return t("ask.form", r.tool ?? r.agent.name);
  const tool = r.tool ?? "";
  const path = String(input(r).file_path ?? input(r).notebook_path ?? "");
  if (path && has(`ask.${tool}`)) return t(`ask.${tool}`, project(path));
  return has(`ask.${tool}`) ? t(`ask.${tool}`) : t("ask.tool", tool.replace(/^mcp__/, "").replace(/__/g, " · "));
}

export class NodCard extends HTMLElement {
  constructor() {
    super();
    /** @type {Nod.Request | undefined} */
    this.r = undefined;
    this.where = h("span");
    this.body = h("div", { class: "card-body" });
    this.waits = h("p", { class: "card-waits", role: "note", hidden: true });
    this.foot = h("footer", { class: "card-foot", "data-acts": true });
    /** @type {Questions | undefined} */
    this.form = undefined;
    /** @type {HTMLDialogElement | undefined} */
    this.sheet = undefined;
    this.footed = "";
    /** @type {(() => void)[]} */
    this.ends = [];
  }

  connectedCallback() {
    this.ends = [
      onAttempt((id) => { if (id === this.r?.id) this.drawFoot(); }),
      store.on("link", () => this.drawFoot()),
      this.watchShown(),
    ];
    moved();
  }

  disconnectedCallback() {
    for (const end of this.ends) end();
    this.sheet?.close();
  }

  /** @param {Nod.Request} r */
  set request(r) {
    const fresh = this.r?.id !== r.id;
    this.r = r;
    if (fresh) this.build(r);
    if (r.status !== "pending") {
      this.sheet?.close();
      forget(r.id);
    }
    this.classList.toggle("is-settled", r.status !== "pending");
    this.drawPlace(r);
    this.drawFoot();
  }

  /** @param {Nod.Request} r */
  build(r) {
    const who = r.agent.subagent?.type ? `${r.agent.name} › ${r.agent.subagent.type}` : r.agent.name;
    this.className = `card kind-${r.kind}`;
    this.dataset.request = r.id;
    this.dataset.fuse = "";
    this.tabIndex = -1;
    const title = h("h2", { class: "card-ask", id: `ask-${r.id}` }, askWords(r));
    this.setAttribute("role", "article");
    this.setAttribute("aria-labelledby", title.id);
    const badge = h("nod-badge");
    badge.risk = r.risk;
    this.footed = "";
    fill(this,
      h("header", { class: "card-head" },
        h("a", { class: "card-who", href: `/agents/${encodeURIComponent(r.agent.id)}` }, h("strong", null, who), this.where),
        h("div", { class: "card-when" }, r.expires_at ? h("nod-time", { "data-until": r.expires_at, "data-from": r.asked_at, role: "timer" }) : h("nod-time", { "data-since": r.asked_at }))),
      h("div", { class: "card-title" }, title, r.kind === "approval" && badge),
      this.body, this.waits, this.foot);
    this.form = r.kind === "question" || r.kind === "elicitation" ? new Questions(r, () => this.redrawFoot()) : undefined;
    this.drawBody(r);
  }

  /** Which machine asks, and whether it is connected. @param {Nod.Request} r */
  drawPlace(r) {
    place(this.where, r.agent, [elsewhere(r.agent)]);
    const host = answerWaits(store.state, r);
    if (this.waits.hidden === !host) return;
    this.waits.hidden = !host;
    if (host) fill(this.waits, icon("broken", { size: 18 }), h("span", null, t("host.waits", host.name)));
    moved();
  }

  /** @param {Nod.Request} r */
  drawBody(r) {
    if (r.kind === "question") {
      fill(this.body, this.form?.element);
      return;
    }
    const content = h("div", { class: "card-parts" }, r.display && h("pre", { class: "part part-text" }, r.display));
    fill(this.body, content, r.link && linkView(r.link), this.form?.element);
    void prefetch(r.id).then((parts) => {
      if (this.r?.id !== r.id || !parts.length) return;
      fill(content, parts.map(partView));
      moved();
    });
  }

  redrawFoot() {
    this.footed = "";
    this.drawFoot();
  }

  /** The foot is redrawn only when it changes: a button under a finger stays the same button. */
  drawFoot() {
    const r = this.r;
    if (!r) return;
    const a = attempt(r.id);
    const pending = r.status === "pending";
    const sign = pending ? `${a?.phase ?? ""} ${a?.words ?? ""} ${store.link === "live"} ${store.may("answer")}` : JSON.stringify([r.status, r.receipts?.length, r.decision?.at]);
    if (sign === this.footed) return;
    const first = this.footed === "";
    this.footed = sign;
    const focused = document.activeElement instanceof HTMLElement && this.foot.contains(document.activeElement) ? document.activeElement.closest("[data-act]")?.getAttribute("data-act") : null;
    if (first) this.foot.style.minBlockSize = "";
    else {
      // Nothing below moves while an answer is on its way.
      if (!(pending && !a)) this.foot.style.minBlockSize = `${this.foot.offsetHeight}px`;
      moved();
    }
    this.setAttribute("aria-busy", String(pending && a?.phase === "sending"));
    if (!pending) fill(this.foot, settledView(r, mine(r)));
    else if (a?.phase === "sending" || a?.phase === "sent") fill(this.foot, h("p", { class: "sending", role: "status" }, h("i", { class: "sign" }), t("sending")));
    else fill(this.foot, a?.words && h("p", { class: "problem", role: "alert" }, a.words), ...this.acts(r));
    if (focused) /** @type {HTMLElement | null} */ (this.foot.querySelector(`[data-act="${focused}"]`))?.focus();
  }

  /** @param {Nod.Request} r @returns {import("../html.js").Child[]} */
  acts(r) {
    if (!store.may("answer")) return [h("p", { class: "hint" }, icon("eye", { size: 20 }), t("view.only"))];
    if (this.form) return questionActs(this, r, this.form);
    if (r.kind === "plan") return planActs(this, r, draft(`${r.id} mode`, () => ({ mode: r.options?.find((o) => o.kind === "mode")?.id ?? "" })));
    return approvalActs(this, r);
  }

  /** @param {HTMLDialogElement} sheet */
  open(sheet) {
    this.sheet = sheet;
  }

  /** A shortcut. @param {"allow" | "deny" | "edit" | "always"} name */
  act(name) {
    const el = /** @type {HTMLElement | null} */ (this.foot.querySelector(`[data-act="${name}"]`));
    const held = el?.querySelector("button.hold");
    if (held instanceof HTMLElement) held.focus(); // then Enter, held
    else el?.click();
    return el !== null;
  }

  /** Tells the hub when a person can really see it. */
  watchShown() {
    let told = "";
    const tell = () => {
      const r = this.r;
      if (!r || told === r.id || document.hidden || r.status !== "pending" || !seen) return;
      told = r.id;
      api.shown(r.id).catch(() => { told = ""; });
    };
    let seen = false;
    const watch = new IntersectionObserver((entries) => { seen = entries.some((e) => e.isIntersecting); tell(); }, { threshold: 0.2 });
    watch.observe(this);
    document.addEventListener("visibilitychange", tell);
    return () => { watch.disconnect(); document.removeEventListener("visibilitychange", tell); };
  }
}
customElements.define("nod-card", NodCard);

/**
 * Browsers break a line after every hyphen, also within -rf. Words stay whole.
 * @param {Node} root
 */
function wholeWords(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) {
    const pieces = text.data.split(/(\S*-\S*)/);
    if (pieces.length < 2) continue;
    text.replaceWith(...pieces.map((p, i) => (i % 2 && p.length <= 28 ? h("span", { class: "whole" }, p) : p)));
  }
  return root;
}

/** @param {Nod.CardPart} p */
export function partView(p) {
  const html = trusted(p.html);
  if (p.kind === "command") wholeWords(html);
  return h("section", { class: `part part-${p.kind}` }, p.title && h("h3", null, p.title), h("div", { class: "part-html", tabindex: p.kind === "diff" || p.kind === "file" ? 0 : undefined }, html));
}

/** The whole address is shown: it is the only thing that tells a good page from a bad one. @param {string} link */
function linkView(link) {
  let url;
  try {
    url = new URL(link);
  } catch {
    return h("p", { class: "problem" }, link);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return h("p", { class: "problem" }, link);
  return h("div", { class: "outlink" },
    h("p", null, t("link.hint", url.host)), h("code", null, link),
    h("a", { class: "button", href: url.href, target: "_blank", rel: "noopener noreferrer" }, icon("link", { size: 20 }), t("link.open")));
}
