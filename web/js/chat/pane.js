// The part that scrolls. Only pages near the eye are drawn; the others keep
// their place and nothing else, so a conversation of thousands is as light as
// one of fifty. It is anchored at its end (column-reverse): what is added above
// moves nothing, and a view at the end stays there.
import { h, keyed } from "../html.js";
import { moved } from "../guard.js";

/** @typedef {import("./talk.js").Page} Page */

const AHEAD = 1500; // drawn beyond what can be seen, in px
const NEAR = 24;    // this close to the end is the end

export class Pane {
  /**
   * @param {{head: HTMLElement, cards: HTMLElement, tail: HTMLElement, label: string, draw: (page: Page, el: HTMLElement) => void, older: () => void, end: (at: boolean) => void}} o
   */
  constructor(o) {
    this.o = o;
    this.list = h("div", { class: "chat-pages" });
    this.later = h("div", { class: "chat-pages" }); // turns after the pending requests
    this.log = h("div", { class: "chat-log", role: "log", "aria-live": "off", "aria-label": o.label }, o.head, this.list, o.cards, this.later, o.tail);
    this.element = h("div", { class: "chat-scroll", role: "region", tabindex: 0, "aria-label": o.label }, this.log);
    /** @type {Map<string, Page>} */
    this.pages = new Map();
    this.ended = true;
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.near = new IntersectionObserver((all) => this.steady(() => { for (const e of all) this.see(/** @type {HTMLElement} */ (e.target), e.isIntersecting, e.boundingClientRect.height); }),
      { root: this.element, rootMargin: `${AHEAD}px 0px` });
    this.above = new IntersectionObserver((all) => { if (all.some((e) => e.isIntersecting)) o.older(); }, { root: this.element, rootMargin: `${AHEAD}px 0px 0px` });
    this.above.observe(o.head);
  }

  /**
   * The pages that there are, oldest first.
   * @param {import("./talk.js").Talk} talk
   * @param {ReadonlySet<Page>} changed those that must be redrawn, if they are drawn
   */
  show(talk, changed) {
    this.steady(() => {
      this.pages = new Map(talk.pages.map((p) => [String(p.id), p]));
      this.fill(this.list, talk.pages.filter((p) => !talk.later(p)), changed);
      this.fill(this.later, talk.pages.filter((p) => talk.later(p)), changed);
    });
    if (this.o.cards.firstChild && this.later.firstChild) moved();
  }

  /**
   * @param {HTMLElement} list
   * @param {Page[]} pages
   * @param {ReadonlySet<Page>} changed
   */
  fill(list, pages, changed) {
    for (const el of [...list.children]) if (!pages.some((p) => String(p.id) === /** @type {HTMLElement} */ (el).dataset.key)) this.near.unobserve(el);
    keyed(list, pages, (p) => String(p.id), (p) => {
      const el = h("div", { class: "chat-page" });
      this.o.draw(p, el);
      this.near.observe(el);
      return el;
    }, (el, p) => {
      if (changed.has(p) && !el.dataset.parked) this.o.draw(p, el);
    });
  }

  /** Looks again whether older pages are wanted: an observer only reports changes. */
  again() {
    this.above.unobserve(this.o.head);
    this.above.observe(this.o.head);
  }

  /**
   * @param {HTMLElement} el
   * @param {boolean} near
   * @param {number} height as the observer has seen it: to measure again costs a layout
   */
  see(el, near, height) {
    const page = this.pages.get(el.dataset.key ?? "");
    if (!page) return;
    if (near && el.dataset.parked) {
      delete el.dataset.parked;
      el.style.blockSize = "";
      this.o.draw(page, el);
    } else if (!near && !el.dataset.parked && !el.contains(document.activeElement) && !selected(el)) {
      el.style.blockSize = `${height}px`;
      el.dataset.parked = "1";
      el.replaceChildren();
    }
  }

  /**
   * Changes something without moving what a person looks at.
   * @template T
   * @param {() => T} change
   * @returns {T}
   */
  steady(change) {
    const anchor = this.atEnd() ? undefined : this.anchor();
    const before = anchor?.getBoundingClientRect().top ?? 0;
    const out = change();
    if (anchor?.isConnected) {
      const by = anchor.getBoundingClientRect().top - before;
      if (Math.abs(by) >= 1) this.element.scrollTop += by;
    }
    return out;
  }

  /** The first thing that is drawn and can be seen; a page that is put away may change its height. @returns {Element} */
  anchor() {
    const top = this.element.getBoundingClientRect().top;
    const below = (/** @type {Element} */ el) => el.getBoundingClientRect().bottom > top;
    for (const page of [...this.list.children, this.o.cards, ...this.later.children]) {
      if (!page.firstChild || !below(page)) continue;
      return [...page.children].find(below) ?? page;
    }
    return this.o.tail;
  }

  /** Zero is the end; above it is negative. */
  atEnd() {
    return this.element.scrollTop > -NEAR;
  }

  toEnd() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || this.element.scrollTop < -3 * this.element.clientHeight;
    this.element.scrollTo({ top: 0, behavior: calm ? "instant" : "smooth" });
  }

  scrolled() {
    const at = this.atEnd();
    if (at === this.ended) return;
    this.ended = at;
    this.o.end(at);
  }

  leave() {
    this.near.disconnect();
    this.above.disconnect();
  }
}

/** @param {Node} el */
function selected(el) {
  const s = getSelection();
  return s !== null && !s.isCollapsed && s.containsNode(el, true);
}
