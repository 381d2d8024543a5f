// The chain of proof, and who won. "Allowed" on a screen is a wish; "applied"
// is what the agent's own next step has shown.
import { h } from "../html.js";
import { icon } from "../icons.js";
import { automatic, step } from "../state.js";
import { store } from "../store.js";
import { ago, clock } from "../time.js";
import { has, t } from "../words.js";

const CHAIN = ["decided", "delivered", "applied"];

/** @param {string} via */
const door = (via) => (has(`via.${via}`) ? t(`via.${via}`) : via);

/** @param {Nod.Request} r */
function verdictKey(r) {
  const d = r.decision;
  if (d?.verdict === "allow") return "allowed";
  if (d?.verdict === "deny") return d.stop ? "stopped" : "denied";
  return "answered";
}

/**
 * "Allowed by you (web app), 4 s ago."
 * @param {Nod.Request} r
 * @param {boolean} mine
 */
export function settledWords(r, mine) {
  const d = r.decision, w = r.withdrawal;
  if (r.status === "decided" && d) {
    if (automatic(d)) return t(`auto.${d.via}.${verdictKey(r)}`, ago(d.at));
    const you = mine || (d.by === store.me?.name);
    return t(`settled.${verdictKey(r)}`, you ? t("who.you") : d.by, door(d.via), ago(d.at));
  }
  if (r.status === "withdrawn" && w) {
    const key = w.reason === "terminal" || w.reason === "host" ? `gone.terminal.${w.outcome ?? "answered"}` : `gone.${w.reason}`;
    return t(has(key) ? key : "gone.superseded", r.agent.host, ago(w.at));
  }
  return t("gone.expired");
}

/** @param {Nod.Request} r */
export function settledTone(r) {
  const s = step(r);
  if (s === "doubted" || s === "overruled") return "doubt";
  if (r.status !== "decided") return "plain";
  return r.decision?.verdict === "deny" ? "no" : "yes";
}

/**
 * decided → delivered → applied, each when it is proven.
 * @param {Nod.Request} r
 */
export function chain(r) {
  /** @type {Map<string, Nod.Receipt>} */
  const got = new Map((r.receipts ?? []).map((x) => [x.step, x]));
  const last = step(r);
  const bad = last === "doubted" || last === "overruled" ? last : "";
  return h("ol", { class: "chain", "aria-label": t("proof.title") }, CHAIN.map((name) => {
    const receipt = got.get(name);
    const wrong = name === "applied" && bad && !receipt;
    const word = wrong ? bad : name;
    return h("li", { class: receipt ? "done" : wrong ? "wrong" : "open", title: receipt ? clock(receipt.at) : undefined },
      icon(receipt ? "tick" : wrong ? "question" : "more", { size: 16 }),
      h("span", null, t(`step.${word}`)));
  }));
}

/**
 * The whole: a mark, a sentence, the chain; and where it went wrong, what to do.
 * @param {Nod.Request} r
 * @param {boolean} mine
 */
export function settledView(r, mine) {
  const tone = settledTone(r), s = step(r);
  return h("div", { class: `settled tone-${tone}` },
    h("p", { class: "settled-words" },
      icon({ doubt: "question", no: "cross", yes: "tick", plain: "more" }[tone] ?? "more"),
      h("span", null, settledWords(r, mine))),
    r.status === "decided" && chain(r),
    (s === "doubted" || s === "overruled") && h("p", { class: "settled-doubt" }, t(`proof.${s}.long`, r.agent.name, r.agent.host)));
}
