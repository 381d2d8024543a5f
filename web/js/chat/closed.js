// In place of the box, where nothing can be said: why, and what can be done.
import { guarded } from "../guard.js";
import { h } from "../html.js";
import { icon } from "../icons.js";
import { store } from "../store.js";
import { t } from "../words.js";

/**
 * Why words cannot reach it from here; "" when they can.
 * @param {Nod.Agent | undefined} a
 * @returns {"" | "gone" | "ended" | "view" | "mute"}
 */
export function closed(a) {
  if (!a) return "gone";
  if (a.state === "ended") return "ended";
  if (!store.may("answer")) return "view";
  return !a.can?.includes("say") ? "mute" : "";
}

/**
 * @param {"gone" | "ended" | "view" | "mute"} why
 * @param {Nod.Agent | undefined} a
 * @param {() => void} voice
 */
export function closedView(why, a, voice) {
  const name = a?.name ?? "", host = a?.host ?? "";
  const shape = { gone: "question", ended: "tick", view: "eye", mute: "broken" }[why];
  return h("div", { class: "box-closed", role: "note" }, icon(shape),
    h("div", null,
      h("strong", null, why === "view" ? t("view.only") : t(`chat.closed.${why}`, name)),
      h("p", null, t(`chat.closed.${why}.how`, name, host))),
    why === "mute" && h("button", { type: "button", onclick: guarded(voice) }, icon("voice", { size: 20 }), t("voice.open")),
    (why === "gone" || why === "ended") && h("a", { class: "button", href: "/agents" }, t("chat.back")));
}
