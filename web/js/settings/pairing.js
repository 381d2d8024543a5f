// One more device: a code that is good once, for two minutes.
import { call } from "../api.js";
import { segments, sheet } from "../elements/dialog.js";
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { announce, explain } from "../notice.js";
import { t } from "../words.js";
import { now } from "../time.js";
import "../elements/clock.js";
import { onlyHere, qr } from "./qr.js";
import { button, copy, withCode } from "./section.js";

/** @typedef {{id: string, name: string, rights: string, room?: string, created_at: string, expires_at?: string, used_at?: string}} Token */
/** @typedef {{code: string, link: string, expires_at: string, qr: string[]}} Pairing */

const LOOK = 2000;

/** Codes that still wait, by their rights: the hub keeps only a few, so none is made for nothing. @type {Map<string, Pairing>} */
const waiting = new Map();

/** @param {string} rights @param {boolean} renew @returns {Promise<Pairing>} */
async function codeFor(rights, renew) {
  const old = waiting.get(rights);
  if (old && !renew && Date.parse(old.expires_at) - now() > 20_000) return old;
  const p = await call("POST", "/v1/pairings", { rights });
  waiting.set(rights, p);
  return p;
}

/** @returns {Promise<Token[]>} */
export const tokens = async () => (await call("GET", "/v1/tokens")).tokens;

/** @param {() => void} arrived called when a device has come */
export function addDevice(arrived) {
  let rights = "view,answer";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let turn = 0;
  const body = h("div", { class: "stack pairing" });
  const choice = segments(t("pairing.rights"), [["view", t("pairing.view")], ["view,answer", t("pairing.answer")], ["view,answer,admin", t("pairing.admin")]], rights, (v) => { rights = String(v); void fresh(); });
  sheet(t("devices.add"), [choice, body], { class: "pairing-sheet", closed: () => { turn++; clearTimeout(timer); } });
  void fresh();

  async function fresh(renew = false) {
    const mine = ++turn;
    clearTimeout(timer);
    try {
      const before = new Set((await tokens()).map((x) => x.id));
      const p = await codeFor(rights, renew);
      if (mine !== turn) return;
      fill(body, code(p));
      const watch = async () => {
        const came = (await tokens().catch(() => /** @type {Token[]} */ ([]))).find((x) => !before.has(x.id));
        if (mine !== turn) return;
        if (came) welcome(came);
        else if (Date.parse(p.expires_at) <= now()) late();
        else timer = setTimeout(watch, LOOK);
      };
      timer = setTimeout(watch, LOOK);
    } catch (e) {
      if (mine === turn) fill(body, h("p", { class: "problem", role: "alert" }, /** @type {any} */ (e)?.code === "unavailable" ? t("pairing.full") : explain(e)), button(t("pairing.again"), () => void fresh()));
    }
  }

  /** @param {Pairing} p */
  function code(p) {
    const link = h("code", { class: "pairing-link" }, p.link);
    return [
      onlyHere(p.link) && h("p", { class: "standing standing-insecure" }, icon("unlocked", { size: 22 }), h("span", null, withCode(t("pairing.onlyhere")))),
      qr(p.qr, t("pairing.qr")),
      h("p", { class: "pairing-how" }, t("pairing.how")),
      h("p", { class: "pairing-left" }, h("nod-time", { "data-until": p.expires_at, role: "timer" })),
      link,
      h("div", { class: "acts" }, button(t("pairing.copy"), () => void copy(p.link, link)), button(t("pairing.new"), () => void fresh(true), "plain")),
    ];
  }

  function late() {
    fill(body, h("p", { class: "hint" }, icon("hourglass", { size: 20 }), t("pairing.late")), button(t("pairing.new"), () => void fresh(true), "primary"));
    announce(t("pairing.late"));
  }

  /** @param {Token} device */
  function welcome(device) {
    waiting.clear(); // one of them is used up, and the hub does not say which
    fill(body, h("p", { class: "arrived tone-yes", role: "status" }, icon("tick", { size: 28 }), h("strong", null, t("pairing.arrived", device.name))), button(t("pairing.another"), () => void fresh()));
    arrived();
  }
}
