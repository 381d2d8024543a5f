// What a person chose for this browser. early.js applies theme and text size
// before the first paint; keep the two in step.

const KEY = "nod.prefs";

/** @typedef {{lang: string, theme: "system" | "light" | "dark" | "contrast", text: "small" | "normal" | "large" | "huge", sounds: boolean}} Prefs */

/** @type {Prefs} */
const DEFAULTS = { lang: "", theme: "system", text: "normal", sounds: true };

/** @returns {Prefs} */
export function prefs() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // private windows may have no storage
  }
}

/** @param {Partial<Prefs>} change */
export function setPrefs(change) {
  const next = { ...prefs(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // It holds for this page only, then.
  }
  document.documentElement.dataset.theme = next.theme;
  document.documentElement.dataset.text = next.text;
  if (change.lang !== undefined) dispatchEvent(new CustomEvent("nod-language"));
}
