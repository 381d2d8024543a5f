// The answer that is being written: a bubble at the end of the log, which the
// whole answer replaces in one moment.
import { h, keyed, say } from "../html.js";
import { signed } from "../key.js";
import { pause } from "../live.js";
import { listen } from "../sse.js";
import { t } from "../words.js";
import { blank, grow, paragraphs, sentences } from "./writing.js";

/** A draft whose answer never came is put away after this long. */
const FORGET = 3000;
const AFTER = 1000;

export class Draft {
  /**
   * @param {string} id
   * @param {(change: () => void) => void} steady changes the log without moving what is read
   */
  constructor(id, steady) {
    this.id = id;
    this.steady = steady;
    this.writing = blank();
    /** The place in the log of the turn that replaces it. */
    this.until = 0;
    /** The message whose answer is in the log: late pieces of it are none any more. */
    this.done = "";
    this.tries = 0;
    this.frame = 0;
    this.wanted = false;
    /** @type {AbortController | undefined} */
    this.line = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.forget = undefined;
    this.text = h("div", { class: "turn-text prose", "aria-hidden": "true" });
    // The screen shows it grow; speech gets whole sentences.
    this.ears = h("div", { class: "unseen", "aria-live": "polite" });
    this.label = h("span", { class: "turn-time", "aria-hidden": "true" }, t("talk.writing"), "…");
    this.element = h("article", { class: "turn turn-agent draft", hidden: true, "aria-label": t("talk.writing") }, this.text, this.label, this.ears);
  }

  /**
   * What it said before it asks is why it asks: that stands above the question.
   * Otherwise it is the last thing there.
   * @param {HTMLElement} cards
   * @param {HTMLElement} tail
   */
  place(cards, tail) {
    const asks = cards.querySelector("nod-card:not(.is-settled)") !== null;
    this.label.hidden = asks;
    if (asks && this.element.nextSibling !== cards) cards.before(this.element);
    else if (!asks && this.element.parentNode !== tail) tail.prepend(this.element);
  }

  /** A browser has few lines to one hub: this one is open only while something is written. @param {Nod.Agent | undefined} a */
  update(a) {
    const wanted = a?.conversation !== undefined && (a.state === "working" || a.state === "waiting");
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    clearTimeout(this.timer);
    clearTimeout(this.forget);
    if (wanted) void this.follow();
    else {
      this.line?.abort();
      this.forget = setTimeout(() => this.clear(), FORGET);
    }
  }

  async follow() {
    const line = (this.line = new AbortController());
    try {
      const response = await fetch(`/v1/agents/${encodeURIComponent(this.id)}/draft`, {
        headers: { ...await signed(), Accept: "text/event-stream" }, cache: "no-store", credentials: "same-origin", signal: line.signal,
      });
      if (response.ok && response.body) {
        await listen(response.body, (m) => {
          if (m.event === "piece" && !line.signal.aborted) this.take(JSON.parse(m.data));
        }, () => { this.tries = 0; });
      } else if (response.status < 500) return; // not for us: the answer comes whole
    } catch {
      // It comes back, or the answer comes whole.
    }
    if (!line.signal.aborted && this.wanted) this.timer = setTimeout(() => void this.follow(), pause(this.tries++));
  }

  /** @param {Nod.Draft} piece */
  take(piece) {
    if (piece.message !== undefined && (piece.message === this.done || (this.until && piece.message === this.writing.message))) return;
    const before = this.writing;
    this.writing = grow(before, piece);
    if (this.writing === before) return;
    if (this.writing.message !== before.message) {
      this.until = 0;
      this.ears.replaceChildren();
    }
    // However many pieces come, it is drawn once a frame.
    this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.show(); });
  }

  show() {
    this.steady(() => {
      const parts = paragraphs(this.writing.text);
      keyed(this.text, parts.map((text, i) => ({ text, i })), (p) => String(p.i), () => h("p", { class: "raw" }), (el, p) => say(el, p.text));
      this.element.hidden = parts.length === 0;
    });
    const { say: words, told } = sentences(this.writing);
    if (!words) return;
    this.writing = { ...this.writing, told };
    this.ears.append(h("span", null, `${words} `));
  }

  /** @param {Nod.Turn} turn */
  hear(turn) {
    const answer = turn.role === "agent" || (turn.role === "system" && turn.trouble !== undefined);
    if (!answer || turn.message === undefined) return;
    if (turn.message === this.writing.message) this.until = turn.seq;
    else this.done = turn.message; // the answer overtook its first piece
  }

  /** The part of an answer that was not spoken yet. @param {Nod.Turn} turn */
  untold(turn) {
    const { message, text, told } = this.writing;
    return turn.message === message && told > 0 && turn.text.startsWith(text.slice(0, told)) ? turn.text.slice(told) : turn.text;
  }

  /** The log is drawn up to a place. @param {number} last */
  drawn(last) {
    if (this.until && last >= this.until) this.clear();
  }

  clear() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.until) {
      this.done = this.writing.message;
      // The agent is idle in a moment; "working" must not flash up before that.
      this.element.dataset.after = "1";
      setTimeout(() => { delete this.element.dataset.after; }, AFTER);
    }
    this.until = 0;
    this.element.hidden = true;
    this.text.replaceChildren();
    this.writing = blank();
  }

  leave() {
    this.wanted = false;
    this.line?.abort();
    clearTimeout(this.timer);
    clearTimeout(this.forget);
    cancelAnimationFrame(this.frame);
  }
}
