// A message on its way: a bubble that says honestly how far it has come.
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { notice } from "../notice.js";
import { clock, now } from "../time.js";
import { has, t } from "../words.js";
import { way } from "./outbox.js";
import { again, discard } from "./post.js";

/** @typedef {import("./outbox.js").Sent} Sent */

const SHAPE = { sending: "more", unsure: "question", late: "question", waits: "hourglass", queued: "more", delivered: "tick", failed: "cross" };

/** @param {Sent} x */
export function sentView(x) {
  const el = h("article", { class: "turn turn-person sent" });
  updateSent(el, x);
  return el;
}

/**
 * @param {HTMLElement} el
 * @param {Sent} x
 */
export function updateSent(el, x) {
  const w = way(x, now());
  const sign = `${w} ${x.problem ?? ""}`;
  if (el.dataset.sign === sign) return;
  el.dataset.sign = sign;
  el.dataset.way = w;
  const who = x.own ? "" : t("chat.sent.by", x.by ?? "", has(`via.${x.via}`) ? t(`via.${x.via}`) : x.via ?? "");
  fill(el,
    h("h2", { class: "unseen" }, x.own ? t("chat.you") : x.by),
    h("div", { class: "turn-text" }, x.text && h("p", { class: "raw" }, x.text), x.files.length > 0 && filesView(x.files)),
    h("p", { class: "sent-way", role: w === "failed" || w === "unsure" || w === "late" ? "status" : undefined }, icon(SHAPE[w], { size: 16 }),
      h("span", null, t(`chat.sent.${w}`), w === "delivered" ? ` ${clock(new Date(x.at).toISOString())}` : "", who && ` · ${who}`)),
    w === "failed" && x.problem && h("p", { class: "sent-why" }, x.problem),
    (w === "failed" || w === "unsure") && x.own && h("p", { class: "sent-acts" },
      h("button", { type: "button", class: "plain", onclick: () => { if (!again(x)) notice(t("offline.refused"), { kind: "bad" }); } }, icon("again", { size: 18 }), t("chat.sent.again")),
      h("button", { type: "button", class: "plain", onclick: () => discard(x) }, t("chat.sent.discard"))));
}

/** @param {{name: string}[]} files */
function filesView(files) {
  return h("ul", { class: "sent-files" }, files.map((f) => h("li", null, icon("file", { size: 16 }), f.name)));
}
