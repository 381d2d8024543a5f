// What was said, and what was done, each as one piece of the log.
import { mine } from "../decide.js";
import { chain, settledTone, settledWords } from "../elements/proof.js";
import { fill, h, keyed, say, trusted } from "../html.js";
import { icon } from "../icons.js";
import { automatic, step } from "../state.js";
import { clock } from "../time.js";
import { store } from "../store.js";
import { has, lang, t } from "../words.js";
import { blocks } from "./talk.js";

/** @typedef {import("./talk.js").Block} Block */
/** @typedef {import("./talk.js").Item} Item */

/** Runs that a person has opened; they stay open when their page comes back. @type {Set<string>} */
const opened = new Set();

/** Sentences with a time in them, which grow old. @type {WeakMap<Element, Nod.Request>} */
const told = new WeakMap();

/** @param {Nod.Request} r */
function tell(r) {
  const el = h("small", { class: "told" }, settledWords(r, mine(r)));
  told.set(el, r);
  return el;
}

/** "4 s ago" must not be said an hour later. @param {Element} root */
export function refresh(root) {
  for (const el of root.querySelectorAll(".told")) {
    const r = told.get(el);
    if (r) say(el, settledWords(r, mine(r)));
  }
}

/**
 * @param {import("./talk.js").Page} page
 * @param {HTMLElement} el
 * @param {string | undefined} before
 */
export function drawPage(page, el, before) {
  keyed(el, blocks(page, before), (b) => b.key, make, (piece, b) => {
    const sign = signOf(b);
    if (piece.dataset.sign === sign) return;
    piece.dataset.sign = sign;
    draw(piece, b);
  });
}

/** What it would say; nothing is drawn twice for the same. @param {Block} b */
function signOf(b) {
  if (b.kind === "said") return String(b.turn.html?.length ?? -1);
  if (b.kind === "past") return `${b.request.status} ${step(b.request)}`;
  return b.kind === "steps" ? b.steps.map((i) => (i.kind === "turn" ? i.turn.html?.length : step(i.request))).join() : lang();
}

/** @param {Block} b @returns {HTMLElement} */
function make(b) {
  if (b.kind === "steps") return h("details", { class: "run" });
  if (b.kind === "day") return h("p", { class: "chat-day" });
  if (b.kind === "past") return h("div", { class: "done-row chat-past" });
  return h("article", { class: `turn turn-${b.turn.role}` });
}

/** @param {HTMLElement} el @param {Block} b */
function draw(el, b) {
  if (b.kind === "said") fill(el, ...said(b.turn));
  else if (b.kind === "day") fill(el, h("time", { datetime: b.at }, dayOf(b.at)));
  else if (b.kind === "past") past(el, b.request);
  else steps(/** @type {HTMLDetailsElement} */ (el), b.steps, b.key);
}

/** @param {Nod.Turn} turn */
export const body = (turn) => (turn.html === undefined ? h("p", { class: "raw" }, turn.text) : trusted(turn.html));

/** Why there is no answer, in the person's own language; what the program said stands below. @param {Nod.Turn} turn */
function troubled(turn) {
  const key = `trouble.${turn.trouble}`;
  if (!turn.trouble || !has(key)) return undefined;
  const a = store.state.agents.get(turn.agent);
  return [h("p", null, t(key, a?.name ?? "", a?.host || "localhost")), turn.text && h("p", { class: "hint" }, turn.text)];
}

/** @param {Nod.Turn} turn */
function said(turn) {
  const who = turn.role === "person" ? t("chat.you") : turn.role === "agent" ? (turn.subagent?.type ? t("chat.subagent", turn.subagent.type) : t("chat.it")) : "";
  return [
    who && h("h2", { class: turn.subagent?.type ? "turn-who" : "unseen" }, who),
    turn.role === "system" && icon("more", { size: 18 }),
    h("div", { class: "turn-text prose" }, troubled(turn) ?? body(turn)),
    turn.role !== "system" && h("time", { class: "turn-time", datetime: turn.at }, clock(turn.at)),
  ];
}

/** @param {string} at */
function dayOf(at) {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  const words = days < 2 ? new Intl.RelativeTimeFormat(lang(), { numeric: "auto" }).format(-days, "day")
    : new Intl.DateTimeFormat(lang(), { weekday: "short", day: "numeric", month: "long", ...(days > 300 ? { year: "numeric" } : {}) }).format(new Date(at));
  return words.replace(/[\u00a0\u202f]/g, " ");
}

/** @param {HTMLElement} el @param {Nod.Request} r */
function past(el, r) {
  const auto = r.decision && automatic(r.decision);
  const tone = settledTone(r);
  el.className = `done-row chat-past tone-${tone}`;
  const message = r.decision?.message;
  fill(el, icon(auto ? "auto" : { doubt: "question", no: "cross", yes: "tick", plain: "more" }[tone] ?? "more", { size: 20 }),
    h("div", null,
      h("span", { class: r.kind === "approval" ? "row-title mono" : "row-title" }, r.title),
      tell(r),
      replies(r).map((x) => h("p", { class: "chat-reply" }, x)),
      message && h("p", { class: "chat-reply" }, `“${message}”`),
      (tone === "doubt") && chain(r)));
}

/** What was chosen, in short. @param {Nod.Request} r */
function replies(r) {
  return Object.values(r.decision?.answers ?? {}).map((a) => [...(a.picked ?? []), a.text, a.notes].filter(Boolean).join(", ")).filter(Boolean);
}

/** @param {Item} i */
const nameOf = (i) => (i.kind === "turn" ? i.turn.tool ?? "" : i.request.tool ?? "").replace(/^mcp__/, "").replace(/__/g, " · ");
/** @param {Item} i */
const lineOf = (i) => (i.kind === "turn" ? i.turn.text : i.request.title).trim().split("\n", 1)[0]?.slice(0, 160) ?? "";

/**
 * A run of steps: the last one in sight, all of them when it is opened. What is
 * inside is made only then.
 * @param {HTMLDetailsElement} el
 * @param {Item[]} list
 * @param {string} key
 */
function steps(el, list, key) {
  const last = list.findLast((i) => i.kind === "turn") ?? list.at(-1);
  const autos = list.filter((i) => i.kind === "past").length;
  const inside = h("ol", { class: "run-list" });
  const open = () => { if (!inside.firstChild) fill(inside, list.map(stepRow)); };
  fill(el,
    h("summary", null, icon("next", { size: 18, class: "run-mark" }),
      h("span", { class: "run-line" }, h("strong", null, last ? nameOf(last) : ""), " ", h("span", { class: "mono" }, last ? lineOf(last) : "")),
      list.length - autos > 1 && h("span", { class: "run-count" }, t("chat.steps", list.length - autos)),
      autos > 0 && h("span", { class: "run-auto", title: t("chat.auto", autos) }, icon("auto", { size: 16 }), h("span", { "aria-hidden": "true" }, String(autos)), h("span", { class: "unseen" }, t("chat.auto", autos)))),
    inside);
  el.ontoggle = () => {
    if (el.open) open();
    opened[el.open ? "add" : "delete"](key);
  };
  el.open = opened.has(key);
  if (el.open) open();
}

/** @param {Item} i */
function stepRow(i) {
  if (i.kind === "turn") {
    return h("li", { class: "step" }, h("p", { class: "step-head" }, h("strong", null, nameOf(i)), i.turn.subagent?.type && h("span", null, i.turn.subagent.type), h("time", { datetime: i.turn.at }, clock(i.turn.at))),
      h("div", { class: "step-body" }, body(i.turn)));
  }
  const r = i.request;
  return h("li", { class: `step step-auto tone-${settledTone(r)}` }, icon("auto", { size: 18 }), h("div", null, h("span", { class: "row-title mono" }, r.title), tell(r)));
}
