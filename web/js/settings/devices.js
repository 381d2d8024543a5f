// Who has access: every device with its rights and its last use.
import { call } from "../api.js";
import { fill, h, keyed } from "../html.js";
import { icon } from "../icons.js";
import { explain, notice } from "../notice.js";
import { store } from "../store.js";
import { clock } from "../time.js";
import { t } from "../words.js";
import "../elements/clock.js";
import { rightsWords } from "./mine.js";
import { addDevice, tokens } from "./pairing.js";
import { attempt, button, confirm, section, whenKnown, withCode } from "./section.js";

export function devices() {
  const list = h("ul", { class: "things" });
  const said = h("div", { class: "stack" });
  const add = h("button", { type: "button", class: "primary", onclick: () => addDevice(() => void load()) }, icon("plus", { size: 20 }), t("devices.add"));
  const element = section("devices", t("devices.title"), h("div", { class: "stack" }, said, list, h("div", { class: "acts" }, add)));

  async function load() {
    add.hidden = !store.may("admin");
    if (!store.may("admin")) {
      fill(said, h("p", { class: "hint" }, icon("eye", { size: 20 }), h("span", null, withCode(t("devices.notadmin")))));
      return;
    }
    try {
      const all = await tokens();
      fill(said);
      const order = all.sort((a, b) => Number(b.id === store.me?.id) - Number(a.id === store.me?.id) || (b.used_at ?? b.created_at).localeCompare(a.used_at ?? a.created_at));
      keyed(list, order, (x) => `${x.id} ${x.used_at ?? ""}`, row);
    } catch (e) {
      fill(said, h("p", { class: "problem", role: "alert" }, explain(e)), button(t("history.again"), () => void load()));
    }
  }

  /** @param {import("./pairing.js").Token} x */
  function row(x) {
    const mine = x.id === store.me?.id;
    const end = button(t("devices.revoke"), () => confirm(t("devices.revoke.title", x.name), [h("p", null, t("devices.revoke.text"))], t("devices.revoke"), () => void revoke(x, end)), "plain danger-text");
    return h("li", { class: "thing" },
      h("div", { class: "thing-text" },
        h("span", { class: "thing-name" }, h("strong", null, x.name), mine && h("span", { class: "tag" }, t("devices.this"))),
        h("small", null, t("device.may", rightsWords(x.rights.split(","))), x.room ? ` · ${x.room}` : ""),
        h("small", null, x.used_at ? [t("devices.used"), " ", h("nod-time", { "data-since": x.used_at })] : t("devices.never"), " · ", t("devices.since", clock(x.created_at)))),
      !mine && end);
  }

  /** @param {import("./pairing.js").Token} x @param {HTMLElement} el */
  async function revoke(x, el) {
    const ok = await attempt(el, async () => { await call("DELETE", `/v1/tokens/${encodeURIComponent(x.id)}`); return true; });
    if (!ok) return;
    notice(t("devices.revoked", x.name), { kind: "good" });
    await load();
  }

  return { element, end: whenKnown(() => void load()) };
}
