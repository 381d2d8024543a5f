// Shortcuts for a desk. Never inside a field, never with a modifier, never
// while a sheet is open.
import { h } from "./html.js";
import { sheet } from "./elements/dialog.js";
import { go } from "./navigate.js";
import { t } from "./words.js";

const HELP = [["j", "next"], ["k", "previous"], ["a", "allow"], ["d", "deny"], ["e", "edit"], ["r", "reply"], ["v", "voice"], ["/", "search"], ["?", "help"]];

/** @param {EventTarget | null} target */
export function typing(target) {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])"));
}

/** @param {(key: string) => boolean} use what the screen does with a key */
export function keys(use) {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || e.isComposing || typing(e.target) || document.querySelector("dialog[open]")) return;
    const used = e.key === "?" ? help() : use(e.key) || (e.key === "/" && search());
    if (used) e.preventDefault();
  });
}

function search() {
  const box = document.querySelector("[data-search]");
  if (box instanceof HTMLElement && box.offsetParent) box.focus();
  else {
    go("/agents");
    setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector("[data-search]"))?.focus(), 100);
  }
  return true;
}

export function help() {
  sheet(t("keys.title"), [h("dl", { class: "keys" }, HELP.flatMap(([k, name]) => [h("dt", null, h("kbd", null, k ?? "")), h("dd", null, t(`keys.${name}`))])),
    h("p", { class: "hint" }, t("keys.hold"))]);
  return true;
}
