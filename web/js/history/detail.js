// One decision in full: what was asked, how it ended, and every receipt.
import { askWords, partView, prefetch } from "../elements/card.js";
import { chain, settledWords } from "../elements/proof.js";
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { elsewhere, step } from "../state.js";
import { lang, has, t } from "../words.js";
import "../elements/badge.js";
import { autoMark, door, ending, isAutomatic } from "./verdict.js";

/** @type {Map<string, Intl.DateTimeFormat>} */
const exact = new Map();

/** To the second: this is where people compare. With the day, unless it is that of another time. @param {string} at @param {string} [besides] */
function moment(at, besides) {
  const day = besides && new Date(at).toDateString() === new Date(besides).toDateString() ? undefined : /** @type {const} */ ("medium");
  const key = `${lang()}${day ?? ""}`;
  const f = exact.get(key) ?? new Intl.DateTimeFormat(lang(), { dateStyle: day, timeStyle: "medium" });
  exact.set(key, f);
  return f.format(new Date(at)).replace(/[\u00a0\u2009\u202f]/g, " ");
}

/** @param {Nod.Request} r */
export function detail(r) {
  const badge = h("nod-badge");
  badge.risk = r.risk;
  const parts = h("div", { class: "card-parts" }, r.display && h("pre", { class: "part part-text" }, r.display));
  void prefetch(r.id).then((list) => {
    if (list.length) fill(parts, list.map(partView));
  });
  const who = r.agent.subagent?.type ? `${r.agent.name} › ${r.agent.subagent.type}` : r.agent.name;
  return h("article", { class: "past-card", "data-request": r.id, tabindex: -1, "aria-label": r.title },
    h("header", { class: "card-head" },
      h("a", { class: "card-who", href: `/agents/${encodeURIComponent(r.agent.id)}` }, h("strong", null, who), h("span", null, [elsewhere(r.agent), r.agent.host].filter(Boolean).join(" · "))),
      h("time", { class: "card-when", datetime: r.asked_at }, moment(r.asked_at))),
    h("div", { class: "card-title" }, h("h2", { class: "card-ask" }, askWords(r)), r.kind === "approval" && badge),
    outcome(r),
    h("div", { class: "card-body" }, parts),
    answered(r),
    receipts(r));
}

/** @param {Nod.Request} r */
function outcome(r) {
  const e = ending(r), s = step(r);
  return h("div", { class: `outcome settled tone-${e.tone}` },
    h("p", { class: "settled-words" }, icon(e.shape), h("span", null, settledWords(r, false))),
    isAutomatic(r) && autoMark(),
    r.status === "decided" && chain(r),
    (s === "doubted" || s === "overruled") && h("p", { class: "settled-doubt" }, t(`proof.${s}.long`, r.agent.name, r.agent.host)));
}

/** What the answer said beyond yes and no. @param {Nod.Request} r */
function answered(r) {
  const d = r.decision;
  if (!d) return undefined;
  /** @type {[string, Node | string][]} */
  const list = [];
  for (const [question, a] of Object.entries(d.answers ?? {})) list.push([question, [...(a.picked ?? []), a.text, a.notes].filter(Boolean).join("; ")]);
  if (d.message) list.push([t("history.message"), d.message]);
  if (d.input !== undefined) list.push([t("history.edited"), h("pre", { class: "edited" }, typeof d.input === "string" ? d.input : JSON.stringify(d.input, null, 2))]);
  const rule = d.remember && r.options?.find((o) => o.id === String(d.remember));
  if (d.remember) list.push([t("history.remembered"), h("code", { class: "rule" }, rule ? rule.label : String(d.remember))]);
  if (d.lease) list.push([t("history.leased"), t("history.leaseterms", d.lease.minutes, d.lease.times || 30)]);
  if (d.mode) list.push([t("plan.mode"), has(`mode.${d.mode}`) ? t(`mode.${d.mode}`) : d.mode]);
  if (d.under) list.push([t("history.under"), h("code", { class: "rule" }, d.under)]);
  if (!list.length) return undefined;
  return h("dl", { class: "said" }, list.flatMap(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
}

/** Each step with who confirmed it, when, and by what. @param {Nod.Request} r */
function receipts(r) {
  const list = r.receipts ?? [];
  return h("details", { class: "receipts", open: list.length > 0 && list.length <= 8 },
    h("summary", null, icon("next", { size: 18 }), t("history.receipts", list.length)),
    h("ol", null, list.map((x) => h("li", { class: `receipt receipt-${x.step}` },
      h("span", { class: "receipt-step" }, t(has(`receipt.${x.step}`) ? `receipt.${x.step}` : "receipt.other", x.step)),
      h("span", { class: "receipt-by" }, [x.by, x.via && door(x.via)].filter(Boolean).join(", "), x.proof && h("code", null, x.proof)),
      h("time", { datetime: x.at }, moment(x.at, r.asked_at))))),
    h("p", { class: "receipt-id" }, h("code", null, r.id)));
}
