// Runs the state machine of mode.js: opens and closes the microphone, starts and stops the
// mouth, and does each thing once. It knows no browser and no hub, only ports.
import { GRACE, OFF, ears, step } from "./mode.js";

/**
 * @typedef {object} Ports
 * @property {{start: () => void, stop: () => void}} ears one start hears one utterance; the owner of the session reports with heard(), said() and ended()
 * @property {{say: (parts: string[], o: {part: (text: string) => void, done: () => void}) => void, hush: () => void}} mouth
 * @property {(ms: number, f: () => void) => () => void} after a timer; what it returns ends it
 * @property {(cue: import("./mode.js").Cue) => void} cue
 * @property {(text: string) => void} post
 * @property {(id: string, answer: Nod.Answer) => void} decide
 * @property {(m: import("./mode.js").Model, part: string) => void} show part: what is being said aloud
 */

/** The microphone opens a moment after the speech has ended, because its last word still echoes. */
export const DEAF = 300;
/** Rounds that end at once, one after the other: this microphone does not work. */
const BROKEN = 5;
const AT_ONCE = 250;

export class Session {
  /** @param {Ports} ports @param {() => number} [now] */
  constructor(ports, now = () => performance.now()) {
    this.ports = ports;
    this.now = now;
    this.model = OFF;
    this.part = "";
    this.round = 0;  // that is being heard; 0: none
    this.begun = 0;
    this.short = 0;
    this.speech = 0;
    this.grace = 0;
    this.spokeAt = -Infinity;
    /** @type {() => void} */
    this.opening = () => {};
    /** @type {() => void} */
    this.counting = () => {};
  }

  /** @param {import("./mode.js").Event} e */
  send(e) {
    const [model, effects] = step(this.model, e);
    this.model = model;
    for (const x of effects) {
      if (x.do === "cue") this.ports.cue(x.cue);
      else if (x.do === "post") this.ports.post(x.text);
      else this.ports.decide(x.id, x.answer);
    }
    this.settle();
  }

  /** The world as the model wants it. */
  settle() {
    const m = this.model;
    this.speak(m);
    this.hear(m);
    if (this.grace !== m.grace) {
      this.grace = m.grace;
      this.counting();
      if (m.grace) this.counting = this.ports.after(GRACE, () => this.send({ name: "elapsed" }));
    }
    this.ports.show(m, this.part);
  }

  /** @param {import("./mode.js").Model} m */
  speak(m) {
    const n = m.speech?.n ?? 0;
    if (n === this.speech) return;
    if (this.speech) {
      this.ports.mouth.hush();
      this.spokeAt = this.now();
    }
    this.speech = n;
    this.part = "";
    if (!m.speech) return;
    this.ports.mouth.say(m.speech.parts, {
      part: (text) => {
        if (this.speech !== n) return;
        this.part = text;
        this.ports.show(this.model, text);
      },
      done: () => {
        if (this.speech !== n) return;
        this.speech = 0;
        this.part = "";
        this.spokeAt = this.now();
        this.send({ name: "spoken" });
      },
    });
  }

  /** @param {import("./mode.js").Model} m */
  hear(m) {
    const want = ears(m) ? m.round : 0;
    if (want === this.round) return;
    this.close();
    this.round = want;
    if (want) this.open();
  }

  close() {
    this.opening();
    this.opening = () => {};
    if (this.round) this.ports.ears.stop();
  }

  open() {
    const wait = this.model.speech ? 0 : Math.max(0, DEAF - (this.now() - this.spokeAt));
    const begin = () => {
      this.begun = this.now();
      this.ports.ears.start();
    };
    if (wait) this.opening = this.ports.after(wait, begin);
    else begin();
  }

  /** @param {string} text */
  heard(text) {
    this.short = 0;
    if (this.round) this.send({ name: "heard", text });
  }

  /** @param {string} text */
  said(text) {
    this.short = 0;
    if (this.round) this.send({ name: "said", text });
  }

  /** The browser has closed the microphone: after an utterance, after silence, or because it may not listen. @param {string} problem */
  ended(problem) {
    const round = this.round;
    if (!round) return;
    this.short = this.now() - this.begun < AT_ONCE ? this.short + 1 : 0;
    const why = problem || (this.short >= BROKEN ? "failed" : "");
    if (why) {
      this.round = 0;
      this.short = 0;
      this.send({ name: "mic", problem: why });
    } else {
      this.send({ name: "silence" });
      if (this.round === round) this.open(); // still wanted
    }
  }
}
