// The red button, and its small brother for one agent.
import { api } from "../api.js";
import { h } from "../html.js";
import { notice, explain } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { sheet } from "./dialog.js";
import { hold } from "./hold.js";

export function stopEverything() {
  const dialog = sheet(t("stop.title"), [
    h("p", null, t("stop.what")),
    h("div", { class: "sheet-acts", "data-acts": true }, store.may("answer")
      ? hold(t("stop.hold"), () => { dialog.close(); void run(() => api.stop(), t("stop.done")); }, "danger big")
      : h("p", { class: "hint" }, t("view.only"))),
  ]);
}

/** @param {Nod.Agent} a */
export function stopSheet(a) {
  const can = a.can?.includes("interrupt");
  const dialog = sheet(t("agents.stop", a.name), [
    h("p", null, can ? t("interrupt.what") : t("interrupt.cannot", a.host)),
    h("div", { class: "sheet-acts", "data-acts": true }, can && store.may("answer")
      ? hold(t("interrupt.hold"), () => { dialog.close(); void run(() => api.interrupt(a.id), t("interrupt.done", a.name)); }, "danger")
      : h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, t("understood"))),
  ]);
}

/**
 * @param {() => Promise<unknown>} f
 * @param {string} done
 */
async function run(f, done) {
  if (store.link !== "live") {
    notice(t("offline.refused"), { kind: "bad" });
    return;
  }
  try {
    await f();
    notice(done, { kind: "good" });
  } catch (e) {
    notice(explain(e), { kind: "bad", stay: true });
  }
}
