// What the firmware of a keyboard with four keys knows, shows and sends. Pure.
export const KEYS = 4, SIDE = 128;
const BYTES = 2 * SIDE * SIDE, LONGEST_NAME = 23;
const DEBOUNCE = 100, RESTART = 500;

/** @typedef {{text: string, action: string, image: string, color: string, about?: string}} Option about: the words on the picture */
/** @typedef {{text: string, x: number, y: number, size: number, color: string}} Line */
/** @typedef {{image: string, lines: Line[], label: string}} Shown */
/** @typedef {{type: "key_press", session_id: string, key: number, text: string, hold?: true}} Press */

/** @type {Option} */
const NONE = { text: "", action: "", image: "", color: "#ffffff" };

/** @param {unknown} v */
const text = (v) => (typeof v === "string" ? v : "");

/**
 * A picture as the hub sends it, RGB565 with the high byte first, as pixels; nothing if it is none.
 * @param {ArrayBuffer} buffer
 * @returns {Uint8ClampedArray<ArrayBuffer> | undefined}
 */
export function pixels(buffer) {
  if (buffer.byteLength !== BYTES) return undefined;
  const view = new DataView(buffer), out = new Uint8ClampedArray(4 * SIDE * SIDE);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const v = view.getUint16(2 * i), r = v >> 11, g = (v >> 5) & 63, b = v & 31;
    out.set([(r << 3) | (r >> 2), (g << 2) | (g >> 4), (b << 3) | (b >> 2), 255], 4 * i);
  }
  return out;
}

/** @param {string} words @param {string} color @param {number} [size] @returns {Shown} */
function centred(words, color, size = 2) {
  return { image: "", label: words, lines: [{ text: words, x: (SIDE - 6 * size * words.length) / 2, y: size === 2 ? 56 : 48, size, color }] };
}

/** What the firmware knows and would show, without its wires. Times are in milliseconds. */
export class Firmware {
  constructor() {
    this.state = "connecting";
    this.connected = false;
    this.session = "";
    /** @type {Option[]} */
    this.options = Array.from({ length: KEYS }, () => NONE);
    /** @type {({title: string, content: string} | undefined)[]} */
    this.notes = [];
    this.since = 0;
    this.until = 0;
    this.pressed = Array.from({ length: KEYS }, () => -Infinity);
  }

  /** @param {number} now */
  connect(now) {
    this.connected = true;
    this.enter("idle", now);
  }

  /** @param {string} state @param {number} now */
  enter(state, now) {
    if (this.state === state) return;
    Object.assign(this, { state, since: now, until: 0, notes: [] });
  }

  /** What the firmware does not know changes nothing. @param {any} word @param {number} now */
  hear(word, now) {
    switch (word?.type) {
      case "update_options":
        this.session = text(word.session_id);
        if (Array.isArray(word.options)) {
          for (const [i, o] of word.options.slice(0, KEYS).entries()) {
            this.options[i] = { text: text(o?.text), action: text(o?.action), image: text(o?.image), color: /^#[0-9a-f]{6}$/i.test(text(o?.color)) ? o.color : "#ffffff", ...(o?.about ? { about: text(o.about) } : {}) };
          }
        }
        this.notes = [];
        break;
      case "status":
        if (!["idle", "thinking", "error", "limit"].includes(word.state)) break;
        this.enter(word.state, now);
        if (word.state === "limit") this.until = word.countdown > 0 ? now + 1000 * word.countdown : 0;
        break;
      case "display_update":
        if (Number.isInteger(word.display) && word.display >= 0 && word.display < KEYS) this.notes[word.display] = { title: text(word.title), content: text(word.content) };
        break;
    }
  }

  /**
   * What a key would send. It is asked when the key goes down: that is what the person saw.
   * @param {number} number from 1
   * @param {number} now
   * @returns {Press | "restart" | undefined}
   */
  press(number, now) {
    const i = number - 1, option = this.options[i] ?? NONE;
    if (now - (this.pressed[i] ?? -Infinity) < DEBOUNCE) return undefined;
    this.pressed[i] = now;
    if ((number === 1 || number === KEYS) && now - (this.pressed[KEYS - number] ?? -Infinity) < RESTART) return "restart";
    if (!this.connected) return undefined;
    if ((this.state === "limit" && number === 4) || (this.state === "error" && number === 3)) this.enter("idle", now);
    return { type: "key_press", session_id: this.session, key: number, text: option.action || option.text };
  }

  /** @param {number} now @returns {Shown[]} */
  screens(now) {
    const list = this.plain(now);
    this.notes.forEach((n, i) => {
      if (!n) return;
      list[i] = { image: "", label: `${n.title} ${n.content}`.trim(), lines: [
        { text: n.title, x: 5, y: 10, size: 2, color: "#ffff00" }, { text: n.content, x: 5, y: 50, size: 2, color: "#ffffff" }] };
    });
    return list;
  }

  /** @param {number} now @returns {Shown[]} */
  plain(now) {
    switch (this.state) {
      case "connecting": return [centred("", "#ffffff"), centred("Wait", "#ffffff"), centred("ing", "#ffffff"), centred("...", "#ffffff")];
      case "limit": return [centred("RATE", "#ffff00", 4), centred("LIMIT", "#ffff00", 4), this.timer(now), centred("Continue", "#00ff00")];
      case "error": return [centred("ERROR", "#ff0000", 4), centred("!", "#ff0000", 4), centred("Continue", "#00ff00"), centred("Retry", "#ffa500")];
    }
    return this.options.map((o) => ({ ...centred(o.text, o.color), image: o.image, label: o.about ?? o.text }));
  }

  /** @param {number} now */
  timer(now) {
    const left = this.until > now;
    const s = left ? Math.round((this.until - now) / 1000) : Math.floor((now - this.since) / 1000);
    return centred(`${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`, left ? "#ffff00" : "#ffa500");
  }

  /** The pictures that the keys name and that its file system can keep. */
  wanted() {
    return this.options.map((o) => o.image).filter((n) => n && n.length <= LONGEST_NAME);
  }
}
