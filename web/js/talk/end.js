// The end of a conversation that nod keeps.
import { api } from "../api.js";
import { hold } from "../elements/hold.js";
import { h } from "../html.js";
import { explain, notice } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";

/**
 * What stands below everything that is known about it.
 * @param {Nod.Agent} a
 * @param {() => void} close
 */
export function endPart(a, close) {
  if (!a.conversation || a.state === "ended" || !store.may("answer")) return null;
  return h("div", { class: "talk-end" }, h("p", { class: "hint" }, t("talk.end.what")),
    h("div", { class: "sheet-acts", "data-acts": true }, hold(t("talk.end"), () => { close(); void end(a.id); }, "danger")));
}

/** @param {string} id */
async function end(id) {
  if (store.link !== "live") {
    notice(t("offline.refused"), { kind: "bad" });
    return;
  }
  try {
    await api.leave(id);
    notice(t("talk.ended"), { kind: "good" });
  } catch (e) {
    notice(explain(e), { kind: "bad", stay: true });
  }
}
