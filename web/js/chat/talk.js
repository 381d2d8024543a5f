// A conversation, as far as it was read: pages of turns, oldest first, with the
// decisions of people and rules between them. Pure: it knows no page of the
// browser and no hub.

/** How many turns are drawn and put away together: so many that it costs no frame. */
export const PAGE = 20;
/** How many are asked for at once. */
export const FETCH = 60;

/** @typedef {{id: number, turns: Nod.Turn[], past: Nod.Request[]}} Page */
/** @typedef {{kind: "turn", turn: Nod.Turn} | {kind: "past", request: Nod.Request}} Item */
/**
 * What is drawn as one: something said, a decision, a run of steps, a new day.
 * @typedef {{kind: "said", key: string, turn: Nod.Turn} | {kind: "past", key: string, request: Nod.Request} |
 *   {kind: "steps", key: string, steps: Item[]} | {kind: "day", key: string, at: string}} Block
 */

export class Talk {
  constructor() {
    /** @type {Page[]} */
    this.pages = [];
    /** Nothing lies before the first page. */
    this.whole = false;
    this.count = 0;
    /** What was said after this place was said after what waits now was asked. */
    this.mark = Infinity;
  }

  /** Something new waits, or nothing any more: what is said from now on comes after it. @param {boolean} waits */
  part(waits) {
    this.mark = waits ? this.last : Infinity;
  }

  /** @param {Page} page */
  later(page) {
    return (page.turns[0]?.seq ?? 0) > this.mark;
  }

  get first() { return this.pages[0]?.turns[0]?.seq ?? 0; }
  get last() { return this.pages.at(-1)?.turns.at(-1)?.seq ?? 0; }
  get empty() { return this.pages.every((p) => !p.turns.length && !p.past.length); }

  /**
   * What lies before the first page, newest first as the hub lists it.
   * @param {Nod.Turn[]} list
   * @returns {Page[]} the new pages
   */
  older(list) {
    const turns = list.filter((t) => !this.first || t.seq < this.first).reverse();
    if (list.length < FETCH) this.whole = true;
    const pages = [];
    for (let end = turns.length; end > 0; end -= PAGE) pages.unshift(this.page(turns.slice(Math.max(0, end - PAGE), end)));
    this.pages.unshift(...pages);
    return pages;
  }

  /**
   * The newest turns, newest first. What was known gets what the hub has drawn
   * meanwhile; a gap between them and what is known means to start over.
   * @param {Nod.Turn[]} list
   * @returns {{changed: Set<Page>, restarted: boolean}}
   */
  newest(list) {
    const oldest = list.at(-1);
    const gap = this.last > 0 && oldest !== undefined && oldest.seq > this.last && list.length >= FETCH;
    if (gap) {
      this.pages = [];
      this.whole = false;
    }
    const fresh = this.pages.length === 0;
    if (fresh && this.mark !== Infinity) this.mark = list[0]?.seq ?? 0;
    if (fresh && list.length < FETCH) this.whole = true;
    /** @type {Set<Page>} */
    const changed = new Set();
    for (const t of [...list].reverse()) {
      const page = t.seq > this.last ? this.append(t) : this.renew(t);
      if (page) changed.add(page);
    }
    return { changed, restarted: gap };
  }

  /**
   * One turn as the log tells it.
   * @param {Nod.Turn} t
   * @returns {Page | undefined} the page that has it now; none: it was known
   */
  hear(t) {
    return t.seq > this.last ? this.append(t) : undefined;
  }

  /**
   * A settled request takes its place among the turns.
   * @param {Nod.Request} r
   * @returns {Page | undefined} the page that changed
   */
  settle(r) {
    // Before everything that was read: it comes with its page.
    if (!this.whole && this.pages.length && r.seq < this.first) return undefined;
    const page = this.pages.findLast((p, i) => i === 0 || (p.turns[0]?.seq ?? 0) <= r.seq) ?? this.page([]);
    if (!this.pages.length) this.pages.push(page);
    const at = page.past.findIndex((x) => x.id === r.id);
    if (at < 0) page.past.push(r);
    else if (page.past[at] === r) return undefined;
    else page.past[at] = r;
    return page;
  }

  /** @param {Nod.Turn} t */
  append(t) {
    let page = this.pages.at(-1);
    const parted = page !== undefined && t.seq > this.mark && !this.later(page);
    if (!page || page.turns.length >= PAGE || parted) this.pages.push(page = this.page([]));
    page.turns.push(t);
    return page;
  }

  /** @param {Nod.Turn} t */
  renew(t) {
    const page = this.pages.findLast((p) => (p.turns[0]?.seq ?? Infinity) <= t.seq);
    const at = page?.turns.findIndex((x) => x.seq === t.seq) ?? -1;
    if (!page || at < 0 || page.turns[at]?.html === t.html) return undefined;
    page.turns[at] = t;
    return page;
  }

  /** @param {Nod.Turn[]} turns @returns {Page} */
  page(turns) {
    return { id: ++this.count, turns, past: [] };
  }

  /**
   * When the page before this one ended: a new day is told only once, and not
   * before it is known to be one, so that nothing above a reader goes away again.
   * @param {Page} page
   */
  before(page) {
    const at = this.pages.indexOf(page);
    if (at === 0) return this.whole ? undefined : page.turns[0]?.at;
    return this.pages[at - 1]?.turns.at(-1)?.at;
  }
}

/** @param {Item} i */
const seqOf = (i) => (i.kind === "turn" ? i.turn.seq : i.request.seq);
/** @param {Item} i */
const timeOf = (i) => (i.kind === "turn" ? i.turn.at : i.request.asked_at);

/** A rule's decision is a step of the work; a person's is something they said. @param {Item} i */
const isStep = (i) => (i.kind === "turn" ? i.turn.role === "tool" : ["policy", "lease"].includes(i.request.decision?.via ?? ""));

/**
 * A page as it is drawn. Steps that follow each other are one run.
 * @param {Page} page
 * @param {string} [before] when the page before it ended
 * @returns {Block[]}
 */
export function blocks(page, before) {
  /** @type {Item[]} */
  const items = [
    ...page.turns.map((turn) => /** @type {const} */ ({ kind: "turn", turn })),
    ...page.past.map((request) => /** @type {const} */ ({ kind: "past", request })),
  ];
  items.sort((a, b) => seqOf(a) - seqOf(b));
  /** @type {Block[]} */
  const out = [];
  let day = before ? new Date(before).toDateString() : "";
  for (const i of items) {
    const at = timeOf(i), today = new Date(at).toDateString();
    if (today !== day) out.push({ kind: "day", key: `d${seqOf(i)}`, at });
    day = today;
    const run = out.at(-1);
    if (isStep(i) && run?.kind === "steps") run.steps.push(i);
    else if (isStep(i)) out.push({ kind: "steps", key: `s${seqOf(i)}`, steps: [i] });
    else if (i.kind === "turn") out.push({ kind: "said", key: `t${i.turn.seq}`, turn: i.turn });
    else out.push({ kind: "past", key: `r${i.request.id}`, request: i.request });
  }
  return out;
}
