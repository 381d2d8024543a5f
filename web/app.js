// The beginning: words, who we are, and the line to the hub, all at once.
import { api } from "./js/api.js";
import { watchShifts } from "./js/guard.js";
import { trustedScript } from "./js/html.js";
import { notice } from "./js/notice.js";
import { prefs, setPrefs } from "./js/prefs.js";
import { draw, start } from "./js/shell.js";
import { live, store } from "./js/store.js";
import { load, pick, t } from "./js/words.js";

async function speak() {
  const l = pick(prefs().lang, navigator.languages);
  await load(l);
  document.documentElement.lang = l;
}

async function meet() {
  try {
    store.setMe(await api.me());
  } catch {
    // Not known, or not reachable: the line to the hub finds out which, and says so.
  }
}

setPrefs({});
if (location.pathname !== "/pair") {
  live.start();
  void meet();
  store.on("link", (link) => { if (link === "live") void meet(); });
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
