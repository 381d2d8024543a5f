// Times for people who glance: one unit, rounded so that it is never a lie.
import { lang, t } from "./words.js";

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** The hub's clock minus ours: deadlines are the hub's. */
let skew = 0;

/**
 * @param {number} hub milliseconds
 * @param {number} here milliseconds
 */
export function setClock(hub, here) {
  // A header has whole seconds; less than that is no difference.
  skew = Math.abs(hub - here) < 2 * SECOND ? 0 : hub - here;
}

export const now = () => Date.now() + skew;

/** @param {string} text */
const plain = (text) => text.replace(/[\u00a0\u2007\u2009\u202f]/g, " ");

/** @type {Map<string, Intl.RelativeTimeFormat | Intl.DateTimeFormat | Intl.NumberFormat>} */
const formats = new Map();

/**
 * "4 s ago", "in 3 min"; less than a second is now.
 * @param {number} ms below zero: past
 * @param {string} [l]
 */
export function relative(ms, l = lang()) {
  const key = "r" + l;
  const f = /** @type {Intl.RelativeTimeFormat} */ (formats.get(key) ?? new Intl.RelativeTimeFormat(l, { style: "short", numeric: "always" }));
  formats.set(key, f);
  const size = Math.abs(ms);
  if (size < SECOND) return t("time.now"); // and the blanks of Intl become plain ones, see visible.js
  if (size < MINUTE) return plain(f.format(Math.trunc(ms / SECOND), "second"));
  if (size < HOUR) return plain(f.format(Math.trunc(ms / MINUTE), "minute"));
  if (size < 2 * DAY) return plain(f.format(Math.trunc(ms / HOUR), "hour"));
  return plain(f.format(Math.trunc(ms / DAY), "day"));
}

/**
 * "5 min": how long something has been so.
 * @param {number} ms
 * @param {string} [l]
 */
export function span(ms, l = lang()) {
  const size = Math.max(0, ms);
  const [unit, one] = /** @type {[string, number]} */ (size < MINUTE ? ["second", SECOND] : size < HOUR ? ["minute", MINUTE] : size < 2 * DAY ? ["hour", HOUR] : ["day", DAY]);
  const key = unit + l;
  const f = /** @type {Intl.NumberFormat} */ (formats.get(key) ?? new Intl.NumberFormat(l, { style: "unit", unit, unitDisplay: "short" }));
  formats.set(key, f);
  return plain(f.format(Math.trunc(size / one)));
}

/** @param {string} at */
export const ago = (at) => relative(Math.min(0, Date.parse(at) - now()));

/**
 * A countdown: 4:05, 0:09, and beyond an hour 2:04:05. Rounded up, so that 0:00
 * means over.
 * @param {number} ms
 */
export function countdown(ms) {
  const total = Math.max(0, Math.ceil(ms / SECOND));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(total / 3600), minutes = Math.floor(total / 60) % 60, seconds = total % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * 14:05, or with the day when it is not today.
 * @param {string} at
 */
export function clock(at) {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  const key = (today ? "c" : "d") + lang();
  const f = /** @type {Intl.DateTimeFormat} */ (formats.get(key) ??
    new Intl.DateTimeFormat(lang(), today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }));
  formats.set(key, f);
  return plain(f.format(date));
}
