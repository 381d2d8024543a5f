// The line from a puck on a page to the hub that runs it.
import { key } from "../key.js";

const FIRST = 500, LONGEST = 10_000;
const REFUSED = [4401, 4403];

export class Line {
  /**
   * @param {{hello: () => Record<string, unknown>, note: (n: any) => void, lost: (refused: boolean) => void}} o
   */
  constructor(o) {
    this.o = o;
    this.pause = FIRST;
    this.gone = false;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get open() { return this.socket?.readyState === WebSocket.OPEN; }

  async connect() {
    clearTimeout(this.timer);
    const half = await key();
    if (this.gone) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/v1/puck`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", key: half || undefined, ...this.o.hello() }));
    socket.onmessage = (e) => {
      if (socket !== this.socket || typeof e.data !== "string") return;
      const note = JSON.parse(e.data);
      if (note.welcome) this.pause = FIRST;
      this.o.note(note);
    };
    socket.onclose = (e) => {
      if (socket !== this.socket || this.gone) return;
      const refused = REFUSED.includes(e.code);
      this.o.lost(refused);
      if (refused) return;
      this.timer = setTimeout(() => void this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST);
    };
  }

  /** From the beginning, as if the puck had just been plugged in. */
  again() {
    const old = this.socket;
    this.socket = undefined;
    old?.close();
    void this.connect();
  }

  /** @param {object} word @returns {boolean} whether it was sent: what is not sent now is never sent */
  tell(word) {
    if (!this.open) return false;
    this.socket?.send(JSON.stringify(word));
    return true;
  }

  end() {
    this.gone = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
