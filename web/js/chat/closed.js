// In place of the box, where nothing can be said: why, and what can be done.
import { guarded } from "../guard.js";
import { h } from "../html.js";
import { icon } from "../icons.js";
import { store } from "../store.js";
import { newConversation } from "../talk/open.js";
import { t } from "../words.js";

/**
* Why messages cannot reach it from here; "" when they can.
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
  const over = why === "ended" && a?.conversation !== undefined;
  const shape = { gone: "question", ended: "tick", view: "eye", mute: "broken" }[why];
  return h("div", { class: "box-closed", role: "note" }, icon(shape),
    h("div", null,
      h("strong", null, why === "view" ? t("view.only") : over ? t("talk.over") : t(`chat.closed.${why}`, name)),
      h("p", null, over ? t("talk.over.how") : t(`chat.closed.${why}.how`, name, host))),
    why === "mute" && h("button", { type: "button", onclick: guarded(voice) }, icon("voice", { size: 20 }), t("voice.open")),
    over && store.me?.open && h("button", { type: "button", class: "primary", onclick: guarded(() => void newConversation()) }, icon("plus", { size: 20 }), t("agents.open")),
    (why === "gone" || (why === "ended" && !(over && store.me?.open))) && h("a", { class: "button", href: "/agents" }, t("chat.back")));
}
