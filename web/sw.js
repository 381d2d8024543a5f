// The page from the cache, the hub from the network, and notifications that can
// be answered. The hub writes the version and the list of files in.
const VERSION = "@version";
const FILES = /*@files*/ [];

const SHELL = `nod-${VERSION}`;
const PAGES = [/^\/$/, /^\/agents(\/[^/]+)?$/, /^\/history$/, /^\/settings$/, /^\/device$/, /^\/keyboard$/, /^\/puck$/, /^\/pair$/];

self.addEventListener("install", (e) => {
  e.waitUntil(caches.open(SHELL).then((c) => c.addAll(["/", ...FILES].map((u) => new Request(u, { cache: "no-cache" })))).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (e) => {
  e.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("nod-") && name !== SHELL) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (e) => {
  const url = new URL(e.request.url);
  if (VERSION === "dev" || e.request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/v1/")) return;
  if (e.request.mode === "navigate") {
    if (PAGES.some((p) => p.test(url.pathname))) e.respondWith(cached("/", e.request));
  } else if (url.pathname.startsWith("/app/")) e.respondWith(cached(url.pathname, e.request));
});

/** @param {string} key @param {Request} request */
async function cached(key, request) {
  return (await (await caches.open(SHELL)).match(key)) ?? fetch(request);
}

/** The language that was chosen in the page, or the browser's. */
async function language() {
  return [await kept("lang"), ...(self.navigator.languages ?? [])].map((l) => String(l).slice(0, 2)).find((l) => ["en", "pl", "ja"].includes(l)) ?? "en";
}

/** The texts. Read each time: a worker may outlive a choice of language. */
async function catalogue() {
  try {
    const path = `/app/words/${await language()}.json`;
    return await (await cached(path, new Request(path))).json();
  } catch {
    return {};
  }
}

/** @param {string} key @param {string} spare @param {...string} args */
async function word(key, spare, ...args) {
  const text = (await catalogue())[key];
  let next = 0;
  return (typeof text === "string" ? text : spare).replace(/%(?:\[(\d+)\])?s/g, (_, n) => {
    if (n) next = Number(n) - 1;
    return args[next++] ?? "";
  });
}

self.addEventListener("push", (e) => e.waitUntil(pushed(e.data)));

/** Always shows something: a browser that is pushed to in silence takes the right away. */
async function pushed(data) {
  let m;
  try {
    m = data.json();
  } catch {
    m = {};
  }
  if (m.type === "settled") {
    // In its place, quietly, and gone after a moment: to take it away unseen costs the right to push.
    await show(m.id, m.title ?? "nod", m.body ?? "", { silent: true });
    await new Promise((r) => setTimeout(r, 4000));
    for (const n of await self.registration.getNotifications({ tag: m.id })) n.close();
    return;
  }
  if (m.type === "test") for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage({ pushed: "test" });
  const buttons = Array.isArray(m.buttons) ? m.buttons : [];
  const actions = m.one_tap ? [{ action: "allow", title: await word("act.allow", "Allow") }, { action: "deny", title: await word("act.deny", "Deny") }]
    : buttons.map((b, i) => ({ action: `button-${i}`, title: b.label }));
  await show(m.id ?? "nod", m.title ?? "nod", m.body ?? (await word("push.open", "Something waits for you.")), {
    actions, requireInteraction: m.type === "request", renotify: m.type === "request" && !!m.id,
    data: { id: m.type === "request" ? m.id : "", agent: m.agent ?? "", buttons, said: crypto.randomUUID() },
  });
}

/** @param {string} tag @param {string} title @param {string} body @param {object} [more] */
const show = (tag, title, body, more = {}) =>
  self.registration.showNotification(title, { tag, body, icon: `/app/${VERSION}/icons/192.png`, badge: `/app/${VERSION}/icons/badge.png`, ...more });

self.addEventListener("notificationclick", (e) => {
  const n = e.notification;
  const id = n.data?.id ?? "";
  const button = n.data?.buttons?.[Number(/^button-(\d)$/.exec(e.action)?.[1] ?? -1)];
  n.close();
  if (id && (e.action === "allow" || e.action === "deny")) e.waitUntil(answer(id, { verdict: e.action }, n.title));
  else if (id && button?.answer) e.waitUntil(answer(id, button.answer, n.title));
  else if (button?.say) e.waitUntil(say(n.data.agent, button.say, n.data.said, n.title));
  else e.waitUntil(open(id ? `/?request=${encodeURIComponent(id)}` : n.data?.agent ? `/agents/${encodeURIComponent(n.data.agent)}` : "/"));
});

/** Once, and never later: if it does not arrive now, the person sees that nothing was sent. */
async function answer(id, decision, title) {
  let response;
  try {
    response = await post(`/v1/requests/${encodeURIComponent(id)}/decision`, decision);
  } catch {
    return show(id, title, await word("push.failed", "Not sent: the hub does not answer. Nothing was decided. Tap to open."), { data: { id } });
  }
  if (response.ok) return undefined;
  const told = await response.json().catch(() => ({}));
  const d = told.request?.decision;
  const body = response.status === 409 && d
    ? await word(`push.${d.verdict === "deny" ? "denied" : d.verdict === "allow" ? "allowed" : "answered"}`, "Already settled by %s.", d.by)
    : response.status === 409 ? await word("push.gone", "No answer is needed any more.")
      : await word("push.refused", "Not sent: %s Tap to open.", told.error?.message ?? "");
  return show(id, title, body, { data: { id } });
}

/** @param {string} path @param {object} body */
const post = async (path, body) => fetch(path, {
  method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", "Nod-Via": "push", "Nod-Key": await kept("key") },
  body: JSON.stringify(body), signal: AbortSignal.timeout(10_000),
});

/** Words for an agent. The id is the notification's: a second press says nothing twice. */
async function say(agent, text, id, title) {
  const tag = `agent:${agent}`;
  let response;
  try {
    response = await post(`/v1/agents/${encodeURIComponent(agent)}/turns`, { id, text });
  } catch {
    return show(tag, title, await word("push.failed", "Not sent: the hub does not answer. Nothing was decided. Tap to open."), { data: { agent } });
  }
  if (response.ok) return undefined;
  const told = await response.json().catch(() => ({}));
  return show(tag, title, await word("push.refused", "Not sent: %s Tap to open.", told.error?.message ?? ""), { data: { agent } });
}

/** @param {string} path */
async function open(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) {
    if (new URL(page.url).origin !== location.origin) continue;
    await page.focus();
    page.postMessage({ open: path });
    return;
  }
  await self.clients.openWindow(path);
}

// The browser has another subscription for us: the hub must write to that one.
self.addEventListener("pushsubscriptionchange", (e) => e.waitUntil(renew(e.newSubscription).catch(() => {}))); // the page tries again when it opens

/** @param {PushSubscription | null | undefined} given */
async function renew(given) {
  if (!(await kept("push"))) return; // notifications are off
  const headers = { "Nod-Via": "push", "Nod-Key": await kept("key") };
  const now = await (await fetch("/v1/push", { headers, credentials: "same-origin", cache: "no-store" })).json();
  const key = Uint8Array.from(atob(now.key.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const sub = given ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await fetch("/v1/push", {
    method: "PUT", credentials: "same-origin", headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ subscription: sub.toJSON(), notify: now.subscribed ? now.notify : "waiting", quiet: now.quiet, lang: await language() }),
  });
}

// What js/key.js keeps: this browser's half of the token, the language, whether notifications are wanted.
/** @param {string} name @returns {Promise<any>} */
function kept(name) {
  return new Promise((resolve) => {
    const open = indexedDB.open("nod", 1);
    open.onupgradeneeded = () => open.result.createObjectStore("keep");
    open.onerror = () => resolve("");
    open.onsuccess = () => {
      const got = open.result.transaction("keep").objectStore("keep").get(name);
      got.onerror = () => resolve("");
      got.onsuccess = () => { open.result.close(); resolve(got.result ?? ""); };
    };
  });
}
