// Files that are dropped on a conversation go into its box.
import { h } from "../html.js";
import { icon } from "../icons.js";
import { t } from "../words.js";

/** What is shown while files hover. */
export const dropHint = () => h("div", { class: "chat-drop", "aria-hidden": "true" }, icon("clip"), t("chat.drop"));

/**
 * @param {HTMLElement} element
 * @param {() => import("./box.js").Box | undefined} open the box, while it can take files
 */
export function takeDrops(element, open) {
  let depth = 0;
  const over = (/** @type {number} */ n) => { depth = n; element.classList.toggle("is-dropping", n > 0); };
  const mine = (/** @type {DragEvent} */ e) => open() && e.dataTransfer?.types.includes("Files");
  element.addEventListener("dragenter", (e) => { if (mine(e)) over(depth + 1); });
  element.addEventListener("dragleave", (e) => { if (mine(e)) over(Math.max(0, depth - 1)); });
  element.addEventListener("dragover", (e) => { if (mine(e)) e.preventDefault(); });
  element.addEventListener("drop", (e) => {
    if (!mine(e)) return;
    e.preventDefault();
    over(0);
    open()?.files.add(e.dataTransfer?.files ?? []);
  });
}
