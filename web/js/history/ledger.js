// The part of the past that was read so far. It knows what is on the screen,
// what has come since and waits to be shown, and where the hub goes on. Pure but
// for the question itself, which is given to it.

/** @typedef {(before: number, signal: AbortSignal) => Promise<{requests: Nod.Request[], next?: number}>} Ask */

/** A search for something rare gives empty pages; after so many in a row the person is asked whether to continue. */
const PATIENCE = 20;

/** @param {Nod.Request} a @param {Nod.Request} b the newest question first, as the hub lists them */
const newer = (a, b) => b.seq - a.seq;

export class Ledger {
  /** @param {Ask} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Nod.Request[]} */
    this.shown = [];
    /** @type {Map<string, Nod.Request>} settled since, and not shown yet */
    this.fresh = new Map();
    /** @type {Set<string>} */
    this.known = new Set();
    /** @type {number | undefined} where to continue; 0: there is no more */
    this.next = undefined;
    this.empty = 0;
    this.gone = new AbortController();
    /** @type {unknown} */
    this.trouble = undefined;
    /** @type {Promise<Nod.Request[]> | undefined} */
    this.running = undefined;
  }

  get done() {
    return this.next === 0;
  }

  /** Nothing found in a long stretch of the past. */
  get tired() {
    return !this.done && this.empty >= PATIENCE;
  }

  /** Reads on, once at a time. @returns {Promise<Nod.Request[]>} what was added */
  more() {
    this.running ??= this.read().finally(() => { this.running = undefined; });
    return this.running;
  }

  async read() {
    if (this.done) return [];
    const { signal } = this.gone;
    try {
      const page = await this.ask(this.next ?? 0, signal);
      if (signal.aborted) return [];
      this.trouble = undefined;
      this.next = page.next ?? 0;
      const added = page.requests.filter((r) => !this.known.has(r.id));
      this.empty = added.length ? 0 : this.empty + 1;
      this.take(added);
      return added;
    } catch (e) {
      if (!signal.aborted) this.trouble = e;
      return [];
    }
  }

  /** @param {Nod.Request[]} list */
  take(list) {
    for (const r of list) {
      this.known.add(r.id);
      this.fresh.delete(r.id);
    }
    this.shown = [...this.shown, ...list].sort(newer);
  }

  /** Something was settled. @param {Nod.Request} r @returns {boolean} whether it is news */
  hear(r) {
    if (this.known.has(r.id)) {
      this.shown = this.shown.map((x) => (x.id === r.id ? r : x));
      return false;
    }
    // Older than everything read so far: it comes with its page.
    const last = this.shown.at(-1);
    if (!this.done && last && r.seq < last.seq) return false;
    this.fresh.set(r.id, r);
    return true;
  }

  /** Puts what has come since where it belongs. */
  reveal() {
    const list = [...this.fresh.values()];
    this.take(list);
    return list;
  }

  close() {
    this.gone.abort();
  }
}
