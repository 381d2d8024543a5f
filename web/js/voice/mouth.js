// The browser's voice behind a small port: sentences one after the other, each
// in its own language. A voice that never says it is done is not waited for.
import { region, tongue } from "../chat/spoken.js";
import { lang } from "../words.js";

/** @typedef {{speak: (u: any) => void, cancel: () => void, getVoices: () => {lang: string, localService: boolean}[]}} Synthesis */

/** Of a voice that does not tell: this long, and so much for each letter. */
const PATIENCE = 4000, LETTER = 180;

/**
 * A voice of this machine: others send the text away.
 * @template {{lang: string, localService: boolean}} V
 * @param {readonly V[]} voices
 * @param {string} l such as pl-PL
 * @returns {V | undefined}
 */
export const voiceFor = (voices, l) => voices.find((v) => v.lang.replace("_", "-").startsWith(l.slice(0, 2)) && v.localService);

export class Mouth {
  /**
   * @param {Synthesis | undefined} voice none: sentences are only shown
   * @param {(text: string) => any} make an utterance
   * @param {(ms: number, f: () => void) => () => void} after
   */
  constructor(voice, make, after) {
    this.voice = voice;
    this.make = make;
    this.after = after;
    this.turn = 0;
    /** @type {() => void} */
    this.waiting = () => {};
  }

  /**
   * @param {string[]} parts
   * @param {{part: (text: string) => void, done: () => void}} o
   */
  say(parts, o) {
    const mine = ++this.turn;
    this.waiting();
    const go = (/** @type {number} */ i) => {
      if (mine !== this.turn) return;
      this.waiting();
      const text = parts[i];
      if (text === undefined) {
        o.done();
        return;
      }
      o.part(text);
      let over = false;
      const end = () => {
        if (over) return;
        over = true;
        go(i + 1);
      };
      this.waiting = this.after(this.voice ? PATIENCE + LETTER * text.length : 0, end);
      if (this.voice) this.utter(this.voice, text, end);
    };
    go(0);
  }

  /** @param {Synthesis} voice @param {string} text @param {() => void} end */
  utter(voice, text, end) {
    const u = this.make(text);
    u.lang = region(tongue(text, lang()));
    const own = voiceFor(voice.getVoices(), u.lang);
    if (own) u.voice = own;
    u.onend = u.onerror = end;
    voice.speak(u);
  }

  hush() {
    this.turn++;
    this.waiting();
    this.voice?.cancel();
  }
}
