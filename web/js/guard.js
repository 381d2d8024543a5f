// No button does anything within 300 ms after it appeared or moved: a finger
// that was on its way meant something else.

const REST = 300;
let movedAt = -Infinity;

/** Something above or around the buttons changed its size or place. */
export function moved() {
  movedAt = performance.now();
}

export const ready = () => performance.now() - movedAt >= REST;

/**
 * Wraps what a button does.
 * @template {any[]} A
 * @param {(...args: A) => void} f
 * @returns {(...args: A) => void}
 */
export const guarded = (f) => (...args) => {
  if (ready()) f(...args);
};

/** Also listen to the browser's reports of unannounced layout shifts, where it has them. */
export function watchShifts() {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("layout-shift")) return;
  new PerformanceObserver((list) => {
    for (const e of /** @type {any[]} */ (list.getEntries())) {
      const buttons = (e.sources ?? []).some((/** @type {any} */ x) => x.node instanceof Element && (x.node.closest("[data-acts]") ?? x.node.querySelector("[data-acts]")));
      if (buttons) movedAt = Math.max(movedAt, e.startTime);
    }
  }).observe({ type: "layout-shift" });
  addEventListener("resize", moved);
}
