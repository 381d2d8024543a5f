// Rules that a person's own decisions speak for. None is made without showing
// what it would have done, above all what was denied then.
import { call } from "../api.js";
import { sheet } from "../elements/dialog.js";
import { hold } from "../elements/hold.js";
import { fill, h } from "../html.js";
import { guarded } from "../guard.js";
import { icon } from "../icons.js";
import { explain, notice } from "../notice.js";
import { store } from "../store.js";
import { clock } from "../time.js";
import { t } from "../words.js";
import { attempt, button, section, whenKnown, withCode } from "./section.js";

/** @typedef {{rule: string, allowed: number, denied: number, would_allow: number, would_allow_denied: {id: string, title: string, at: string}[], last_at: string}} Suggestion */

const FEW = 5;

/** "You allowed 41 of these. As a rule it would have answered 212 prompts." @param {Suggestion} s */
const habit = (s) => `${t("rules.allowed", s.allowed)} ${t("rules.would", s.would_allow)}`;

/** "You denied 3 of them." @param {Suggestion} s */
function denials(s) {
  const n = s.would_allow_denied.length;
  return n ? h("b", { class: "warn" }, icon("question", { size: 14 }), t("rules.denied", n)) : t("rules.nonedenied");
}

export function rules() {
  const body = h("div", { class: "stack" });
  const element = section("rules", t("rules.title"), body);
  const load = async () => {
    try {
      const { suggestions, days } = await call("GET", "/v1/policy/suggestions");
      draw(suggestions, days);
    } catch (e) {
      if (/** @type {any} */ (e)?.code === "not_found") element.hidden = true; // a hub without rules
      else fill(body, h("p", { class: "problem", role: "alert" }, explain(e)), button(t("history.again"), () => void load()));
    }
  };
  /** @param {Suggestion[]} list @param {number} days */
  const draw = (list, days) => {
    if (!list.length) {
      fill(body, h("p", { class: "hint" }, h("span", null, withCode(t("rules.none", days)))));
      return;
    }
    fill(body, h("p", { class: "hint" }, t("rules.text", days)), h("ul", { class: "things" }, list.slice(0, FEW).map((s) => row(s, () => void load()))),
      !store.may("admin") && h("p", { class: "hint" }, icon("eye", { size: 20 }), h("span", null, withCode(t("rules.notadmin")))));
  };
  // Reading all decisions is work for the hub: only when the person scrolls here.
  const eye = new IntersectionObserver((entries) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    eye.disconnect();
    end = whenKnown(() => void load());
  });
  eye.observe(element);
  fill(body, h("p", { class: "hint" }, t("rules.looking")));
  let end = () => {};
  return { element, end: () => { eye.disconnect(); end(); } };
}

/** @param {Suggestion} s @param {() => void} saved */
function row(s, saved) {
  return h("li", { class: "thing" },
    h("div", { class: "thing-text" }, h("code", { class: "rule" }, s.rule),
      h("small", null, habit(s), " ", denials(s))),
    store.may("admin") && h("button", { type: "button", onclick: guarded(() => ask(s, saved)) }, t("rules.save")));
}

/** The exact rule, and what it would have let through. @param {Suggestion} s @param {() => void} saved */
function ask(s, saved) {
  const bad = s.would_allow_denied;
  const save = () => void attempt(null, async () => {
    await call("POST", "/v1/policy/rules", { list: "allow", rule: s.rule });
    notice(t("rules.saved", s.rule), { kind: "good" });
    saved();
  });
  const dialog = sheet(t("rules.ask"), [
    h("pre", { class: "exact-rule" }, s.rule),
    h("p", null, t("rules.meaning")),
    h("p", { class: "hint" }, habit(s)),
    bad.length ? h("div", { class: "denied-then" }, h("h3", null, icon("cross", { size: 18 }), t("rules.denied", bad.length)),
      h("ul", null, bad.slice(0, 10).map((d) => h("li", null, h("a", { href: `/history?request=${encodeURIComponent(d.id)}`, onclick: () => dialog.close() }, h("code", null, d.title)), h("small", null, clock(d.at))))),
      bad.length > 10 && h("small", null, t("rules.more", bad.length - 10))) : h("p", { class: "hint" }, icon("tick", { size: 18 }), t("rules.nonedenied")),
    h("div", { class: "sheet-acts", "data-acts": true }, hold(t("rules.do"), () => { dialog.close(); save(); }, bad.length ? "danger" : "primary")),
  ], { class: "wide" });
}
