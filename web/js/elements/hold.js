// A button that must be held for 600 ms. A ring fills meanwhile; letting go,
// sliding off or scrolling takes it back. With a keyboard Enter or the space
// bar is held. Who can only click (switches, voice, some screen readers) clicks
// twice, with a moment between.
import { fill, h, s, say } from "../html.js";
import { ready } from "../guard.js";
import { t } from "../words.js";

export const HOLD = 600;
const SECOND_CLICK = 6000;

export class NodHold extends HTMLElement {
  constructor() {
    super();
    this.button = h("button", { type: "button", class: "hold" });
    this.label = h("span", { class: "hold-label" });
    this.hint = h("small", { class: "hold-hint" });
    this.ring = s("svg", { class: "hold-ring", viewBox: "0 0 28 28", "aria-hidden": "true" },
      s("circle", { class: "hold-track", cx: 14, cy: 14, r: 11 }), s("circle", { class: "hold-fill", cx: 14, cy: 14, r: 11, pathLength: 1 }));
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.armedAt = 0;
    this.quiet = 0; // clicks before this time belong to a hold
    this.finger = false;
  }

  connectedCallback() {
    if (this.firstChild) return;
    fill(this.button, this.ring, h("span", { class: "hold-words" }, this.label, this.hint));
    this.append(this.button);
    const b = this.button;
    b.addEventListener("pointerdown", (e) => { if (e.button === 0) this.begin(true); });
    for (const end of ["pointerup", "pointerleave", "pointercancel", "blur"]) b.addEventListener(end, () => this.cancel());
    b.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      if (!e.repeat) this.begin();
    });
    b.addEventListener("keyup", () => this.cancel());
    b.addEventListener("contextmenu", (e) => e.preventDefault());
    b.addEventListener("click", (e) => this.clicked(e));
  }

  disconnectedCallback() {
    this.cancel();
  }

  /** @param {string} text */
  set text(text) {
    say(this.label, text);
    say(this.hint, t("hold.word"));
    this.button.title = t("hold.how");
  }

  /** @param {boolean} off */
  set disabled(off) {
    this.button.disabled = off;
    if (off) this.cancel();
  }

  /** @param {boolean} [finger] and not a key */
  begin(finger = false) {
    if (this.button.disabled || this.timer) return;
    if (!ready()) { // it fills a moment later: the stop button must never seem dead
      this.timer = setTimeout(() => { this.timer = undefined; this.begin(finger); }, 50);
      return;
    }
    this.finger = finger;
    this.classList.add("holding");
    this.timer = setTimeout(() => this.fire(), HOLD);
  }

  cancel() {
    if (this.timer) this.quiet = performance.now() + 50;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.classList.remove("holding");
  }

  /** @param {MouseEvent} e */
  clicked(e) {
    const finger = e.detail > 0 || performance.now() < this.quiet;
    if (finger) {
      say(this.hint, t("hold.longer"));
      setTimeout(() => say(this.hint, t("hold.word")), 1600);
      return;
    }
    const since = performance.now() - this.armedAt;
    if (this.armedAt && since > HOLD && since < SECOND_CLICK) this.fire();
    else if (ready()) {
      this.armedAt = performance.now();
      say(this.hint, t("hold.again"));
      setTimeout(() => say(this.hint, t("hold.word")), SECOND_CLICK);
    }
  }

  fire() {
    this.armedAt = 0;
    this.quiet = performance.now() + 1000;
    this.timer = undefined;
    this.classList.remove("holding");
    navigator.vibrate?.(15);
    if (this.finger) swallowClick();
    this.finger = false;
    this.dispatchEvent(new CustomEvent("held", { bubbles: false }));
  }
}
customElements.define("nod-hold", NodHold);

/**
 * A held button may be gone before the finger is: its lifting would then be a
 * click on whatever has come to lie below.
 */
function swallowClick() {
  const stop = (/** @type {Event} */ e) => { e.preventDefault(); e.stopImmediatePropagation(); };
  const over = () => {
    for (const end of ["pointerup", "pointercancel"]) removeEventListener(end, over, true);
    setTimeout(() => removeEventListener("click", stop, true), 300);
  };
  addEventListener("click", stop, true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, over, true);
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {string} [kind] a class: "primary", "danger"
 */
export function hold(text, act, kind = "primary") {
  const el = h("nod-hold", { class: kind, onheld: act });
  el.text = text;
  return el;
}
