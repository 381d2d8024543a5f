// One agent in a list: what it is, what it does, where.
import { fill, h, say } from "../html.js";
import { icon, stateShape } from "../icons.js";
import { elsewhere } from "../state.js";
import { store } from "../store.js";
import { clock } from "../time.js";
import { t } from "../words.js";
import { place } from "./badge.js";
import { stopSheet } from "./stop.js";

/** How far a person has read each agent's answers. */
const SEEN = "nod.seen";

/** @returns {Record<string, number>} */
function seen() {
  try {
    return JSON.parse(localStorage.getItem(SEEN) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} id */
export const unread = (id) => (store.state.lastTurn.get(id) ?? 0) > (seen()[id] ?? 0);

/** The chat screen calls this when an answer is on screen. @param {string} id */
export function markRead(id) {
  const at = store.state.lastTurn.get(id);
  if (!at || seen()[id] === at) return;
  const alive = Object.fromEntries(Object.entries(seen()).filter(([k]) => store.state.agents.has(k)));
  try {
    localStorage.setItem(SEEN, JSON.stringify({ ...alive, [id]: at }));
  } catch {
    // Then it stays unread; nothing worse.
  }
}

/** @param {Nod.Agent} a */
export function stateWords(a) {
  if (a.stopping) return t("state.stopping", a.stopping.by);
  if (a.state === "limited" && a.until) return t("state.until", clock(a.until));
  return t(`state.${a.state}`);
}

/** What it does now, in its own words. @param {Nod.Agent} a */
export function doing(a) {
  if (a.state === "waiting") {
    // As the request reads: the tool's own line of a question or a plan is bare JSON.
    const open = [...store.state.requests.values()].find((r) => r.agent.id === a.id && r.status === "pending");
    return a.needs_you ?? open?.title ?? a.tool ?? "";
  }
  if (a.state === "working") return a.tool ?? a.prompt ?? "";
  return a.problem ?? a.prompt ?? "";
}

/** Details of a conversation: where, with which assistant, whether its program is running. @param {Nod.Agent} a */
export function talkWords(a) {
  const c = a.conversation;
  if (!c) return [];
  const warm = c.warm && a.state === "idle";
  return [c.room, c.user, c.assistant === a.name ? "" : t("talk.with", c.assistant), warm ? t("talk.warm") : "", warm && c.until ? t("talk.until", clock(c.until)) : ""].filter(Boolean);
}

/** How full its memory is, in percent; 0 is not worth a word. @param {Nod.Agent} a */
export const used = (a) => (a.context?.window ? Math.round((100 * a.context.tokens) / a.context.window) : 0);

/**
 * @param {Nod.Agent} a
 * @param {{stop?: boolean}} [o]
 */
export function agentRow(a, o = {}) {
  const row = h("li", { class: "agent" },
    h("a", { class: "agent-link", href: `/agents/${encodeURIComponent(a.id)}` },
      h("span", { class: "agent-shape" }),
      h("span", { class: "agent-text" },
        h("span", { class: "agent-top" }, h("strong", { class: "agent-name" }), h("i", { class: "agent-unread", title: t("agents.unread") }), h("span", { class: "agent-project" })),
        h("span", { class: "agent-doing" }),
        h("span", { class: "agent-where" }))),
    o.stop && h("button", { type: "button", class: "plain round agent-stop", onclick: () => stopSheet(store.state.agents.get(a.id) ?? a) }, icon("halt")));
  updateAgentRow(row, a);
  return row;
}

/** @param {HTMLElement} row @param {string} selector @param {string} text */
const put = (row, selector, text) => { const el = row.querySelector(selector); if (el) say(el, text); };

/**
 * @param {HTMLElement} row
 * @param {Nod.Agent} a
 */
export function updateAgentRow(row, a) {
  const look = a.stopping ? "error" : a.state;
  if (row.dataset.state !== look) {
    row.dataset.state = look;
    const shape = row.querySelector(".agent-shape");
    if (shape) fill(shape, stateShape(look));
  }
  put(row, ".agent-name", a.name);
  put(row, ".agent-project", elsewhere(a));
  const what = doing(a);
  const el = row.querySelector(".agent-doing");
  const sign = `${stateWords(a)}|${what}`;
  if (el instanceof HTMLElement && el.dataset.sign !== sign) {
    el.dataset.sign = sign;
    fill(el, h("span", { class: `state-word state-${look}` }, stateWords(a)), what && h("span", { class: a.tool && a.state === "working" ? "mono" : "" }, what));
  }
  const where = row.querySelector(".agent-where");
  if (where instanceof HTMLElement) place(where, a, talkWords(a), [a.model, used(a) ? t("agents.context", used(a)) : ""]);
  row.classList.toggle("is-unread", unread(a.id));
  row.classList.toggle("is-here", location.pathname === `/agents/${encodeURIComponent(a.id)}`);
  const stop = row.querySelector(".agent-stop");
  if (stop instanceof HTMLElement) {
    stop.hidden = a.state !== "working" && a.state !== "waiting";
    stop.setAttribute("aria-label", t("agents.stop", a.name));
  }
}
