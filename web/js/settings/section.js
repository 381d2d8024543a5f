// How a part of the settings looks: a title, what it is about, what can be done.
import { h } from "../html.js";
import { guarded } from "../guard.js";
import { explain, notice } from "../notice.js";
import { sheet } from "../elements/dialog.js";
import { hold } from "../elements/hold.js";
import { store } from "../store.js";
import { t } from "../words.js";

/**
 * @param {string} id
 * @param {string} title
 * @param {...import("../html.js").Child} body
 */
export const section = (id, title, ...body) =>
  h("section", { class: "setting", id: `set-${id}`, "aria-labelledby": `set-${id}-title` }, h("h2", { id: `set-${id}-title` }, title), h("div", { class: "setting-body" }, ...body));

/** @param {string} text @param {() => void} act @param {string} [kind] */
export const button = (text, act, kind = "") => h("button", { type: "button", class: kind, onclick: guarded(act) }, text);

/**
 * Does something once, with the button asleep meanwhile; what went wrong is said.
 * @template T
 * @param {HTMLElement | null} el
 * @param {() => Promise<T>} f
 * @returns {Promise<T | undefined>}
 */
export async function attempt(el, f) {
  if (store.link === "waiting") {
    notice(t("offline.refused"), { kind: "bad" });
    return undefined;
  }
  if (el instanceof HTMLButtonElement) el.disabled = true;
  try {
    return await f();
  } catch (e) {
    notice(explain(e), { kind: "bad", stay: true });
    return undefined;
  } finally {
    if (el instanceof HTMLButtonElement) el.disabled = false;
  }
}

/**
* Asks before something that cannot be undone.
 * @param {string} title
 * @param {import("../html.js").Child[]} body
 * @param {string} yes
 * @param {() => void} act
 */
export function confirm(title, body, yes, act) {
  const dialog = sheet(title, [...body, h("div", { class: "sheet-acts", "data-acts": true },
    hold(yes, () => { dialog.close(); act(); }, "danger"))]);
  return dialog;
}

/**
 * Calls once it is known who we are, and again only when our rights change.
 * @param {() => void} f
 * @returns {() => void} ends it
 */
export function whenKnown(f) {
  let rights = "";
  const look = () => {
    const next = store.me ? `${store.me.id} ${store.me.rights.join()}` : "";
    if (!next || next === rights) return;
    rights = next;
    f();
  };
  queueMicrotask(look);
  return store.on("me", look);
}

/**
 * Words with commands in backquotes: the commands are set as such.
 * @param {string} text
 * @returns {import("../html.js").Piece[]}
 */
export const withCode = (text) => text.split("`").map((piece, i) => (i % 2 ? h("code", null, piece) : piece));

/** Copies a text; where the page may not, it is selected instead. @param {string} text @param {HTMLElement} from */
export async function copy(text, from) {
  try {
    await navigator.clipboard.writeText(text);
    notice(t("settings.copied"), { kind: "good" });
  } catch {
    getSelection()?.selectAllChildren(from);
    notice(t("settings.select"));
  }
}
