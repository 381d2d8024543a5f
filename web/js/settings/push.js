// Notifications of this browser: what it can, what it was told, and how its
// subscription stays the one that the hub writes to.
import { call } from "../api.js";
import { keep, kept } from "../key.js";
import { lang } from "../words.js";

/**
 * @typedef {{from: string, to: string, zone: string}} Quiet
 * @typedef {{key: string, subscribed: boolean, endpoint?: string, notify: "all" | "waiting" | "none", quiet?: Quiet, lang?: string, problem?: string}} Settings
 * @typedef {"insecure" | "homescreen" | "incapable" | "blocked" | "ask" | "off" | "on"} Standing
 */

const PATIENCE = 20_000;

/** @param {string} agent navigator.userAgent @param {number} touches navigator.maxTouchPoints */
export const isApple = (agent, touches) => /iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touches > 1); // an iPad calls itself a Mac

/**
 * What stands in the way, or how far it is. Pure, so that every case can be tried.
 * @param {{secure: boolean, apple: boolean, standalone: boolean, push: boolean, permission: string, subscribed: boolean}} o
 * @returns {Standing}
 */
export function standing(o) {
  if (!o.secure) return "insecure";
  if (o.apple && !o.standalone && !o.push) return "homescreen";
  if (!o.push) return "incapable";
  if (o.permission === "denied") return "blocked";
  if (o.permission !== "granted") return "ask";
  return o.subscribed ? "on" : "off";
}

export const standalone = () => matchMedia("(display-mode: standalone)").matches || /** @type {any} */ (navigator).standalone === true;
const capable = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** @param {boolean} subscribed */
export const here = (subscribed) => standing({
  secure: isSecureContext, apple: isApple(navigator.userAgent, navigator.maxTouchPoints), standalone: standalone(), push: capable(),
  permission: capable() ? Notification.permission : "", subscribed,
});

/** @param {string} key base64url */
export function bytes(key) {
  const text = atob(key.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} a @param {Uint8Array} b */
export function same(a, b) {
  const list = new Uint8Array(a ?? new ArrayBuffer(0));
  return list.length === b.length && list.every((x, i) => x === b[i]);
}

export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The worker, or nothing where there is none after a while. @returns {Promise<ServiceWorkerRegistration | undefined>} */
async function worker() {
  if (!capable()) return undefined;
  return Promise.race([navigator.serviceWorker.ready, /** @type {Promise<undefined>} */ (new Promise((r) => setTimeout(() => r(undefined), 5000)))]);
}

/** @returns {Promise<Settings>} */
export const settings = () => call("GET", "/v1/push");

/** The subscription of this browser, made with the hub's key. @param {string} key @param {boolean} make */
async function subscription(key, make) {
  const reg = await worker();
  if (!reg) throw new TypeError("no worker");
  const want = bytes(key);
  const old = await reg.pushManager.getSubscription();
  if (old && same(old.options.applicationServerKey, want)) return old;
  if (old) await old.unsubscribe(); // of another hub, or of one that has new keys
  if (!make) return null;
  // Without a way to its push service a browser tries for ever and says nothing.
  return Promise.race([reg.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: want }),
    /** @type {Promise<never>} */ (new Promise((_, no) => setTimeout(() => no(new TypeError("no push service")), PATIENCE)))]);
}

/** After a tap. @param {Settings} now @returns {Promise<Settings | "refused">} */
export async function turnOn(now) {
  if (await Notification.requestPermission() !== "granted") return "refused";
  const sub = await subscription(now.key, true);
  await keep("push", true);
  return call("PUT", "/v1/push", { subscription: sub?.toJSON(), notify: now.notify === "all" ? "all" : "waiting", quiet: now.quiet, lang: lang() });
}

/** @param {Settings} now @param {{notify?: "all" | "waiting" | "none", quiet?: Quiet | null}} change @returns {Promise<Settings>} */
export const change = (now, change) => call("PUT", "/v1/push", {
  notify: change.notify ?? now.notify, quiet: change.quiet === null ? undefined : (change.quiet ?? now.quiet), lang: lang(),
});

export async function turnOff() {
  await call("DELETE", "/v1/push");
  await keep("push", false);
  const sub = await (await worker())?.pushManager.getSubscription();
  await sub?.unsubscribe().catch(() => false);
}

/** Notifications speak the language that was chosen. */
export async function speak() {
  const now = await settings();
  if (now.subscribed && now.lang !== lang()) await change(now, {});
}

/**
 * At every start: browsers change a subscription without a word, and a hub may
 * have lost it. Only where a person has turned notifications on.
 */
export async function heal() {
  if (!capable() || Notification.permission !== "granted" || !(await kept("push"))) return;
  const now = await settings();
  const sub = await subscription(now.key, true);
  if (sub && now.endpoint !== sub.endpoint) await call("PUT", "/v1/push", { subscription: sub.toJSON(), notify: now.subscribed ? now.notify : "waiting", quiet: now.quiet, lang: lang() });
}

/**
 * Sends one, and waits for the worker to see it.
 * @param {number} patience milliseconds
 * @returns {Promise<boolean>} whether it came; the hub's refusal is thrown
 */
export async function test(patience) {
  const came = new Promise((resolve) => {
    const hear = (/** @type {MessageEvent} */ e) => { if (e.data?.pushed === "test") end(true); };
    const timer = setTimeout(() => end(false), patience);
    const end = (/** @type {boolean} */ yes) => {
      clearTimeout(timer);
      navigator.serviceWorker.removeEventListener("message", hear);
      resolve(yes);
    };
    navigator.serviceWorker.addEventListener("message", hear);
  });
  await call("POST", "/v1/push/test");
  return /** @type {Promise<boolean>} */ (came);
}
