// Notifications of this device. Permission is only ever asked for by a tap.
import { segments } from "../elements/dialog.js";
import { fill, h, say } from "../html.js";
import { icon } from "../icons.js";
import { explain, notice } from "../notice.js";
import { t } from "../words.js";
import { change, here, settings, test, turnOff, turnOn, zone } from "./push.js";
import { attempt, button, section, withCode } from "./section.js";

const ARRIVES = 12_000;

export function notifications() {
  const body = h("div", { class: "stack", "aria-busy": "true" });
  /** @type {import("./push.js").Settings | undefined} */
  let now;
  const draw = () => {
    const s = here(now?.subscribed ?? false);
    fill(body, state(s === "on" && now?.notify === "none" ? "paused" : s), now && controls(s, now, (next) => { now = next; draw(); }));
    body.removeAttribute("aria-busy");
  };
  draw();
  settings().then((got) => { now = got; draw(); }, (e) => fill(body, h("p", { class: "problem", role: "alert" }, explain(e))));
  return section("notifications", t("notify.title"), body);
}

/** @param {import("./push.js").Standing | "paused"} s */
function state(s) {
  const shape = { on: "bell", off: "belloff", paused: "belloff", ask: "belloff", blocked: "cross", insecure: "unlocked", homescreen: "share", incapable: "belloff" }[s];
  return h("div", { class: `standing standing-${s}` }, icon(shape, { size: 22 }), h("div", null,
    h("strong", null, t(`notify.${s}`)), h("p", null, withCode(t(`notify.${s}.text`))),
    s === "insecure" && h("a", { class: "button", href: "/trust" }, t("notify.trust"))));
}

/**
 * @param {import("./push.js").Standing} s
 * @param {import("./push.js").Settings} now
 * @param {(next: import("./push.js").Settings) => void} done
 * @returns {import("../html.js").Child}
 */
function controls(s, now, done) {
  if (s === "ask" || s === "off") {
    const on = button(t("notify.turnon"), async () => {
      say(on, t("notify.turning"));
      const next = await attempt(on, () => subscribe(now));
      done(next ?? now);
    }, "primary");
    return on;
  }
  if (s !== "on") return undefined;
  const set = async (/** @type {Parameters<typeof change>[1]} */ c) => {
    const next = await attempt(null, () => change(now, c));
    done(next ?? now);
  };
  return [
    now.problem && h("p", { class: "problem" }, now.problem),
    segments(t("notify.what"), [["all", t("notify.all")], ["waiting", t("notify.waiting")], ["none", t("notify.none")]], now.notify, (v) => void set({ notify: /** @type {any} */ (v) })),
    now.notify !== "none" && h("p", { class: "hint" }, t(`notify.${now.notify}.text`)),
    quietHours(now, set),
    h("div", { class: "acts" }, tryIt(), off(done, now)),
  ];
}

/** @param {import("./push.js").Settings} now @returns {Promise<import("./push.js").Settings>} */
async function subscribe(now) {
  let next;
  try {
    next = await turnOn(now);
  } catch (e) {
    // What a browser says here is not for people: no push service, a private window, no worker.
    if (e instanceof DOMException || e instanceof TypeError) throw Object.assign(new Error(t("notify.failed")), { code: "push" });
    throw e;
  }
  if (next !== "refused") return next;
  notice(t(Notification.permission === "denied" ? "notify.blocked" : "notify.notgiven"), { kind: "doubt" });
  return now;
}

/**
 * @param {import("./push.js").Settings} now
 * @param {(c: {quiet: import("./push.js").Quiet | null}) => void} set
 */
function quietHours(now, set) {
  const q = now.quiet;
  const time = (/** @type {string} */ label, /** @type {string} */ value) => {
    const el = h("input", { type: "time", value, required: true, "aria-label": label });
    el.addEventListener("change", () => { if (from.value && to.value) set({ quiet: { from: from.value, to: to.value, zone: zone() } }); });
    return el;
  };
  const from = time(t("quiethours.from"), q?.from ?? "22:00"), to = time(t("quiethours.to"), q?.to ?? "07:00");
  const on = h("input", { type: "checkbox", role: "switch", checked: q !== undefined, onchange: () => set({ quiet: on.checked ? { from: from.value || "22:00", to: to.value || "07:00", zone: zone() } : null }) });
  return h("div", { class: "quiethours" },
    h("label", { class: "switch" }, h("span", { class: "choice-text" }, h("span", null, t("quiethours.title")), h("small", null, t("quiethours.text"))), on),
    q && h("div", { class: "hours" }, h("label", null, h("span", null, t("quiethours.from")), from), h("label", null, h("span", null, t("quiethours.to")), to), h("small", null, q.zone)));
}

function tryIt() {
  const said = h("p", { class: "test-said", role: "status" });
  const el = button(t("notify.test"), async () => {
    fill(said, t("notify.testing"));
    el.disabled = true;
    try {
      const came = await test(ARRIVES);
      fill(said, icon(came ? "tick" : "question", { size: 18 }), t(came ? "notify.arrived" : "notify.notarrived"));
    } catch (e) {
      fill(said, icon("cross", { size: 18 }), explain(e));
    }
    el.disabled = false;
  });
  return [el, said];
}

/**
 * @param {(next: import("./push.js").Settings) => void} done
 * @param {import("./push.js").Settings} now
 */
function off(done, now) {
  const el = button(t("notify.turnoff"), async () => {
    const ok = await attempt(el, async () => { await turnOff(); return true; });
    if (!ok) return;
    notice(t("notify.isoff"), { kind: "good" });
    done({ ...now, subscribed: false, endpoint: undefined, notify: "none" });
  }, "plain danger-text");
  return el;
}
