// Times that update themselves: <nod-time> with until (a countdown), since
// ("4 s ago") or away ("away 5 min"). One clock for all of them, and none while the page is hidden.
import { say } from "../html.js";
import { ago, countdown, now, span } from "../time.js";
import { t } from "../words.js";

/** @type {Set<NodTime>} */
const running = new Set();
setInterval(() => { if (!document.hidden) for (const el of running) el.tick(); }, 1000);
document.addEventListener("visibilitychange", () => { for (const el of running) el.tick(); });

export class NodTime extends HTMLElement {
  connectedCallback() {
    running.add(this);
    this.tick();
  }

  disconnectedCallback() {
    running.delete(this);
  }

  tick() {
    const { away, since, until, from } = this.dataset;
    if (since) say(this, ago(since));
    if (away) say(this, t("host.away", span(now() - Date.parse(away))));
    if (!until) return;
    const left = Date.parse(until) - now();
    say(this, left > 0 ? t("time.left", countdown(left)) : t("time.over"));
    this.classList.toggle("soon", left < 60_000);
    this.classList.toggle("late", left < 15_000);
    if (from) {
      const whole = Date.parse(until) - Date.parse(from);
      const part = whole > 0 ? Math.min(1, Math.max(0, left / whole)) : 0;
      /** @type {HTMLElement | null} */ (this.closest("[data-fuse]"))?.style.setProperty("--left", part.toFixed(4));
    }
  }
}
customElements.define("nod-time", NodTime);
