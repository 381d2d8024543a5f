// Passkeys: for hubs that want one before something dangerous is allowed.
import { call } from "../api.js";
import { sheet } from "../elements/dialog.js";
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { explain, notice } from "../notice.js";
import { invite, proven, register } from "../passkey.js";
import { deviceName } from "../screens/pair.js";
import { store } from "../store.js";
import { clock } from "../time.js";
import { has, t } from "../words.js";
import "../elements/clock.js";
import { attempt, button, confirm, section, whenKnown, withCode } from "./section.js";

/** @typedef {{id: string, name: string, site: string, created_at: string, used_at?: string}} Key */

/** Hidden until the hub answers: not every hub has passkeys, and only administrators see them. */
export function passkeys() {
  const body = h("div", { class: "stack" });
  const element = section("passkeys", t("passkey.title"), body);
  element.hidden = true;
  const load = async () => {
    if (!store.may("admin")) return;
    try {
      const [{ passkeys: list }, rule] = await Promise.all([call("GET", "/v1/passkeys"), call("GET", "/v1/proof").catch(() => ({ required: [] }))]);
      element.hidden = false;
      draw(list, rule.required ?? []);
    } catch {
      element.hidden = true;
    }
  };
  /** @param {Key[]} list @param {string[]} required */
  const draw = (list, required) => {
    const levels = required.map((l) => (has(`risk.${l}`) ? t(`risk.${l}`) : l)).join(", ");
    fill(body, h("p", { class: "hint" }, h("span", null, withCode(levels ? t("passkey.required", levels) : t("passkey.off")))),
      h("ul", { class: "things" }, list.map((k) => row(k, () => void load()))),
      h("div", { class: "acts" }, h("button", { type: "button", onclick: () => add(() => void load()) }, icon("plus", { size: 20 }), t("passkey.add")), list.length > 0 && button(t("passkey.invite"), () => void attempt(null, invited), "plain")));
  };
  return { element, end: whenKnown(() => void load()) };
}

/** @param {Key} k @param {() => void} changed */
function row(k, changed) {
  const end = button(t("passkey.delete"), () => confirm(t("passkey.delete.title", k.name), [h("p", null, t("passkey.delete.text"))], t("passkey.delete"), () => void attempt(end, async () => {
    await proven((headers) => call("DELETE", `/v1/passkeys/${encodeURIComponent(k.id)}`, undefined, { headers }));
    notice(t("passkey.deleted", k.name), { kind: "good" });
    changed();
  })), "plain danger-text");
  return h("li", { class: "thing" },
    h("div", { class: "thing-text" }, h("strong", null, k.name), h("small", null, k.site, " · ", k.used_at ? t("passkey.used", clock(k.used_at)) : t("devices.since", clock(k.created_at)))), end);
}

/** For another name of the hub, where no passkey of this one works. */
async function invited() {
  const { code, expires_at } = await invite();
  sheet(t("passkey.invite"), [h("p", { class: "hint" }, t("passkey.invite.text")), h("pre", { class: "exact-rule" }, code), h("p", { class: "pairing-left" }, h("nod-time", { "data-until": expires_at, role: "timer" }))]);
}

/** @param {() => void} changed */
function add(changed) {
  const name = h("input", { type: "text", value: deviceName(navigator.userAgent), maxlength: 64, required: true, autocomplete: "off", id: "passkey-name" });
  const invitation = h("input", { type: "text", class: "mono", autocomplete: "off", autocapitalize: "off", spellcheck: "false", id: "passkey-invitation" });
  const problem = h("p", { class: "problem", role: "alert" });
  const make = h("button", { type: "button", class: "primary", onclick: async () => {
    make.disabled = true;
    fill(problem);
    try {
      await register(name.value.trim() || deviceName(navigator.userAgent), invitation.value.trim());
      dialog.close();
      notice(t("passkey.added"), { kind: "good" });
      changed();
    } catch (e) {
      fill(problem, explain(e));
    }
    make.disabled = false;
  } }, t("passkey.make"));
  const dialog = sheet(t("passkey.add"), [h("p", { class: "hint" }, t("passkey.text")), h("div", { class: "field" }, h("label", { for: "passkey-name" }, t("passkey.name")), name),
    h("details", { class: "notes" }, h("summary", null, icon("plus", { size: 18 }), t("passkey.invitation")), h("div", { class: "field" }, h("label", { for: "passkey-invitation" }, t("passkey.code")), invitation)), problem, h("div", { class: "sheet-acts" }, make)]);
}
