// What hands do at a voice puck. Pure: time and angles come from outside.
// Every gesture belongs to the request that was shown when it began.

/** @typedef {"dial_cw" | "dial_ccw" | "button" | "long_press" | "tap_2" | "tap_3" | "tap_4" | "tap_5"} Gesture */
/** @typedef {(gesture: Gesture, about: string) => void} Done */
/** @typedef {(ms: number, f: () => void) => () => void} After */

const MOST = 5; // taps that mean something

/** A button: a press, a hold, or several taps that end when no further one comes. */
export class Press {
  /** @param {{done: Done, after: After, hold?: number, tap?: number}} o */
  constructor(o) {
    this.done = o.done;
    this.after = o.after;
    this.hold = o.hold ?? 1000;
    this.tap = o.tap ?? 400;
    this.taps = 0;
    this.about = "";
    this.isDown = false;
    /** @type {() => void} */
    this.cancel = () => {};
  }

  /** @param {string} about */
  down(about) {
    if (this.isDown) return;
    this.cancel();
    if (about !== this.about) this.taps = 0; // taps for something that is gone are no part of these
    this.about = about;
    this.isDown = true;
    this.cancel = this.after(this.hold, () => {
      this.slip();
      this.done("long_press", about);
    });
  }

  up() {
    if (!this.isDown) return;
    this.isDown = false;
    this.cancel();
    this.taps++;
    this.cancel = this.after(this.tap, () => {
      const n = this.taps;
      this.taps = 0;
      if (n === 1) this.done("button", this.about);
      else if (n <= MOST) this.done(/** @type {Gesture} */ (`tap_${n}`), this.about);
    });
  }

  /** The finger went elsewhere: nothing was meant. */
  slip() {
    this.cancel();
    this.isDown = false;
    this.taps = 0;
  }
}

export const DETENT = 30;
const NOTCH = 60; // pixels of a wheel
const QUIET = 250; // a wheel that is still for this long was released

/** The way from one angle to another, the short way round. @param {number} from @param {number} to */
export const turned = (from, to) => ((to - from + 540) % 360 + 360) % 360 - 180;

/** Where a finger is on a dial, in degrees clockwise from three o'clock. @param {number} x @param {number} y from the middle */
export const angle = (x, y) => (Math.atan2(y, x) * 180) / Math.PI;

/**
 * A dial with detents. A second detent in the same direction commits what the
 * first one showed, so one movement of the hand gives only one, unless it is
 * free: then every detent counts.
 */
export class Dial {
  /** @param {{done: Done, free: () => boolean}} o */
  constructor(o) {
    this.done = o.done;
    this.free = o.free;
    this.at = 0;
    this.sum = 0;
    this.went = 0;
    this.about = "";
    this.scrolled = -Infinity;
    this.held = false;
  }

  /** @param {number} at degrees @param {string} about */
  begin(at, about) {
    Object.assign(this, { at, about, sum: 0, went: 0, held: true });
  }

  /** @param {number} at @returns {number} how far it turned, to draw it */
  move(at) {
    if (!this.held) return 0;
    const by = turned(this.at, at);
    this.at = at;
    this.sum += by;
    while (Math.abs(this.sum) >= DETENT) {
      const way = Math.sign(this.sum);
      this.sum -= way * DETENT;
      this.detent(way);
    }
    return by;
  }

  end() { this.held = false; }

  /** @param {number} delta pixels, below zero: clockwise, as a wheel that is pushed away @param {number} now @param {string} about @returns {number} */
  wheel(delta, now, about) {
    if (now - this.scrolled > QUIET) Object.assign(this, { about, sum: 0, went: 0 });
    this.scrolled = now;
    this.sum -= delta;
    if (Math.abs(this.sum) < NOTCH) return 0;
    const way = Math.sign(this.sum);
    this.sum = 0; // one event is never two detents
    return this.detent(way) ? way * DETENT : 0;
  }

  /** @param {number} way */
  detent(way) {
    if (way === this.went && !this.free()) return false;
    this.went = way;
    this.done(way > 0 ? "dial_cw" : "dial_ccw", this.about);
    return true;
  }
}

/** @type {Record<string, "dial_cw" | "dial_ccw" | "press">} */
const KEYS = { ArrowRight: "dial_cw", ArrowUp: "dial_cw", ArrowLeft: "dial_ccw", ArrowDown: "dial_ccw", " ": "press", Enter: "press" };

/**
 * What a key means. Up, down, space and Enter only on the puck itself: elsewhere
 * they scroll, or press something else.
 * @param {string} key @param {boolean} onPuck
 */
export const keyMeans = (key, onPuck) => (onPuck || key === "ArrowRight" || key === "ArrowLeft" ? KEYS[key] : undefined);
