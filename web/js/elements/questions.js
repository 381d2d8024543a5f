// Questions with their choices, one part at a time; forms of MCP servers, all
// fields at once. Drafts live outside, so nothing typed is lost.
import { draft } from "../drafts.js";
import { fill, h } from "../html.js";
import { moved } from "../guard.js";
import { icon } from "../icons.js";
import { t } from "../words.js";

/** @typedef {{picked: string[], text: string, notes: string, own: boolean}} Draft */

/** @param {Nod.Question} q */
const key = (q) => q.id || q.question;

/**
 * What has been entered, as the API wants it.
 * @param {Nod.Question} q
 * @param {Draft} d
 * @returns {Nod.Reply | undefined} nothing: not answered yet
 */
export function reply(q, d) {
  const text = d.own || !q.options?.length ? d.text.trim() : "";
  if (!d.picked.length && !text) return undefined;
  /** @type {Nod.Reply} */
  const r = {};
  if (d.picked.length) r.picked = d.picked;
  if (text) r.text = text;
  if (d.notes.trim()) r.notes = d.notes.trim();
  return r;
}

export class Questions {
  /**
   * @param {Nod.Request} r
   * @param {() => void} changed
   */
  constructor(r, changed) {
    this.request = r;
    this.list = r.questions ?? [];
    this.changed = changed;
    this.together = r.kind === "elicitation";
    this.place = draft(`${r.id} part`, () => ({ at: 0 }));
    this.element = h("div", { class: "questions" });
    this.draw();
  }

  /** @param {Nod.Question} q @returns {Draft} */
  of(q) {
    return draft(`${this.request.id} q ${key(q)}`, () => ({ picked: [], text: "", notes: "", own: false }));
  }

  /** @param {Nod.Question} q */
  done(q) {
    return q.optional || reply(q, this.of(q)) !== undefined;
  }

  get last() {
    return this.together || this.place.at >= this.list.length - 1;
  }

  /** Whether the part on screen can be left. */
  get ready() {
    return this.together ? this.list.every((q) => this.done(q)) : !this.list[this.place.at] || this.done(/** @type {Nod.Question} */ (this.list[this.place.at]));
  }

  /** @returns {Record<string, Nod.Reply>} */
  answers() {
    /** @type {Record<string, Nod.Reply>} */
    const all = {};
    for (const q of this.list) {
      const r = reply(q, this.of(q));
      if (r) all[key(q)] = r;
    }
    return all;
  }

  /** @param {number} by */
  move(by) {
    this.place.at = Math.max(0, Math.min(this.list.length - 1, this.place.at + by));
    this.draw();
    this.changed();
    moved();
    /** @type {HTMLElement | null} */ (this.element.querySelector("legend, input, textarea"))?.focus();
  }

  draw() {
    const many = !this.together && this.list.length > 1;
    const shown = this.together ? this.list : this.list.slice(this.place.at, this.place.at + 1);
    fill(this.element,
      many && h("div", { class: "parts", role: "progressbar", "aria-valuemin": 1, "aria-valuemax": this.list.length, "aria-valuenow": this.place.at + 1, "aria-label": t("question.part", this.place.at + 1, this.list.length) },
        this.list.map((_, i) => h("i", { class: i < this.place.at ? "past" : i === this.place.at ? "now" : "" })),
        h("span", null, t("question.part", this.place.at + 1, this.list.length))),
      shown.map((q) => this.question(q)));
  }

  /** @param {Nod.Question} q */
  question(q) {
    const d = this.of(q);
    const name = `q-${this.request.id}-${this.list.indexOf(q)}`;
    const choices = q.options ?? [];
    const own = choices.length ? this.own(q, d, name) : null;
    return h("fieldset", { class: "question" },
      h("legend", { tabindex: -1 },
        q.header && q.header !== q.question && !this.together && h("span", { class: "question-head" }, q.header),
        h("span", null, q.question), q.optional && h("small", null, t("question.optional"))),
      q.multi_select && h("p", { class: "hint" }, t("question.several")),
      choices.length > 0 && h("div", { class: "choices" }, choices.map((c) => this.choice(q, d, c, name)), q.free_text && own),
      !choices.length && this.field(q, d),
      !this.together && this.notes(d));
  }

  /**
   * @param {Nod.Question} q
   * @param {Draft} d
   * @param {Nod.Choice} c
   * @param {string} name
   */
  choice(q, d, c, name) {
    const flag = q.type === "boolean";
    return h("label", { class: "choice" },
      h("input", {
        type: q.multi_select ? "checkbox" : "radio", name, value: c.label, checked: d.picked.includes(c.label),
        onchange: (/** @type {any} */ e) => {
          if (!q.multi_select) { d.picked = [c.label]; d.own = false; }
          else d.picked = e.target.checked ? [...d.picked, c.label] : d.picked.filter((x) => x !== c.label);
          this.changed();
        },
      }),
      h("span", { class: "choice-text" },
        h("strong", null, flag ? t(c.label === "true" ? "yes" : "no") : c.label),
        c.description && h("small", null, c.description),
        c.preview && h("pre", { class: "preview" }, c.preview)));
  }

  /** Free text in addition to the choices. @param {Nod.Question} q @param {Draft} d @param {string} name */
  own(q, d, name) {
    const box = h("input", { type: "text", class: "own", value: d.text, placeholder: t("question.own"), "aria-label": t("question.own"), autocomplete: "off" });
    const mark = h("input", {
      type: q.multi_select ? "checkbox" : "radio", name, value: "", checked: d.own, "aria-label": t("question.own"),
      onchange: () => {
        d.own = mark.checked;
        if (!q.multi_select) d.picked = [];
        box.focus();
        this.changed();
      },
    });
    box.addEventListener("input", () => {
      d.text = box.value;
      if (!d.own && box.value) {
        mark.checked = d.own = true;
        if (!q.multi_select) d.picked = [];
      }
      this.changed();
    });
    return h("div", { class: "choice" }, mark, box);
  }

  /** @param {Nod.Question} q @param {Draft} d */
  field(q, d) {
    const number = q.type === "number" || q.type === "integer";
    const el = number || q.type === "string" && this.together
      ? h("input", { type: "text", inputmode: number ? (q.type === "integer" ? "numeric" : "decimal") : undefined, "aria-label": q.question, autocomplete: "off" })
      : h("textarea", { rows: 3, "aria-label": q.question });
    el.value = d.text;
    el.addEventListener("input", () => { d.text = el.value; this.changed(); });
    return el;
  }

  /** @param {Draft} d */
  notes(d) {
    const area = h("textarea", { rows: 2, placeholder: t("question.note"), "aria-label": t("question.note") });
    area.value = d.notes;
    area.addEventListener("input", () => { d.notes = area.value; });
    return h("details", { class: "notes", open: d.notes !== "", ontoggle: () => moved() }, h("summary", null, icon("plus", { size: 18 }), t("question.addnote")), area);
  }
}
