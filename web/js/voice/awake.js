// Keeps the screen on while it is wanted. The browser takes the lock away
// whenever the page is hidden, so it is taken again; without the API nothing happens.

/** @typedef {{request: (kind: "screen") => Promise<{release: () => Promise<void>, released?: boolean}>}} Locks */
/** @typedef {{visibilityState: string, addEventListener: (n: string, f: () => void) => void, removeEventListener: (n: string, f: () => void) => void}} Page */

export class Awake {
  /** @param {Locks | undefined} locks @param {Page} page */
  constructor(locks, page) {
    this.locks = locks;
    this.page = page;
    this.wanted = false;
    this.asking = false;
    /** @type {{release: () => Promise<void>, released?: boolean} | undefined} */
    this.lock = undefined;
    this.look = () => void this.take();
  }

  on() {
    if (this.wanted) return;
    this.wanted = true;
    this.page.addEventListener("visibilitychange", this.look);
    void this.take();
  }

  async take() {
    if (!this.wanted || !this.locks || this.asking || this.page.visibilityState !== "visible" || (this.lock && !this.lock.released)) return;
    this.asking = true;
    try {
      const lock = await this.locks.request("screen");
      if (this.wanted) this.lock = lock;
      else await lock.release(); // left meanwhile
    } catch {
      // A phone that saves power says no; the screen goes off as usual.
    }
    this.asking = false;
  }

  off() {
    this.wanted = false;
    this.page.removeEventListener("visibilitychange", this.look);
    this.lock?.release().catch(() => {});
    this.lock = undefined;
  }
}
