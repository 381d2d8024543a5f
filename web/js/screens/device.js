// An M5Stack in the browser. The hub draws; this page shows and tells what was
// pressed, by the same protocol as a real one (docs/screen-protocol.md).
import { fill, h } from "../html.js";
import { key } from "../key.js";
import { prefs } from "../prefs.js";
import { lang, t } from "../words.js";

const WIDTH = 320, HEIGHT = 240, HEADER = 20;
const FIRST = 500, LONGEST = 10_000;
const LAST = 1, SPARE = 4;
const UNAUTHORIZED = 4401, FORBIDDEN = 4403;

/** @typedef {{frame: number, x: number, y: number, w: number, h: number, last: boolean, spare: boolean, data: Uint8Array<ArrayBuffer>}} Part */

/**
 * One rectangle of a frame, or nothing if it is none.
 * @param {ArrayBuffer} buffer
 * @returns {Part | undefined}
 */
export function part(buffer) {
  if (buffer.byteLength < HEADER) return undefined;
  const v = new DataView(buffer);
  if (v.getUint8(0) !== 0x4e || v.getUint32(16) !== buffer.byteLength - HEADER) return undefined;
  const flags = v.getUint8(2);
  return {
    frame: v.getUint32(4), x: v.getUint16(8), y: v.getUint16(10), w: v.getUint16(12), h: v.getUint16(14),
    last: (flags & LAST) !== 0, spare: (flags & SPARE) !== 0, data: new Uint8Array(buffer, HEADER),
  };
}

/** @type {Nod.MakeScreen} */
export default function device() {
  return new Device();
}

class Device {
  constructor() {
    this.title = t("m5.title");
    this.frame = 0;
    this.hold = 1000;
    this.pause = FIRST;
    this.gone = false;
    /** @type {AudioContext | undefined} */
    this.sound = undefined;
    /** @type {ImageBitmap | undefined} */
    this.spare = undefined;
    /** @type {Promise<void>} pictures are put on in the order in which they came */
    this.queue = Promise.resolve();
    /** @type {Map<string, {frame: number, timer: ReturnType<typeof setTimeout>}>} */
    this.down = new Map();
    this.canvas = h("canvas", { width: WIDTH, height: HEIGHT, class: "device-screen", role: "img", "aria-label": t("m5.screen") });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.element = h("div", { class: "screen device" },
      h("div", { class: "device-body" }, this.canvas, h("div", { class: "device-buttons" }, ["A", "B", "C"].map((b) => this.button(b)))),
      this.problem, h("p", { class: "hint" }, t(matchMedia("(pointer: coarse)").matches ? "m5.touch" : "m5.hint")),
      h("p", { class: "hint" }, h("span", null, t("m5.real"), " ", h("code", null, "nod device esphome m5stack"))));
    this.onKey = (/** @type {KeyboardEvent} */ e) => this.typed(e);
    addEventListener("keydown", this.onKey);
    addEventListener("keyup", this.onKey);
    // A key that is released elsewhere sends no event: it must not become a hold.
    this.onSlip = () => { for (const name of [...this.down.keys()]) this.release(name, true); };
    addEventListener("blur", this.onSlip);
    document.addEventListener("visibilitychange", this.onSlip);
    void this.connect();
  }

  leave() {
    this.gone = true;
    removeEventListener("keydown", this.onKey);
    removeEventListener("keyup", this.onKey);
    removeEventListener("blur", this.onSlip);
    document.removeEventListener("visibilitychange", this.onSlip);
    this.onSlip();
    clearTimeout(this.timer);
    this.socket?.close();
    void this.sound?.close();
  }

  /** @param {string} name */
  button(name) {
    const b = h("button", { type: "button", class: "device-button", "aria-label": t("m5.button", name) }, name);
    b.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      b.setPointerCapture(e.pointerId);
      this.press(name);
    });
    b.addEventListener("pointerup", () => this.release(name));
    b.addEventListener("pointercancel", () => this.release(name, true));
    b.addEventListener("contextmenu", (e) => e.preventDefault()); // a phone's, when it is held
    b.addEventListener("click", (e) => { if (e.detail === 0) { this.press(name); this.release(name); } }); // from the keyboard
    return b;
  }

  /** @param {KeyboardEvent} e */
  typed(e) {
    const name = e.key.toUpperCase();
    if (!["A", "B", "C"].includes(name) || e.metaKey || e.ctrlKey || e.altKey) return;
    if (e.target instanceof HTMLElement && e.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (e.repeat) return;
    if (e.type === "keydown") this.press(name);
    else this.release(name);
  }

  /** The frame of this moment is what the person means. @param {string} name */
  press(name) {
    if (this.down.has(name) || !this.frame) return;
    const frame = this.frame;
    this.tell(name, "down", frame);
    this.down.set(name, { frame, timer: setTimeout(() => { this.down.delete(name); this.tell(name, "hold", frame); }, this.hold) });
    this.sound ??= prefs().sounds && "AudioContext" in globalThis ? new AudioContext() : undefined; // browsers want a press before the first sound
  }

  /** @param {string} name @param {boolean} [slipped] */
  release(name, slipped = false) {
    const held = this.down.get(name);
    if (!held) return;
    clearTimeout(held.timer);
    this.down.delete(name);
    this.tell(name, slipped ? "up" : "click", held.frame);
  }

  /** @param {string} button @param {string} kind @param {number} frame */
  tell(button, kind, frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ button, kind, frame }));
  }

  async connect() {
    const half = await key();
    if (this.gone) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/v1/screen`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", width: WIDTH, height: HEIGHT, format: "png", buttons: 3, language: lang(), name: "web", spare: true, key: half || undefined }));
    socket.onmessage = (e) => {
      if (typeof e.data === "string") this.hear(JSON.parse(e.data));
      else this.queue = this.queue.then(() => this.show(e.data)).catch(() => {});
    };
    socket.onclose = (e) => this.lost(e.code);
  }

  /** @param {number} code */
  lost(code) {
    for (const held of this.down.values()) clearTimeout(held.timer);
    this.down.clear();
    this.frame = 0;
    if (this.gone || code === UNAUTHORIZED || code === FORBIDDEN) return;
    if (this.spare) this.canvas.getContext("2d")?.drawImage(this.spare, 0, 0);
    this.canvas.style.removeProperty("opacity");
    this.timer = setTimeout(() => void this.connect(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST);
  }

  /** @param {{type: string, hz?: number, to?: number, ms?: number, times?: number, level?: number, hold_ms?: number, message?: string, code?: string}} word */
  hear(word) {
    switch (word.type) {
      case "welcome":
        this.pause = FIRST;
        this.hold = word.hold_ms ?? this.hold;
        fill(this.problem);
        break;
      case "beep": this.beep(word.hz ?? 440, word.to ?? word.hz ?? 440, word.ms ?? 80, word.times ?? 1); break;
      case "dim": this.canvas.style.setProperty("opacity", String(Math.max(35, word.level ?? 100) / 100)); break;
      case "error": fill(this.problem, t("m5.refused", word.message ?? word.code ?? "")); break;
    }
  }

  /** @param {ArrayBuffer} buffer */
  async show(buffer) {
    const p = part(buffer);
    if (!p) return;
    if (p.data.length) {
      const bitmap = await createImageBitmap(new Blob([p.data], { type: "image/png" }));
      if (p.spare) {
        this.spare = bitmap;
        return;
      }
      this.canvas.getContext("2d")?.drawImage(bitmap, p.x, p.y);
      bitmap.close();
    }
    if (p.last && this.socket?.readyState === WebSocket.OPEN) {
      this.frame = p.frame;
      this.canvas.dataset.frame = String(p.frame);
    }
  }

  /** @param {number} hz @param {number} to @param {number} ms @param {number} times */
  beep(hz, to, ms, times) {
    const sound = this.sound;
    if (!sound || !prefs().sounds) return;
    for (let i = 0; i < times; i++) {
      const from = sound.currentTime + (2 * i * ms) / 1000, end = from + ms / 1000;
      const tone = new OscillatorNode(sound, { frequency: hz }), loud = new GainNode(sound, { gain: 0.08 });
      tone.frequency.linearRampToValueAtTime(to, end);
      loud.gain.setTargetAtTime(0, end - 0.02, 0.01);
      tone.connect(loud).connect(sound.destination);
      tone.start(from);
      tone.stop(end + 0.05);
    }
  }
}
