// What is looked for: a search and four choices. The browser's own pickers, so
// that a thumb finds what it knows.
import { sheet } from "../elements/dialog.js";
import { h } from "../html.js";
import { icon } from "../icons.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { active, SPANS, VERDICTS } from "./filters.js";

/** A pause in typing that is long enough to look. */
const PAUSE = 250;

/**
 * @param {import("./filters.js").Filters} f changed in place
 * @param {() => void} changed
 * @param {(form: "csv" | "json") => void} save
 */
export function filterBar(f, changed, save) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const search = h("input", { type: "search", placeholder: t("history.search"), "aria-label": t("history.search"), autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search", maxlength: 200, "data-search": true });
  search.value = f.q;
  const look = () => {
    clearTimeout(timer);
    if (f.q === search.value) return;
    f.q = search.value;
    changed();
  };
  search.addEventListener("input", (e) => {
    clearTimeout(timer);
    if (!(/** @type {InputEvent} */ (e).isComposing)) timer = setTimeout(look, PAUSE);
  });
  search.addEventListener("compositionend", () => { timer = setTimeout(look, PAUSE); });
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && !e.isComposing) look();
    if (e.key === "Escape" && !search.value) search.blur();
  });

  const verdict = choice(t("history.verdict"), [["", t("history.verdict.any")], ...VERDICTS.map((v) => /** @type {[string, string]} */ ([v, t(`history.verdict.${v}`)]))], f.verdict, (v) => { f.verdict = v; pick(); });
  const by = choice(t("history.by"), [["", t("history.by.any")], ["person", t("history.by.people")], ["automatic", t("history.by.auto")]], f.by, (v) => { f.by = v; pick(); });
  const agent = choice(t("history.agent"), [["", t("history.agent.any")]], "", (v) => { f.agent = v; pick(); });
  const when = choice(t("history.when"), [["", t("history.when.any")], ...SPANS.map((v) => /** @type {[string, string]} */ ([v, t(`history.when.${v}`)]))], f.when, (v) => { f.when = v; pick(); });
  const from = dateField(t("history.from"), f.from, (v) => { f.from = v; pick(); });
  const to = dateField(t("history.to"), f.to, (v) => { f.to = v; pick(); });
  const dates = h("div", { class: "dates" }, from, to);
  const clear = h("button", { type: "button", class: "plain clear", onclick: () => { Object.assign(f, { verdict: "", by: "", agent: "", when: "", from: "", to: "" }); for (const s of [verdict, by, agent, when]) s.value = ""; pick(); } }, icon("cross", { size: 16 }), t("history.clear"));
  const saveButton = h("button", { type: "button", class: "round save", "aria-label": t("history.save"), title: t("history.save"), onclick: () => saveSheet(save) }, icon("download", { size: 22 }));
  const pick = () => {
    shape();
    changed();
  };
  const shape = () => {
    for (const s of [verdict, by, agent, when]) s.classList.toggle("chosen", s.value !== "");
    dates.hidden = f.when !== "dates";
    clear.hidden = active(f) === 0;
  };

  /** The agents and people that can be chosen: those of now, and those that were found. @param {Nod.Request[]} found */
  const known = (found) => {
    const agents = new Map([...store.state.agents.values(), ...found.map((r) => r.agent)].map((a) => [a.id, a.host ? `${a.name} · ${a.host}` : a.name]));
    if (f.agent && !agents.has(f.agent)) agents.set(f.agent, f.agent);
    extend(agent, agents, f.agent);
    const names = new Set(found.filter((r) => r.decision && !["policy", "lease"].includes(r.decision.via)).map((r) => r.decision?.by ?? ""));
    if (f.by && f.by !== "person" && f.by !== "automatic") names.add(f.by);
    extend(by, new Map([...names].filter(Boolean).map((n) => [n, n])), f.by);
    shape();
  };
  known([]);
  const element = h("div", { class: "finder" },
    h("div", { class: "toolbar" }, h("label", { class: "searchbox" }, icon("search", { size: 20 }), search), saveButton),
    h("div", { class: "filters", role: "group", "aria-label": t("history.filters") }, verdict, by, agent, when, clear), dates);
  return { element, known, leave: () => clearTimeout(timer) };
}

/**
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(v: string) => void} choose
 */
function choice(label, options, chosen, choose) {
  const el = h("select", { "aria-label": label, class: "pick" }, options.map(([v, text]) => h("option", { value: v }, text)));
  el.value = chosen;
  el.addEventListener("change", () => choose(el.value));
  return el;
}

/** Adds what is not there yet: a list under a finger only grows. @param {HTMLSelectElement} el @param {Map<string, string>} options @param {string} chosen */
function extend(el, options, chosen) {
  const there = new Set([...el.options].map((o) => o.value));
  for (const [v, text] of options) if (!there.has(v)) el.append(h("option", { value: v }, text));
  el.value = chosen;
}

/** @param {string} label @param {string} value @param {(v: string) => void} choose */
function dateField(label, value, choose) {
  const el = h("input", { type: "date", value, "aria-label": label });
  el.addEventListener("change", () => choose(el.value));
  return h("label", null, h("span", null, label), el);
}

/** @param {(form: "csv" | "json") => void} save */
function saveSheet(save) {
  const dialog = sheet(t("history.save"), [
    h("p", { class: "hint" }, t("history.save.what")),
    h("div", { class: "sheet-acts two" }, /** @type {("csv" | "json")[]} */ (["csv", "json"]).map((form) =>
      h("button", { type: "button", "data-save": form, onclick: () => { dialog.close(); save(form); } }, t(`history.save.${form}`)))),
  ]);
}
