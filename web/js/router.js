// Addresses are the History API's. A screen is a module with a default
// function; it is loaded when it is first wanted.
import { go } from "./navigate.js";

/** @typedef {{path: string, load: () => Promise<{default: Nod.MakeScreen}>, tab?: string, beside?: string, bare?: boolean}} Route */

/**
 * The style of a screen, loaded with it: the first visit need not wait for what it does not show.
 * @param {string} name
 * @returns {Promise<void>}
 */
function style(name) {
  const href = new URL(`../css/${name}.css`, import.meta.url).href;
  if ([...document.styleSheets].some((s) => s.href === href)) return Promise.resolve();
  return new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = () => done(); // without its style a screen is plain, and works
    document.head.append(link);
  });
}

/**
 * @template T
 * @param {string} names
 * @param {Promise<T>} module
 */
const styled = async (names, module) => (await Promise.all([module, ...names.split(" ").map(style)]))[0];

/** @type {Route[]} */
export const routes = [
  { path: "/", load: () => import("./screens/inbox.js"), tab: "inbox" },
  { path: "/agents", load: () => import("./screens/agents.js"), tab: "agents" },
  { path: "/agents/:id", load: () => styled("chat voice", import("./screens/chat.js")), tab: "agents", beside: "/agents" },
  { path: "/history", load: () => styled("history", import("./screens/history.js")), tab: "history" },
  { path: "/settings", load: () => styled("settings", import("./screens/settings.js")), tab: "settings" },
  { path: "/keyboard", load: () => styled("settings keyboard", import("./screens/keyboard.js")), tab: "settings" },
  { path: "/device", load: () => styled("device", import("./screens/device.js")), tab: "settings" },
  { path: "/puck", load: () => styled("puck", import("./screens/puck.js")), tab: "settings" },
  { path: "/pair", load: () => import("./screens/pair.js"), bare: true },
];

/**
 * @param {string} path
 * @param {Route[]} [list]
 * @returns {{route: Route, params: Record<string, string>} | undefined}
 */
export function match(path, list = routes) {
  const have = path.split("/").filter(Boolean);
  for (const route of list) {
    const want = route.path.split("/").filter(Boolean);
    if (want.length !== have.length) continue;
    /** @type {Record<string, string>} */
    const params = {};
    const fits = want.every((w, i) => {
      if (!w.startsWith(":")) return w === have[i];
      params[w.slice(1)] = decode(have[i] ?? "");
      return true;
    });
    if (fits) return { route, params };
  }
  return undefined;
}

/** @param {string} s */
function decode(s) {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
}

/**
 * Follows links of our own without loading the page again.
 * @param {() => void} changed
 */
export function follow(changed) {
  addEventListener("popstate", changed);
  addEventListener("nod-route", changed);
  document.addEventListener("click", (e) => {
    const a = e.target instanceof Element ? e.target.closest("a") : null;
    if (!a || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (a.target || a.hasAttribute("download") || a.origin !== location.origin || !match(a.pathname)) return;
    e.preventDefault();
    go(a.pathname + a.search);
  });
}
