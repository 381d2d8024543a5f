// Short sounds, made and not loaded: a soft rising note when something waits for
// a person, a low click when something is sent or done, two when it is stopped.
import { prefs } from "../prefs.js";

/** @typedef {{at: number, from: number, to: number, long: number, loud: number}} Note at and long in seconds, from and to in hertz */

/** @type {Record<import("./mode.js").Cue, readonly Note[]>} */
export const SOUNDS = {
  waits: [{ at: 0, from: 523, to: 698, long: 0.28, loud: 0.12 }],
  sent: [{ at: 0, from: 240, to: 170, long: 0.06, loud: 0.16 }],
  done: [{ at: 0, from: 240, to: 170, long: 0.06, loud: 0.16 }],
  stopped: [{ at: 0, from: 240, to: 170, long: 0.05, loud: 0.16 }, { at: 0.12, from: 240, to: 170, long: 0.05, loud: 0.16 }],
};

export class Earcons {
  /** @param {(() => any) | undefined} make an AudioContext @param {() => boolean} [wanted] */
  constructor(make, wanted = () => prefs().sounds) {
    this.make = make;
    this.wanted = wanted;
    /** @type {any} */
    this.context = undefined;
  }

  /** To be called by a touch: before one, a browser plays nothing. */
  unlock() {
    if (!this.make || !this.wanted()) return;
    try {
      this.context ??= this.make();
      if (this.context.state === "suspended") void this.context.resume().catch(() => {});
    } catch {
      this.context = undefined; // no sound device, then
    }
  }

  /** @param {import("./mode.js").Cue} cue */
  play(cue) {
    const c = this.context;
    if (c?.state !== "running" || !this.wanted()) return;
    for (const n of SOUNDS[cue]) {
      const from = c.currentTime + n.at, to = from + n.long;
      const tone = c.createOscillator(), gain = c.createGain();
      tone.frequency.setValueAtTime(n.from, from);
      tone.frequency.exponentialRampToValueAtTime(n.to, to);
      gain.gain.setValueAtTime(0.0001, from);
      gain.gain.exponentialRampToValueAtTime(n.loud, from + 0.012);
      gain.gain.exponentialRampToValueAtTime(0.0001, to);
      tone.connect(gain).connect(c.destination);
      tone.start(from);
      tone.stop(to + 0.02);
    }
  }

  end() {
    void this.context?.close().catch(() => {});
    this.context = undefined;
  }
}
