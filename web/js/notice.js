// Short notices on top of the page. They never move its content.
import { h } from "./html.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

const LONG = 6000;

/** @returns {HTMLElement} */
function place() {
  let el = document.getElementById("notices");
  if (!el) {
    el = h("div", { id: "notices", role: "status", "aria-live": "polite" });
    document.body.append(el);
  }
  return el;
}

/**
 * @param {string} text
 * @param {{kind?: "plain" | "good" | "bad" | "doubt", stay?: boolean, action?: {text: string, act: () => void}}} [o]
 */
export function notice(text, o = {}) {
  const kind = o.kind ?? "plain";
  const el = h("div", { class: `notice notice-${kind}` },
    kind !== "plain" && icon({ good: "tick", bad: "cross", doubt: "question" }[kind], { size: 20 }),
    h("p", null, text),
    o.action && h("button", { type: "button", class: "plain", onclick: () => { o.action?.act(); el.remove(); } }, o.action.text),
    h("button", { type: "button", class: "plain round", "aria-label": t("close"), onclick: () => el.remove() }, icon("cross", { size: 18 })));
  const all = place();
  for (const old of [...all.children].slice(0, -2)) old.remove();
  all.append(el);
  if (!o.stay) setTimeout(() => el.remove(), LONG);
}

/** Only for screen readers. @param {string} text */
export function announce(text) {
  let el = document.getElementById("announcer");
  if (!el) {
    el = h("div", { id: "announcer", class: "unseen", role: "status", "aria-live": "polite" });
    document.body.append(el);
  }
  el.textContent = text;
}

/**
 * What went wrong, what it means, what to do.
 * @param {unknown} e
 * @returns {string}
 */
export function explain(e) {
  const code = /** @type {any} */ (e)?.code;
  const message = /** @type {any} */ (e)?.message ?? "";
  switch (code) {
    case "offline": return t("error.unreachable");
    case "timeout": return t("error.timeout");
    case "unauthorized": return t("error.unauthorized");
    case "unavailable": return t("error.unavailable");
    case "not_found": case "gone": return t("error.gone");
    default: return message || t("error.internal");
  }
}
