// A place that is still to be furnished: see inbox.js for how a screen is made.
import { h } from "../html.js";
import { t } from "../words.js";

/** @type {Nod.MakeScreen} */
export default function settings() {
  return { element: h("div", { class: "screen narrow" }, h("p", { class: "hint" }, t("soon"))), title: t("nav.settings") };
}
