// Start-up: texts, the current user and the connection to the hub, all in parallel.
import { api } from "./js/api.js";
import { watchShifts } from "./js/guard.js";
import { trustedScript } from "./js/html.js";
import "./js/install.js";
import { keep } from "./js/key.js";
import { notice } from "./js/notice.js";
import { prefs, setPrefs } from "./js/prefs.js";
import { draw, start } from "./js/shell.js";
import { live, store } from "./js/store.js";
import { load, pick, t } from "./js/words.js";

async function speak() {
  const l = pick(prefs().lang, navigator.languages);
  await load(l);
  document.documentElement.lang = l;
  keep("lang", l).catch(() => {}); // for the service worker
  dispatchEvent(new CustomEvent("nod-spoken"));
}

async function meet() {
  try {
    store.setMe(await api.me());
    void heal();
    return true;
  } catch {
    return false; // not known, or not reachable: the line to the hub finds out which, and says so
  }
}

let healed = false;
/** Whether the hub still knows where to send notifications; once, and when nothing else is to do. */
async function heal() {
  if (healed || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  healed = true;
  await new Promise((r) => setTimeout(r, 3000));
  const push = await import("./js/settings/push.js");
  await push.heal().catch(() => { healed = false; }); // the settings say what is wrong
}

setPrefs({});
if (location.pathname !== "/pair") {
  live.start();
  let met = meet();
  store.on("link", async (link) => {
    if (link !== "live") return;
    const known = await met; // asked a moment ago; after a break it may have changed
    met = Promise.resolve(false);
    if (!known) void meet();
  });
}
await speak();
start();
watchShifts();
addEventListener("nod-language", async () => {
  await speak();
  draw();
});

if (navigator.serviceWorker) {
  const known = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.register(/** @type {any} */ (trustedScript("/sw.js")), { scope: "/" }).catch(() => {
    // Plain http on another machine: no worker, and everything but push works.
  });
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (!known) return; // the first visit
    if (document.hidden) location.reload();
    else notice(t("update.ready"), { stay: true, action: { text: t("update.reload"), act: () => location.reload() } });
  });
  navigator.serviceWorker.addEventListener("message", (e) => {
    if (e.data?.open && typeof e.data.open === "string") {
      history.pushState(null, "", e.data.open);
      draw();
    }
  });
}
