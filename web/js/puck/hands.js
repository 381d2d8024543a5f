// Fingers, mice, wheels and keys on the drawing of a puck, as gestures.
import { typing } from "../keys.js";
import { angle, DETENT, Dial, keyMeans, Press } from "./gestures.js";

/** @typedef {import("./gestures.js").Gesture} Gesture */

/** Of the drawing's width: what is nearer to the middle is the button, the rest is the dial. */
const BUTTON = 42 / 240;

const after = (/** @type {number} */ ms, /** @type {() => void} */ f) => {
  const timer = setTimeout(f, ms);
  return () => clearTimeout(timer);
};

export class Hands {
  /**
   * @param {{body: HTMLElement, presser: HTMLElement, drawing: import("./drawing.js").Drawing, about: () => string, free: () => boolean,
   *   act: (gesture: Gesture, about: string) => void, touch: () => void}} o presser: another button that is pressed, held and tapped
   */
  constructor(o) {
    this.o = o;
    const done = (/** @type {Gesture} */ g, /** @type {string} */ about) => {
      o.body.classList.remove("is-down");
      o.act(g, about);
    };
    this.dial = new Dial({ done, free: o.free });
    this.press = new Press({ done, after });
    this.turnable(o.body);
    this.pressable(o.presser);
    this.stop = new AbortController();
    const whole = { signal: this.stop.signal };
    addEventListener("keydown", (e) => this.typed(e), whole);
    addEventListener("keyup", (e) => this.typed(e), whole);
    // A key that is released elsewhere sends no event: it must not become a hold.
    addEventListener("blur", () => this.slip(), whole);
    document.addEventListener("visibilitychange", () => this.slip(), whole);
  }

  end() {
    this.stop.abort();
    this.slip();
  }

  down() {
    this.press.down(this.o.about());
    this.o.body.classList.add("is-down");
  }

  up() {
    this.o.touch();
    this.press.up();
    this.o.body.classList.remove("is-down");
  }

  slip() {
    this.press.slip();
    this.dial.end();
    this.o.body.classList.remove("is-down", "is-turning");
  }

  /** One detent, by a key or a button. @param {"dial_cw" | "dial_ccw"} way */
  step(way) {
    this.o.touch();
    this.o.drawing.turn(way === "dial_cw" ? DETENT : -DETENT);
    this.o.act(way, this.o.about());
  }

  /** @param {HTMLElement} el */
  pressable(el) {
    el.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      el.setPointerCapture(e.pointerId);
      this.down();
    });
    el.addEventListener("pointerup", () => this.up());
    this.quiet(el);
  }

  /** @param {HTMLElement} el */
  turnable(el) {
    const place = (/** @type {PointerEvent} */ e) => {
      const b = this.o.drawing.element.getBoundingClientRect();
      const x = e.clientX - b.x - b.width / 2, y = e.clientY - b.y - b.height / 2;
      return { at: angle(x, y), middle: Math.hypot(x, y) < b.width * BUTTON };
    };
    el.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      el.setPointerCapture(e.pointerId);
      const { at, middle } = place(e);
      if (middle) {
        this.down();
        return;
      }
      this.dial.begin(at, this.o.about());
      el.classList.add("is-turning");
    });
    el.addEventListener("pointermove", (e) => { if (this.dial.held) this.o.drawing.turn(this.dial.move(place(e).at)); });
    el.addEventListener("pointerup", () => {
      this.dial.end();
      el.classList.remove("is-turning");
      this.up();
    });
    el.addEventListener("wheel", (e) => {
      e.preventDefault();
      const pixels = e.deltaY * (e.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30);
      this.o.drawing.turn(this.dial.wheel(pixels, performance.now(), this.o.about()));
    }, { passive: false });
    this.quiet(el);
  }

  /** @param {HTMLElement} el */
  quiet(el) {
    el.addEventListener("pointercancel", () => this.slip());
    el.addEventListener("contextmenu", (e) => e.preventDefault()); // a phone's, when it is held
    // What reads a screen aloud presses without a pointer.
    el.addEventListener("click", (e) => { if (e.detail === 0) { this.down(); this.up(); } });
  }

  /** @param {KeyboardEvent} e */
  typed(e) {
    if (e.metaKey || e.ctrlKey || e.altKey || e.isComposing || typing(e.target) || document.querySelector("dialog[open]")) return;
    const means = keyMeans(e.key, e.target === this.o.body || e.target === this.o.presser);
    if (!means) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (means !== "press") {
      if (e.type === "keydown" && (!e.repeat || this.o.free())) this.step(means);
    } else if (!e.repeat) {
      if (e.type === "keydown") this.down();
      else this.up();
    }
  }
}
