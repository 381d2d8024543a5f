// The puck itself: a soft box, a smoked ring with twelve LEDs, a dial, a button.
import { s } from "../html.js";
import { arc, led } from "./scene.js";

const LEDS = 12, RADIUS = 79, HALF = 500;

export class Drawing {
  constructor() {
    this.glows = this.arcs("puck-glow", 1);
    this.leds = this.arcs("puck-led", 9);
    this.knob = s("g", { class: "puck-knob" },
      s("circle", { class: "puck-dial", r: 62 }), s("circle", { class: "puck-grip", r: 58.5 }),
      s("path", { class: "puck-mark", d: "M0 -53.5V-46" }));
    this.hold = s("circle", { class: "puck-hold", r: 41, pathLength: 1, transform: "rotate(-90)" });
    this.cap = s("g", { class: "puck-cap" }, s("circle", { class: "puck-button", r: 38 }), s("circle", { class: "puck-dimple", r: 5 }));
    this.element = s("svg", { class: "puck-drawing", viewBox: "-120 -120 240 240", "aria-hidden": "true" },
      this.paint(), s("rect", { class: "puck-box", x: -112, y: -112, width: 224, height: 224, rx: 62 }),
      s("rect", { class: "puck-sheen", x: -111.5, y: -111.5, width: 223, height: 223, rx: 61.5 }),
      s("g", { class: "puck-halo", filter: "url(#puck-soft)" }, this.glows),
      s("circle", { class: "puck-well", r: RADIUS }), s("g", null, this.arcs("puck-unlit", 9)), s("g", null, this.leds), this.knob, this.hold, this.cap);
    this.turned = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** @param {string} name @param {number} gap */
  arcs(name, gap) {
    return Array.from({ length: LEDS }, (_, i) => s("path", { class: name, d: arc(i, LEDS, RADIUS, gap) }));
  }

  paint() {
    const stops = (/** @type {string[]} */ names) => names.map((n, i) => s("stop", { class: `puck-stop-${n}`, offset: i / (names.length - 1) }));
    return s("defs", null,
      s("linearGradient", { id: "puck-skin", x1: 0.2, y1: 0, x2: 0.8, y2: 1 }, stops(["top", "bottom"])),
      s("linearGradient", { id: "puck-turn", x1: 0.2, y1: 0, x2: 0.8, y2: 1 }, stops(["dial-top", "dial-bottom"])),
      s("linearGradient", { id: "puck-press", x1: 0.2, y1: 0, x2: 0.8, y2: 1 }, stops(["cap-top", "cap-bottom"])),
      s("filter", { id: "puck-soft", x: "-50%", y: "-50%", width: "200%", height: "200%" }, s("feGaussianBlur", { stdDeviation: 9 })));
  }

  /** @param {string[]} ring @param {string[]} [dark] what it shows in the other half of a second */
  show(ring, dark) {
    clearInterval(this.timer);
    this.light(ring);
    if (!dark || this.still.matches) return; // lit, then; the word beside it says the rest
    let lit = true;
    this.timer = setInterval(() => { lit = !lit; this.light(lit ? ring : dark); }, HALF);
  }

  /** @param {string[]} ring */
  light(ring) {
    this.element.dataset.ring = ring.join(" ");
    ring.forEach((hex, i) => {
      const { color, level } = led(hex);
      for (const el of [this.leds[i], this.glows[i]]) {
        if (level) el?.style.setProperty("--led", color);
        el?.style.setProperty("--level", String(level));
      }
    });
  }

  /** @param {number} degrees */
  turn(degrees) {
    this.turned += degrees;
    this.knob.style.setProperty("transform", `rotate(${this.turned.toFixed(1)}deg)`);
  }

  end() { clearInterval(this.timer); }
}
