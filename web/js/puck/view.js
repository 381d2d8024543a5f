// What is seen around a puck: what it says, what each gesture does, what it asks
// to choose from, and what happened last.
import { fill, h, keyed, s, say } from "../html.js";
import { icon, stateShape } from "../icons.js";
import { t } from "../words.js";
import { Drawing } from "./drawing.js";
import { choosing, mood, taps } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{who: string, text: string, at: number, times?: number}} Happened */

/** @type {Record<string, string>} */
const SHAPES = { idle: "idle", working: "working", waiting: "waiting", talk: "waiting" };

/** @param {string} gesture */
function shape(gesture) {
  if (gesture !== "button") return icon("again", { size: 22 });
  return s("svg", { class: "icon", viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" }, s("circle", { cx: 12, cy: 12, r: 8 }), s("circle", { cx: 12, cy: 12, r: 2 }));
}

export class View {
  /** @param {{form: HTMLElement}} o */
  constructor(o) {
    this.drawing = new Drawing();
    this.word = h("p", { class: "puck-state", role: "status" });
    this.who = h("p", { class: "puck-who" });
    this.words = h("p", { class: "puck-words" }, t("puck.hello"));
    this.bubble = h("div", { class: "puck-bubble is-past", "aria-live": "polite" }, this.who, this.words);
    this.options = h("ol", { class: "puck-options", hidden: true });
    this.body = h("button", { type: "button", class: "puck-body", "aria-label": t("puck.body"), "aria-describedby": "puck-keys" }, this.drawing.element);
    this.hints = ["dial_ccw", "button", "dial_cw"].map((gesture) => this.hint(gesture));
    this.longer = h("p", { class: "puck-longer" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.left = h("div", { class: "puck-left", hidden: true });
    this.past = h("ul", { class: "puck-events" });
    this.nothing = h("p", { class: "hint" }, t("puck.events.none"));
    this.element = h("div", { class: "screen puck" },
      h("section", { class: "puck-stage", "aria-label": t("puck.title") }, this.bubble, this.body, this.word,
        h("div", { class: "puck-hints", role: "group", "aria-label": t("puck.gestures") }, this.hints.map((x) => x.button)), this.longer),
      h("section", { class: "puck-side", "aria-label": t("puck.talk") }, this.options, o.form, this.problem, this.left,
        h("div", { class: "puck-past" }, h("h2", { class: "label" }, t("puck.events")), this.nothing, this.past),
        h("div", { class: "puck-foot" },
          h("p", { class: "hint", id: "puck-keys" }, t(matchMedia("(pointer: coarse)").matches ? "puck.touch" : "puck.keys")),
          h("p", { class: "hint" }, t("puck.about")))));
  }

  /** A gesture, what it does now, and a button for people without a dial. @param {string} gesture */
  hint(gesture) {
    const does = h("span", { class: "puck-does" });
    return { gesture, does, button: h("button", { type: "button", class: `puck-hint is-${gesture}` }, shape(gesture), h("span", { class: "puck-gesture" }, t(`puck.gesture.${gesture}`)), does) };
  }

  /** @param {string} gesture */
  presser(gesture) {
    return /** @type {HTMLButtonElement} */ (this.hints.find((x) => x.gesture === gesture)?.button);
  }

  /** @param {Scene} scene @param {boolean} connected */
  show(scene, connected) {
    const now = mood(scene);
    this.drawing.show(scene.ring, scene.dark);
    this.element.dataset.tone = connected ? now.tone : "lost";
    const sign = !connected ? icon("broken") : now.tone === "yes" ? icon("tick") : now.tone === "no" ? icon("cross") : stateShape(SHAPES[now.tone] ?? "idle");
    const more = (scene.total ?? 0) > 1 ? t("puck.of", scene.index ?? 0, scene.total ?? 0) : choosing(scene) && scene.options?.[(scene.selected ?? 1) - 1];
    fill(this.word, sign, h("span", null, connected ? [t(`puck.state.${now.word}`), more].filter(Boolean).join(" · ") : t("puck.state.lost")));
    this.bubble.classList.toggle("is-past", now.tone === "idle");
    this.showHints(scene);
    this.showOptions(scene);
  }

  /** @param {Scene} scene */
  showHints(scene) {
    const does = (/** @type {string} */ g) => scene.does?.[g] ?? "nothing";
    for (const x of this.hints) {
      say(x.does, t(`puck.does.${does(x.gesture)}`));
      x.button.dataset.does = does(x.gesture);
    }
    const long = does("long_press");
    say(this.longer, (long === "nothing" ? "" : t("puck.longer", t(`puck.does.${long}`))) + (taps(scene).length ? ` ${t("puck.taps")}` : ""));
  }

  /** @param {Scene} scene */
  showOptions({ options = [], colors = [], selected }) {
    this.options.hidden = options.length === 0;
    keyed(this.options, options.map((text, i) => ({ text, i })), (o) => `${o.i} ${o.text}`, (o) => {
      const li = h("li", { class: "puck-option" }, h("span", { class: "puck-swatch" }, o.i + 1), h("span", null, o.text));
      li.style.setProperty("--option", colors[o.i] ?? "currentColor");
      return li;
    }, (li, o) => {
      if (o.i + 1 === selected) li.setAttribute("aria-current", "true");
      else li.removeAttribute("aria-current");
    });
  }

  /** Requests that the puck gave up on stay pending for other devices. @param {number} n @param {() => void} again */
  showLeft(n, again) {
    this.elsewhere(t("puck.left", n), () => [
      h("button", { type: "button", onclick: again }, icon("again", { size: 20 }), t("puck.again")), h("a", { class: "button", href: "/" }, t("nav.inbox"))]);
  }

  /** What takes a screen: this is one. @param {string} request */
  showScreen(request) {
    this.elsewhere(t("puck.screen"), () => [h("a", { class: "button", href: `/?request=${encodeURIComponent(request)}` }, t("puck.screen.do"))], request);
  }

  /** @param {string} text empty: there is nothing @param {() => HTMLElement[]} ways @param {string} [about] */
  elsewhere(text, ways, about = "") {
    const sign = `${about} ${text}`;
    if (this.left.dataset.sign === sign) return; // the focused element there must not be replaced
    this.left.dataset.sign = sign;
    this.left.hidden = !text;
    fill(this.left, h("p", null, text), ways());
  }

  /** @param {Happened[]} events */
  showEvents(events) {
    this.nothing.hidden = events.length > 0;
    keyed(this.past, events, (e) => `${e.at} ${e.times ?? 1}`, (e) => h("li", { class: `puck-event is-${e.who}` },
      h("span", { class: "puck-by" }, t(`puck.by.${e.who}`)), h("span", null, e.text, (e.times ?? 1) > 1 && ` × ${e.times}`)));
  }

  /** That makes no sense now. */
  odd() {
    this.body.classList.remove("is-odd");
    requestAnimationFrame(() => this.body.classList.add("is-odd"));
  }
}
