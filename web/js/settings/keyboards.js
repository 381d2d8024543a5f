// Keyboards of one's own: those that show a code and wait to be let in, and those
// that may answer.
import { call } from "../api.js";
import { fill, h, keyed } from "../html.js";
import { explain, notice } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";
import "../elements/clock.js";
import { codeOf, worth } from "./boards.js";
import { attempt, button, confirm, section, whenKnown } from "./section.js";

/** @typedef {import("./boards.js").Board} Board */

const LOOK = 3000; // the log has no event for a new keyboard

export function keyboards() {
  const list = h("ul", { class: "things" });
  const said = h("div", { class: "stack" });
  const element = section("keyboards", t("kb.yours"), h("div", { class: "stack" }, said, list));
  element.hidden = true;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  async function load() {
    if (!store.may("admin") || document.hidden) return;
    try {
      const found = worth((await call("GET", "/v1/keyboards")).keyboards);
      element.hidden = false;
      fill(said, found.length === 0 && h("p", { class: "hint" }, t("kb.none")));
      keyed(list, found, (b) => `${b.id} ${b.admitted} ${b.connected} ${b.name ?? ""}`, row);
    } catch (e) {
      fill(said, h("p", { class: "problem", role: "alert" }, explain(e)));
    }
  }

  /** @param {Board} b */
  function row(b) {
    return b.admitted ? known(b) : waiting(b);
  }

  /** @param {Board} b */
  function known(b) {
    const end = button(t("devices.revoke"), () => confirm(t("kb.revoke.title", b.name ?? b.address), [h("p", null, t("kb.revoke.text"))], t("devices.revoke"), () => void revoke(b, end)), "plain danger-text");
    return h("li", { class: "thing" },
      h("div", { class: "thing-text" },
        h("span", { class: "thing-name" }, h("strong", null, b.name ?? ""), b.connected && h("span", { class: "tag" }, t("kb.connected"))),
        h("small", null, b.address, " · ", t("kb.by", b.by ?? ""), " ", b.at && h("nod-time", { "data-since": b.at }))),
      end);
  }

  /** @param {Board} b */
  function waiting(b) {
    const code = h("input", { type: "text", class: "keyboard-code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "9", required: true, "aria-label": t("kb.code") });
    const name = h("input", { type: "text", maxlength: "40", placeholder: t("kb.name"), "aria-label": t("kb.name") });
    const send = h("button", { type: "submit", class: "primary" }, t("kb.admit"));
    const form = h("form", { class: "keyboard-admit" }, code, name, send);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      void admit(b, codeOf(code.value), name.value, send, code);
    });
    return h("li", { class: "thing" }, h("div", { class: "thing-text" }, h("strong", null, t("kb.waits", b.address)), h("small", null, t("kb.waits.text")), form));
  }

  /** @param {Board} b @param {string} code @param {string} name @param {HTMLElement} el @param {HTMLInputElement} input */
  async function admit(b, code, name, el, input) {
    const ok = await attempt(el, async () => { await call("POST", `/v1/keyboards/${encodeURIComponent(b.id)}/admit`, { code, name }); return true; });
    if (!ok) {
      input.select();
      return;
    }
    notice(t("kb.admitted"), { kind: "good" });
    await load();
  }

  /** @param {Board} b @param {HTMLElement} el */
  async function revoke(b, el) {
    const ok = await attempt(el, async () => { await call("DELETE", `/v1/keyboards/${encodeURIComponent(b.id)}`); return true; });
    if (!ok) return;
    notice(t("devices.revoked", b.name ?? b.address), { kind: "good" });
    await load();
  }

  const unwatch = whenKnown(() => {
    clearInterval(timer);
    timer = setInterval(() => void load(), LOOK);
    void load();
  });
  return { element, end() { clearInterval(timer); unwatch(); } };
}
