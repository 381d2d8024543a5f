// What is always there: the sign, the way to every screen, the red button, and
// the word when the hub cannot be reached.
import { fill, h, say } from "./html.js";
import { moved } from "./guard.js";
import { icon } from "./icons.js";
import { keys } from "./keys.js";
import { stopEverything } from "./elements/stop.js";
import { watchProof } from "./decide.js";
import { announce } from "./notice.js";
import { go } from "./navigate.js";
import { follow, match } from "./router.js";
import { waiting } from "./state.js";
import { live, store } from "./store.js";
import { relative } from "./time.js";
import { t } from "./words.js";

const TABS = [["inbox", "/"], ["agents", "/agents"], ["history", "/history"], ["settings", "/settings"]];
const PATIENCE = 1500; // a short break is none

/** @type {Nod.Screen | undefined} */
let screen;
/** @type {Nod.Screen | undefined} */
let beside;
let besidePath = "";
let turn = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let bannerTimer;

const outlet = h("div", { class: "outlet" });
const aside = h("div", { class: "beside", hidden: true });
const banner = h("div", { class: "banner", role: "alert", hidden: true });
const main = h("main", { id: "main", tabindex: -1 }, aside, outlet);
const frame = h("div", { class: "app" });

/** Draws everything: at the start, and again in another language. */
export function draw() {
  const tab = (/** @type {string[]} */ [name, path]) =>
    h("a", { class: "tab", href: path, "data-tab": name }, icon(name ?? ""), h("span", null, t(`nav.${name}`)), name === "inbox" && h("b", { class: "count", hidden: true }));
  fill(frame,
    h("a", { class: "skip", href: "#main", onclick: (/** @type {Event} */ e) => { e.preventDefault(); main.focus(); } }, t("skip")),
    h("header", { class: "top" },
      h("a", { class: "brand", href: "/", "aria-label": `nod, ${t("nav.inbox")}` }, h("i", { class: "sign" }), h("span", null, "nod")),
      h("span", { class: "demo", hidden: true, title: t("demo.text") }, t("demo"), h("span", { class: "demo-more" }, t("demo.text"))),
      h("h1", { class: "top-title" }),
      h("button", { type: "button", class: "stop", onclick: stopEverything }, icon("stop"), h("span", null, t("stop.short")))),
    h("nav", { class: "tabs", "aria-label": t("nav.label") }, TABS.map(tab)),
    h("div", { class: "stage" }, banner, main));
  if (!frame.isConnected) fill(document.body, frame);
  screen?.leave?.();
  screen = undefined;
  beside?.leave?.();
  beside = undefined;
  besidePath = "";
  showMe(store.me);
  showLink(store.link);
  void show();
}

export function start() {
  draw();
  follow(() => void show());
  keys((key) => screen?.key?.(key) ?? false);
  store.on("state", update);
  store.on("me", showMe);
  store.on("event", (e) => { screen?.event?.(e); beside?.event?.(e); if (e.kind === "request.raised") nods(); });
  store.on("link", showLink);
  setInterval(() => { if (!banner.hidden) words(); }, 2000);
}

/** Shows the screen of the address. */
async function show() {
  const mine = ++turn;
  const found = match(location.pathname);
  if (!found) {
    go("/", { replace: true });
    return;
  }
  const { route, params } = found;
  const [module, side] = await Promise.all([route.load(), route.beside ? match(route.beside)?.route.load() : undefined]);
  if (mine !== turn) return; // the person has navigated elsewhere meanwhile
  screen?.leave?.();
  screen = module.default(params);
  frame.classList.toggle("bare", route.bare === true);
  if (besidePath !== (route.beside ?? "")) {
    beside?.leave?.();
    besidePath = route.beside ?? "";
    beside = side?.default({});
    fill(aside, beside?.element);
    aside.hidden = !beside;
  }
  fill(outlet, screen.element);
  main.scrollTo({ top: 0 });
  for (const a of frame.querySelectorAll(".tab")) {
    if (a instanceof HTMLElement && a.dataset.tab === route.tab) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  moved();
  update(store.state);
}

/** @param {Nod.State} state */
function update(state) {
  screen?.update?.(state);
  beside?.update?.(state);
  watchProof(state);
  const n = waiting(state).length;
  const count = frame.querySelector(".count");
  if (count instanceof HTMLElement) {
    count.hidden = n === 0;
    say(count, String(n));
    count.setAttribute("aria-label", t("inbox.waitingcount", n));
  }
  const working = [...state.agents.values()].some((a) => a.state === "working");
  mood(n ? "waiting" : working ? "working" : "quiet");
  const title = screen?.title ?? "nod";
  const head = frame.querySelector(".top-title");
  if (head) say(head, title);
  document.title = `${n ? `(${n}) ` : ""}${title} · nod`;
  void /** @type {any} */ (navigator).setAppBadge?.(n).catch(() => {});
}

/** @param {string} m */
function mood(m) {
  document.documentElement.dataset.mood = store.link === "waiting" ? "lost" : m;
}

function nods() {
  const sign = frame.querySelector(".brand .sign");
  sign?.classList.remove("nods");
  requestAnimationFrame(() => sign?.classList.add("nods"));
}

/** @param {Nod.Me | undefined} me */
function showMe(me) {
  const demo = frame.querySelector(".demo");
  if (demo instanceof HTMLElement) demo.hidden = !me?.demo;
  update(store.state);
}

/** @param {Nod.Link} link */
function showLink(link) {
  clearTimeout(bannerTimer);
  if (link === "signedout") {
    announce("");
    if (location.pathname !== "/pair") go("/pair", { replace: true });
    return;
  }
  if (link === "waiting") {
    bannerTimer = setTimeout(() => {
      banner.hidden = false;
      frame.classList.add("is-lost");
      words();
      update(store.state);
      moved();
    }, PATIENCE);
    return;
  }
  if (!banner.hidden) moved();
  banner.hidden = true;
  frame.classList.remove("is-lost");
  update(store.state);
}

/** What happened, what it means, what to do. */
function words() {
  const known = store.goodAt ? t("offline.asof", relative(store.goodAt - Date.now())) : "";
  const text = navigator.onLine ? t("offline.hub", location.host) : t("offline.device");
  const sign = `${text} ${known}`;
  if (banner.dataset.sign === sign) return;
  banner.dataset.sign = sign;
  fill(banner, icon("broken"), h("p", null, h("strong", null, text), " ", known, " ", t("offline.means")),
    h("button", { type: "button", class: "plain", onclick: () => live.hurry() }, t("offline.retry")));
}
