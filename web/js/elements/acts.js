// What can be done with a card, at its foot: where the thumb is.
import { decide } from "../decide.js";
import { h } from "../html.js";
import { guarded } from "../guard.js";
import { icon } from "../icons.js";
import { needsHold, replies } from "../state.js";
import { has, t } from "../words.js";
import { allowButton, alwaysSheet, denySheet, editSheet } from "./sheets.js";

/** @typedef {import("./card.js").NodCard} Card */

/**
 * @param {Card} card
 * @param {Nod.Request} r
 */
export function approvalActs(card, r) {
  const lease = r.options?.some((o) => o.kind === "lease");
  return [
    quickReplies(r),
    h("div", { class: "acts-more" },
      (r.can_always || lease) && h("button", { type: "button", class: "plain", "data-act": "always", onclick: guarded(() => card.open(alwaysSheet(r))) }, t("act.always")),
      r.can_edit && h("button", { type: "button", class: "plain", "data-act": "edit", onclick: guarded(() => card.open(editSheet(r))) }, t("act.edit")),
      h("button", { type: "button", class: "plain", "data-act": "reason", onclick: guarded(() => card.open(denySheet(r))) }, t("act.reason"))),
    h("div", { class: "acts-main" },
      h("button", { type: "button", class: "no", "data-act": "deny", onclick: guarded(() => void decide(r, { verdict: "deny" })) }, t("act.deny")),
      mark("allow", allowButton(r, t("act.allow"), () => void decide(r, { verdict: "allow" })))),
  ];
}

/**
 * Short replies that the hub suggests. One that allows something risky is left
 * to the button that must be held.
 * @param {Nod.Request} r
 */
function quickReplies(r) {
  const offered = replies(r).filter((x) => !(needsHold(r) && x.answer.verdict === "allow"));
  if (!offered.length) return null;
  return h("div", { class: "quick" }, offered.map((x) =>
    h("button", { type: "button", onclick: guarded(() => void decide(r, x.answer)) }, x.emoji && h("span", { "aria-hidden": "true" }, x.emoji), x.label)));
}

/**
 * @template {HTMLElement} E
 * @param {string} name
 * @param {E} el
 */
function mark(name, el) {
  el.dataset.act = name;
  return el;
}

/**
 * @param {Card} card
 * @param {Nod.Request} r
 * @param {{mode: string}} choice
 */
export function planActs(card, r, choice) {
  const modes = (r.options ?? []).filter((o) => o.kind === "mode");
  return [
    quickReplies(r),
    modes.length > 0 && h("fieldset", { class: "modes" }, h("legend", { class: "unseen" }, t("plan.mode")), modes.map((o) =>
      h("label", { class: "mode" },
        h("input", { type: "radio", name: `mode-${r.id}`, value: o.id, checked: o.id === choice.mode, onchange: () => { choice.mode = o.id; } }),
        h("span", null, h("strong", null, has(`mode.${o.id}`) ? t(`mode.${o.id}`) : o.label), h("small", null, has(`mode.${o.id}.hint`) ? t(`mode.${o.id}.hint`) : (o.detail ?? "")))))),
    r.can_edit && h("div", { class: "acts-more" }, h("button", { type: "button", class: "plain", "data-act": "edit", onclick: guarded(() => card.open(editSheet(r))) }, t("edit.plan"))),
    h("div", { class: "acts-main" },
      h("button", { type: "button", class: "no", "data-act": "deny", onclick: guarded(() => card.open(denySheet(r))) }, t("plan.back")),
      mark("allow", allowButton(r, t("plan.approve"), () => void decide(r, modes.length ? { verdict: "allow", mode: choice.mode } : { verdict: "allow" })))),
  ];
}

/**
 * @param {Card} card
 * @param {Nod.Request} r
 * @param {import("./questions.js").Questions} form
 */
export function questionActs(card, r, form) {
  const first = form.together || form.place.at === 0;
  const send = () => void decide(r, { verdict: "answer", answers: form.answers() });
  const next = form.last
    ? h("button", { type: "button", class: "primary", "data-act": "allow", disabled: !form.ready, onclick: guarded(send) }, t(r.link && !form.list.length ? "link.done" : "question.send"))
    : h("button", { type: "button", class: "primary", "data-act": "next", disabled: !form.ready, onclick: guarded(() => form.move(1)) }, t("question.next"), icon("next", { size: 20 }));
  return [
    quickReplies(r),
    h("div", { class: "acts-more" }, h("button", { type: "button", class: "plain", "data-act": "reason", onclick: guarded(() => card.open(denySheet(r))) }, t("question.talk"))),
    h("div", { class: "acts-main" },
      first
        ? h("button", { type: "button", class: "no", "data-act": "deny", onclick: guarded(() => void decide(r, { verdict: "deny" })) }, t("question.skip"))
        : h("button", { type: "button", class: "no", "data-act": "back", onclick: guarded(() => form.move(-1)) }, icon("back", { size: 20 }), t("question.back")),
      next),
  ];
}
