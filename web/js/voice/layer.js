// Voice mode as it is seen: one word for what happens, the words themselves,
// and one big button. A dialog of the browser's own, so that Esc, focus and
// screen readers work as people know.
import "../elements/card.js";
import { doing } from "../elements/agent-row.js";
import { moved, ready } from "../guard.js";
import { fill, h, keyed, say } from "../html.js";
import { icon, stateShape } from "../icons.js";
import { typing } from "../keys.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { ears } from "./mode.js";

/** @typedef {import("./mode.js").Model} Model */

const REST = 300; // a tap that was meant for what the button did before

/**
 * What the button does, and how it looks.
 * @param {Model} m
 * @returns {[string, string]} its word and its shape
 */
export function button(m) {
  switch (m.state) {
    case "listening": return m.deaf ? ["pause", "pause"] : m.held || m.live ? ["send", "send"] : ["pause", "mic"];
    case "sending": return m.grace ? ["back", "cross"] : ["", "send"];
    case "waiting": return m.talk && !m.deaf ? ["talk", "mic"] : ["pause", "pause"];
    case "speaking": return ["hush", "halt"];
    case "asking": return m.phase === "reading" ? ["hush", "halt"] : m.phase === "hearing" ? ["close", "mic"] : ["read", "aloud"];
    case "paused": return ["on", "mic"];
    default: return ["retry", "again"];
  }
}

/** The shape beside the word: colour is never alone. @param {Model} m */
function shape(m) {
  const drawn = { listening: m.deaf ? "pencil" : "mic", sending: "send", speaking: "aloud", paused: "pause" }[/** @type {"paused"} */ (m.state)];
  return drawn ? icon(drawn) : stateShape({ waiting: "working", asking: "waiting" }[/** @type {"asking"} */ (m.state)] ?? "error");
}

export class Layer {
  /**
   * @param {string} id the agent
   * @param {{tap: () => void, type: () => void, typed: (text: string) => void, closed: () => void}} o
   */
  constructor(id, o) {
    this.id = id;
    this.o = o;
    this.sign = "";
    this.since = 0;
    this.calm = false;
    this.told = true;
    this.shape = h("span", { class: "voice-shape", "aria-hidden": "true" });
    this.word = h("h2", { class: "voice-word", id: "voice-word" });
    this.text = h("p", { class: "voice-text" });
    this.hint = h("p", { class: "voice-hint" });
    this.card = h("div", { class: "voice-card" });
    this.privacy = h("p", { class: "voice-hint voice-privacy", hidden: true }, t("chat.listen.privacy"));
    this.field = h("input", { type: "text", class: "voice-field", "aria-label": t("chat.placeholder"), placeholder: t("chat.placeholder"), autocomplete: "off", enterkeyhint: "send" });
    this.form = h("form", { class: "voice-form", hidden: true, onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); this.submit(); } },
      this.field, h("button", { type: "submit", class: "primary round", "aria-label": t("chat.send") }, icon("send")));
    this.big = h("button", { type: "button", class: "voice-big", onclick: () => this.press() });
    this.label = h("span", { class: "voice-label" });
    this.other = h("button", { type: "button", class: "plain voice-type", onclick: () => o.type() }, t("voice.type"));
    this.name = h("strong", { class: "voice-name" });
    this.element = h("dialog", { class: "voice", "aria-labelledby": "voice-word" },
      h("header", { class: "voice-head" }, this.name, h("button", { type: "button", class: "plain round", "aria-label": t("voice.leave"), title: t("voice.leave"), onclick: () => this.element.close() }, icon("cross"))),
      h("div", { class: "voice-state", role: "status" }, this.shape, this.word),
      h("div", { class: "voice-middle" }, this.card, h("div", { class: "voice-line" }, this.text, this.hint, this.privacy)),
      h("footer", { class: "voice-foot" }, this.form, this.big, this.label, this.other, h("p", { class: "voice-keys" }, t("voice.hint.keys"))));
    this.element.addEventListener("keydown", (e) => this.key(e));
    this.element.addEventListener("close", () => { this.element.remove(); moved(); o.closed(); });
  }

  /** @param {boolean} told whether a person knows who understands their voice */
  open(told) {
    this.told = told;
    document.body.append(this.element);
    this.element.showModal();
    this.big.focus();
    moved();
  }

  close() {
    if (this.element.open) this.element.close();
  }

  /** Space talks and stops, wherever the focus is; a button that has it does what it says. @param {KeyboardEvent} e */
  key(e) {
    if (e.key !== " " || e.repeat || e.ctrlKey || e.metaKey || e.altKey || typing(e.target) || (e.target instanceof Element && e.target.closest("button, a, label, input, summary"))) return;
    e.preventDefault();
    this.press();
  }

  press() {
    // To stop the talking is never wrong; anything else may have been meant for what was here before.
    if (this.calm || (ready() && performance.now() - this.since >= REST)) this.o.tap();
  }

  submit() {
    const text = this.field.value.trim();
    if (!text) return;
    this.o.typed(text);
  }

  /** What was typed is on its way. */
  clear() {
    this.field.value = "";
  }

  /** @param {Model} m @param {string} part what is being said aloud */
  show(m, part) {
    const a = store.state.agents.get(this.id), name = a?.name ?? "";
    const sign = `${m.state} ${m.phase} ${m.speech !== null} ${m.grace > 0} ${m.deaf} ${m.talk} ${Boolean(m.held || m.live)}`;
    if (sign !== this.sign) this.look(m, name, sign);
    say(this.name, name);
    this.words(m, part, a, name);
    this.ask(m);
    // What had the focus may be gone, and Space must still talk and stop.
    if (this.element.open && [document.body, this.element].includes(/** @type {any} */ (document.activeElement))) this.big.focus();
  }

  /** @param {Model} m @param {string} name @param {string} sign */
  look(m, name, sign) {
    this.sign = sign;
    this.since = performance.now();
    if (this.element.dataset.state !== m.state) moved();
    this.calm = m.state === "speaking" || m.phase === "reading";
    const typed = m.deaf !== "" && m.talk && ["listening", "waiting", "speaking"].includes(m.state);
    this.element.dataset.state = m.state;
    this.element.dataset.phase = m.phase;
    this.element.classList.toggle("is-active", ears(m) || m.speech !== null);
    say(this.word, m.state === "listening" && m.deaf ? t("voice.state.typing") : t(`voice.state.${m.state}`, name));
    fill(this.shape, shape(m));
    const [word, drawn] = button(m);
    this.big.disabled = word === "";
    const label = word ? t(`voice.tap.${word}`) : "";
    this.big.setAttribute("aria-label", label || t("voice.state.sending"));
    fill(this.big, icon(drawn, { size: 40 }));
    say(this.label, label);
    const had = this.form.contains(document.activeElement);
    this.form.hidden = !typed;
    this.privacy.hidden = this.told || m.state !== "listening" || m.deaf !== "";
    // It keeps its place: the big button must not move under a thumb.
    this.other.classList.toggle("is-away", m.deaf !== "" || !m.talk || !(m.state === "trouble" ? m.why !== "offline" && m.why !== "refused" : m.state === "listening" && !m.held && !m.live));
    if (typed && !had && m.state === "listening") this.field.focus();
    else if (had && !typed) this.big.focus();
  }

  /** @param {Model} m @param {string} part @param {Nod.Agent | undefined} a @param {string} name */
  words(m, part, a, name) {
    const spoken = m.speech ? part : "";
    const own = [m.held, m.live].filter(Boolean).join(" ");
    this.text.classList.toggle("is-own", own !== "");
    say(this.text, m.words || own || (m.state === "asking" ? "" : spoken)); // a question stands on its card
    say(this.hint, this.hints(m, own, a, name));
  }

  /** @param {Model} m @param {string} own @param {Nod.Agent | undefined} a @param {string} name @returns {string} */
  hints(m, own, a, name) {
    switch (m.state) {
      case "listening": return m.deaf ? t(`voice.deaf.${m.deaf}`) : own ? "" : t("voice.hint.listening", name);
      case "waiting": return m.talk ? (a && a.state === "working" && doing(a)) || t("voice.hint.waiting") : t("voice.hint.mute", name);
      case "asking": return m.phase === "reading" || own ? "" : t(m.asks[0]?.by === "voice" && !m.deaf ? "voice.hint.voice" : "voice.hint.screen");
      case "paused": return t("voice.hint.paused");
      default: return "";
    }
  }

  /** The question itself, with its buttons, so that it can also be answered by hand. @param {Model} m */
  ask(m) {
    const id = m.state === "asking" ? m.asks[0]?.id : m.state === "sending" && m.out && !m.out.post ? m.out.id : undefined;
    const r = id ? store.state.requests.get(id) : undefined;
    keyed(this.card, r ? [r] : [], (x) => x.id, () => h("nod-card"), (card, x) => { card.request = x; });
  }
}
