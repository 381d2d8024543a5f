// Sheets: from below on a phone, in the middle on a desk. They are the
// browser's own dialogs, so Esc, focus and screen readers work as people know.
import { h } from "../html.js";
import { icon } from "../icons.js";
import { moved } from "../guard.js";
import { t } from "../words.js";

/**
 * @param {string} title
 * @param {import("../html.js").Child[]} body
 * @param {{class?: string, closed?: () => void}} [o]
 * @returns {HTMLDialogElement}
 */
export function sheet(title, body, o = {}) {
  const id = `sheet-${Math.random().toString(36).slice(2)}`;
  const dialog = h("dialog", { class: `sheet ${o.class ?? ""}`, "aria-labelledby": id },
    h("header", { class: "sheet-head" },
      h("h2", { id }, title),
      h("button", { type: "button", class: "plain round", "aria-label": t("close"), onclick: () => dialog.close() }, icon("cross"))),
    h("div", { class: "sheet-body" }, ...body));
  // A press that began inside (selecting text) and ends outside must not close it.
  let began = false;
  dialog.addEventListener("pointerdown", (e) => { began = e.target === dialog; });
  dialog.addEventListener("click", (e) => { if (e.target === dialog && began) dialog.close(); });
  dialog.addEventListener("close", () => {
    dialog.remove();
    o.closed?.();
    moved();
  });
  document.body.append(dialog);
  dialog.showModal();
  moved();
  return dialog;
}

/**
 * A choice of a few, as one row.
 * @template {string | number} V
 * @param {string} legend
 * @param {[V, string][]} options
 * @param {V} chosen
 * @param {(v: V) => void} choose
 */
export function segments(legend, options, chosen, choose) {
  const name = `s-${Math.random().toString(36).slice(2)}`;
  return h("fieldset", { class: "segments" },
    h("legend", null, legend),
    h("div", { class: "segments-row" }, options.map(([v, text]) =>
      h("label", null,
        h("input", { type: "radio", name, value: v, checked: v === chosen, onchange: () => choose(v) }),
        h("span", null, text)))));
}
