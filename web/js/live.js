// Keeps the page true: a snapshot, then the log from its number on. Broken
// connections come back by themselves, with growing pauses and some chance in
// them, so that a hundred pages do not all knock at once.
import { signed } from "./key.js";
import { api, ApiError } from "./api.js";
import { listen } from "./sse.js";

const BEAT = 15_000;           // how often the hub says that it is still there
const STALE = BEAT * 2 + 5000; // two beats missed
const FIRST = 500, LONGEST = 15_000;

/**
 * The pause before try number n (from 0): doubled each time, half of it chance.
 * @param {number} n
 * @param {() => number} [random]
 */
export function pause(n, random = Math.random) {
  const full = Math.min(LONGEST, FIRST * 2 ** n);
  return full / 2 + (full / 2) * random();
}

/**
 * @typedef {object} Ears
 * @property {(snap: Nod.Snapshot) => void} snapshot
 * @property {(e: Nod.Event) => void} event
 * @property {(link: Nod.Link) => void} link
 * @property {() => number} seq how far the page has come
 */

export class Live {
  /** @param {Ears} ears */
  constructor(ears) {
    this.ears = ears;
    this.tries = 0;
    this.fresh = true;    // the next connection starts with a snapshot
    this.heard = 0;
    /** @type {AbortController | undefined} */
    this.running = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  start() {
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.broken());
    // A page that the browser keeps for "back" would keep its line too, and a browser has only six to one hub.
    addEventListener("pagehide", () => this.running?.abort());
    addEventListener("pageshow", (e) => { if (e.persisted) this.hurry(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.look(); });
    setInterval(() => this.look(), 5000);
    void this.connect();
  }

  /** Signed in again, or a person pressed "try now". */
  hurry() {
    this.tries = 0;
    void this.connect();
  }

  /** After a phone has slept, its connection is open but dead. */
  look() {
    const silent = performance.now() - this.heard > STALE;
    if (this.running && this.heard && silent) this.hurry();
    else if (!this.running && this.timer && !document.hidden && this.tries > 2) this.hurry();
  }

  async connect() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running?.abort();
    const mine = (this.running = new AbortController());
    try {
      if (this.fresh) {
        this.ears.snapshot(await api.state());
        this.fresh = false;
      }
      if (mine.signal.aborted) return;
      await this.follow(mine.signal);
    } catch (e) {
      if (mine.signal.aborted) return;
      if (e instanceof ApiError && (e.code === "unauthorized" || e.code === "forbidden")) {
        this.running = undefined;
        this.fresh = true;
        this.ears.link("signedout");
        return;
      }
    }
    if (!mine.signal.aborted) this.broken();
  }

  /** @param {AbortSignal} signal */
  async follow(signal) {
    const response = await fetch(`/v1/events?after=${this.ears.seq()}`, {
      headers: { ...await signed(), Accept: "text/event-stream" }, cache: "no-store", credentials: "same-origin", signal,
    });
    if (response.status === 401 || response.status === 403) throw new ApiError("unauthorized", "");
    if (response.status === 410) this.fresh = true;
    if (!response.ok || !response.body) throw new ApiError("unavailable", "");
    this.heard = performance.now();
    this.ears.link("live");
    await listen(response.body, (m) => { if (!signal.aborted) this.hear(m); }, () => {
      this.heard = performance.now();
      this.tries = 0;
    });
  }

  /** @param {import("./sse.js").Message} m */
  hear(m) {
    if (m.event === "gap") {
      this.fresh = true;
      void this.connect();
    } else if (m.event === "" || m.event === "message") this.ears.event(JSON.parse(m.data));
    // "end": the hub closes the stream; the reader sees it end, and whether this browser is still known shows when it comes back.
  }

  broken() {
    this.running?.abort();
    this.running = undefined;
    this.ears.link("waiting");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), pause(this.tries++));
  }
}
