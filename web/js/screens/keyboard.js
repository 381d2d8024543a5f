// A keyboard with four keys in the browser, each key a screen with a light below
// it. The hub tells what they show; this page shows and tells what was pressed,
// by the same protocol as a real one.
import { Firmware, KEYS, pixels, SIDE } from "../firmware.js";
import { fill, h } from "../html.js";
import { key, signed } from "../key.js";
import { keyboards } from "../settings/keyboards.js";
import { t } from "../words.js";

const FLASH = 50, HOLD = 600;
const FIRST = 500, LONGEST = 5000;
const UNAUTHORIZED = 4401, FORBIDDEN = 4403;

/** @typedef {import("../firmware.js").Press} Press */

/** @type {Nod.MakeScreen} */
export default function keyboard() {
  return new Keyboard();
}

class Keyboard {
  constructor() {
    this.title = t("kb.title");
    this.firmware = new Firmware();
    this.pause = FIRST;
    this.gone = false;
    /** @type {Map<string, ImageBitmap>} */
    this.flash = new Map();
    /** @type {Map<number, {press: Press, timer: ReturnType<typeof setTimeout>}>} */
    this.down = new Map();
    this.keys = Array.from({ length: KEYS }, (_, i) => this.made(i + 1));
    this.problem = h("p", { class: "problem", role: "alert" });
    this.yours = keyboards();
    this.body = h("div", { class: "keyboard-body", role: "group", "aria-label": t("kb.title") }, this.keys.map((k) => k.button));
    this.element = h("div", { class: "screen keyboard" }, this.body, this.problem,
      h("p", { class: "hint" }, t(matchMedia("(pointer: coarse)").matches ? "kb.touch" : "kb.hint")), h("p", { class: "hint" }, t("kb.real")), this.yours.element);
    this.onKey = (/** @type {KeyboardEvent} */ e) => this.typed(e);
    addEventListener("keydown", this.onKey);
    addEventListener("keyup", this.onKey);
    // A key that is released elsewhere sends no event: it must press nothing.
    this.onSlip = () => { for (const n of [...this.down.keys()]) this.release(n, true); };
    addEventListener("blur", this.onSlip);
    document.addEventListener("visibilitychange", this.onSlip);
    this.clock = setInterval(() => { if (this.firmware.state === "limit") this.draw(); }, 1000);
    this.draw();
    void this.connect();
  }

  leave() {
    this.gone = true;
    removeEventListener("keydown", this.onKey);
    removeEventListener("keyup", this.onKey);
    removeEventListener("blur", this.onSlip);
    document.removeEventListener("visibilitychange", this.onSlip);
    this.onSlip();
    this.yours.end();
    clearInterval(this.clock);
    clearTimeout(this.timer);
    this.socket?.close();
  }

  /** @param {number} n */
  made(n) {
    const canvas = h("canvas", { width: SIDE, height: SIDE, class: "keyboard-screen", "aria-hidden": "true" });
    const button = h("button", { type: "button", class: "keyboard-key" }, canvas, h("span", { class: "keyboard-light" }));
    button.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      button.setPointerCapture(e.pointerId);
      this.press(n);
    });
    button.addEventListener("pointerup", () => this.release(n));
    button.addEventListener("pointercancel", () => this.release(n, true));
    button.addEventListener("contextmenu", (e) => e.preventDefault()); // a phone's, when it is held
    button.addEventListener("click", (e) => { if (e.detail === 0) { this.press(n); this.release(n); } }); // from the keyboard
    return { canvas, button };
  }

  /** @param {KeyboardEvent} e */
  typed(e) {
    const n = Number(/^Digit([1-4])$/.exec(e.code)?.[1] ?? /^[1-4]$/.exec(e.key)?.[0] ?? 0);
    if (!n || e.metaKey || e.ctrlKey || e.altKey) return;
    if (e.target instanceof HTMLElement && e.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (e.repeat) return;
    if (e.type === "keydown") this.press(n);
    else this.release(n);
  }

  /** What the key shows at this moment is what the person means. @param {number} n */
  press(n) {
    if (this.down.has(n)) return;
    const press = this.firmware.press(n, performance.now());
    const button = this.keys[n - 1]?.button;
    button?.setAttribute("data-pressed", "");
    setTimeout(() => button?.removeAttribute("data-pressed"), FLASH);
    if (press === "restart") {
      this.down.forEach((d) => clearTimeout(d.timer));
      this.down.clear();
      this.firmware = new Firmware();
      this.socket?.close();
      this.draw();
    } else if (press) {
      this.down.set(n, { press, timer: setTimeout(() => { this.down.delete(n); this.tell({ ...press, hold: true }); }, HOLD) });
      this.draw();
    }
  }

  /** @param {number} n @param {boolean} [slipped] */
  release(n, slipped = false) {
    const held = this.down.get(n);
    if (!held) return;
    clearTimeout(held.timer);
    this.down.delete(n);
    if (!slipped) this.tell(held.press);
  }

  /** @param {Press} press */
  tell(press) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(press));
    else fill(this.problem, t("kb.lost")); // a press must not be lost silently
  }

  async connect() {
    const half = await key();
    if (this.gone) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/v1/keyboard`, ["arduino"]);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST;
      this.firmware.connect(performance.now());
      fill(this.problem);
      socket.send(JSON.stringify({ type: "register", device: "tkeyboard", version: "1.0", key: half || undefined }));
      this.draw();
    };
    socket.onmessage = (e) => { if (typeof e.data === "string") this.hear(e.data); };
    socket.onclose = (e) => this.lost(e);
  }

  /** @param {CloseEvent} e */
  lost(e) {
    this.down.forEach((d) => clearTimeout(d.timer));
    this.down.clear();
    this.firmware.connected = false;
    this.draw();
    if (this.gone) return;
    if (e.code === UNAUTHORIZED || e.code === FORBIDDEN) {
      fill(this.problem, t("kb.refused", e.reason));
      return;
    }
    fill(this.problem, t("kb.lost"));
    this.timer = setTimeout(() => void this.connect(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST);
  }

  /** @param {string} message */
  hear(message) {
    let word;
    try {
      word = JSON.parse(message);
    } catch {
      return;
    }
    this.firmware.hear(word, performance.now());
    this.draw();
    for (const name of this.firmware.wanted()) if (!this.flash.has(name)) void this.fetch(name).then(() => this.draw(), () => {}); // otherwise the key shows its text
  }

  /** @param {string} name */
  async fetch(name) {
    const r = await fetch(`/v1/keyboard/images/${encodeURIComponent(name)}`, { headers: await signed() });
    if (!r.ok) return;
    const body = await r.arrayBuffer();
    if (name.endsWith(".gif")) {
      this.flash.set(name, await createImageBitmap(new Blob([body], { type: "image/gif" })));
      return;
    }
    const data = pixels(body);
    if (data) this.flash.set(name, await createImageBitmap(new ImageData(data, SIDE, SIDE)));
  }

  draw() {
    if (this.gone) return;
    this.body.dataset.state = this.firmware.connected ? this.firmware.state : "lost";
    this.firmware.screens(performance.now()).forEach((s, i) => {
      const k = this.keys[i], pen = k?.canvas.getContext("2d");
      if (!k || !pen) return;
      k.button.setAttribute("aria-label", t("kb.key", i + 1, s.label));
      const picture = this.flash.get(s.image);
      pen.fillStyle = "#000000";
      pen.fillRect(0, 0, SIDE, SIDE);
      if (picture) {
        pen.drawImage(picture, 0, 0);
        return;
      }
      for (const l of s.lines) {
        pen.fillStyle = l.color;
        pen.font = `600 ${l.size * 9}px ui-monospace, monospace`;
        pen.textBaseline = "middle";
        pen.textAlign = l.x === 5 ? "left" : "center";
        pen.fillText(l.text, l.x === 5 ? l.x : SIDE / 2, l.y + 4 * l.size, SIDE - 4);
      }
    });
  }
}
