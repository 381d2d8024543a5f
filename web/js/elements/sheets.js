// The sheets behind "Always…", "Edit…" and "Deny with a reason…".
import { decide } from "../decide.js";
import { draft, keep } from "../drafts.js";
import { h } from "../html.js";
import { guarded } from "../guard.js";
import { input, needsHold, project } from "../state.js";
import { has, t } from "../words.js";
import { segments, sheet } from "./dialog.js";
import { hold } from "./hold.js";

/**
 * The button that allows: held where it is risky.
 * @param {Nod.Request} r
 * @param {string} text
 * @param {() => void} act
 */
export function allowButton(r, text, act) {
  if (needsHold(r)) return hold(text, act);
  return h("button", { type: "button", class: "primary", onclick: guarded(act) }, text);
}

/** Where a rule is stored, as text; unknown places unchanged. @param {string} [detail] */
const kept = (detail = "") => (has(`kept.${detail}`) ? t(`kept.${detail}`) : detail);

/** @param {Nod.Request} r */
export function alwaysSheet(r) {
  const rules = (r.options ?? []).filter((o) => o.kind === "always");
  const lease = (r.options ?? []).find((o) => o.kind === "lease");
  /** @type {Required<Nod.Terms>} */
  const terms = { option: lease?.id ?? "lease", minutes: 20, times: 30, where: "session" };
  let choice = lease ? "lease" : (rules[0]?.id ?? "");
  const box = lease && leaseTerms(r, terms);
  const pick = (/** @type {string} */ id) => {
    choice = id;
    if (box) box.hidden = id !== "lease";
  };
  const name = `always-${r.id}`;
  const row = (/** @type {string} */ id, /** @type {string} */ head, /** @type {string} */ rule, /** @type {string} */ where) =>
    h("label", { class: "choice" },
      h("input", { type: "radio", name, value: id, checked: id === choice, onchange: () => pick(id) }),
      h("span", { class: "choice-text" }, head && h("strong", null, head), h("code", { class: "rule" }, rule), h("small", null, where)));
  const dialog = sheet(t("always.title"), [
    h("p", { class: "hint" }, t("always.hint")),
    h("div", { class: "choices" },
      lease && row("lease", t("lease.title"), lease.label, t("lease.hint")),
      box,
      rules.map((o) => row(o.id, "", o.label, kept(o.detail)))),
    h("div", { class: "sheet-acts", "data-acts": true }, allowButton(r, t("always.allow"), () => {
      dialog.close();
      void decide(r, choice === "lease" ? { verdict: "allow", lease: terms } : { verdict: "allow", remember: choice });
    })),
  ]);
  return dialog;
}

/**
 * @param {Nod.Request} r
 * @param {Required<Nod.Terms>} terms
 */
function leaseTerms(r, terms) {
  return h("div", { class: "terms" },
    segments(t("lease.minutes"), [[5, t("time.min", 5)], [20, t("time.min", 20)], [60, t("time.min", 60)]], terms.minutes, (v) => { terms.minutes = v; }),
    segments(t("lease.times"), [[1, t("lease.x", 1)], [10, t("lease.x", 10)], [30, t("lease.x", 30)], [100, t("lease.x", 100)]], terms.times, (v) => { terms.times = v; }),
    segments(t("lease.where"), [
      ["session", t("lease.session")],
      ["folder", t("lease.folder", project(r.agent.cwd))],
      ["host", t("lease.host", r.agent.host)],
    ], terms.where, (v) => { terms.where = /** @type {any} */ (v); }));
}

/** The text that an edit replaces. @param {Nod.Request} r */
function editable(r) {
  const field = r.edit_field;
  const value = field ? input(r)[field] : undefined;
  return typeof value === "string" ? { text: value, whole: false } : { text: JSON.stringify(r.input ?? {}, null, 2), whole: true };
}

/** @param {Nod.Request} r */
export function editSheet(r) {
  const { text, whole } = editable(r);
  const area = h("textarea", { class: "mono", rows: 8, spellcheck: "false", autocapitalize: "off", autocomplete: "off", autofocus: true, "aria-label": t("edit.title") });
  area.value = draft(`${r.id} edit`, () => text);
  area.addEventListener("input", () => keep(`${r.id} edit`, area.value));
  const problem = h("p", { class: "problem", role: "alert" });
  const dialog = sheet(t(r.kind === "plan" ? "edit.plan" : "edit.title"), [
    h("p", { class: "hint" }, whole ? t("edit.json") : t("edit.hint")),
    area, problem,
    h("div", { class: "sheet-acts two", "data-acts": true },
      h("button", { type: "button", onclick: () => { area.value = text; keep(`${r.id} edit`, text); } }, t("edit.reset")),
      allowButton(r, t("edit.allow"), () => {
        let input = /** @type {unknown} */ (area.value);
        if (whole) {
          try {
            input = JSON.parse(area.value);
          } catch {
            problem.textContent = t("edit.badjson");
            return;
          }
        }
        dialog.close();
        // An unchanged text is not an edit: the agent's input is sent back untouched.
        void decide(r, area.value === text ? { verdict: "allow" } : { verdict: "allow", input });
      })),
  ], { class: "wide" });
  return dialog;
}

/** @param {Nod.Request} r */
export function denySheet(r) {
  const plan = r.kind === "plan";
  const area = h("textarea", { rows: 4, autofocus: true, maxlength: 10_000, placeholder: t("deny.placeholder"), "aria-label": t(plan ? "plan.back" : "deny.title") });
  area.value = draft(`${r.id} deny`, () => "");
  area.addEventListener("input", () => keep(`${r.id} deny`, area.value));
  const send = (/** @type {boolean} */ stop) => {
    dialog.close();
    /** @type {Nod.Answer} */
    const answer = { verdict: "deny" };
    if (area.value.trim()) answer.message = area.value.trim();
    if (stop) answer.stop = true;
    void decide(r, answer);
  };
  const dialog = sheet(t(plan ? "plan.back" : "deny.title"), [
    h("p", { class: "hint" }, t(plan ? "plan.hint" : "deny.hint", r.agent.name)),
    area,
    h("div", { class: "sheet-acts", "data-acts": true },
      hold(t("deny.stop"), () => send(true), "danger"),
      h("button", { type: "button", class: "primary", onclick: guarded(() => send(false)) }, t(plan ? "plan.send" : "deny.send"))),
  ]);
  return dialog;
}
