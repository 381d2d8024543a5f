// What a puck says: aloud, if a person wants that, else as long as it takes to
// read. The hub waits for it, as for a real one.
import { Mouth } from "../voice/mouth.js";
import { readingTime } from "./scene.js";

export const canSpeak = "speechSynthesis" in globalThis;

export class Speaker {
  /** @param {(number: number) => void} spoken */
  constructor(spoken) {
    this.spoken = spoken;
    this.aloud = false;
    this.number = 0;
    const after = (/** @type {number} */ ms, /** @type {() => void} */ f) => {
      const timer = setTimeout(f, ms);
      return () => clearTimeout(timer);
    };
    this.after = after;
    this.stop = () => {};
    this.mouth = new Mouth(canSpeak ? speechSynthesis : undefined, (text) => new SpeechSynthesisUtterance(text), after);
  }

  /** @param {{number: number, text: string}} said */
  say(said) {
    this.hush();
    this.number = said.number;
    const done = () => this.spoken(said.number);
    if (this.aloud && canSpeak) this.mouth.say([said.text], { part: () => {}, done });
    else this.stop = this.after(readingTime(said.text), done);
  }

  /** @param {number} [number] only if this is being said */
  hush(number) {
    if (number !== undefined && number !== this.number) return;
    this.stop();
    this.mouth.hush();
  }

  /** @param {boolean} on */
  set(on) {
    this.aloud = on && canSpeak;
    if (on) return;
    this.hush();
    this.spoken(this.number); // a muted puck does not wait for speech
  }
}
