// Who one speaks with: name, state, where; and what can be done with it.
import { call } from "../api.js";
import { fill, h, say } from "../html.js";
import { sheet } from "../elements/dialog.js";
import { awayLine, place } from "../elements/badge.js";
import { stateWords, talkWords, used } from "../elements/agent-row.js";
import { stopSheet } from "../elements/stop.js";
import { icon, stateShape } from "../icons.js";
import { explain, notice } from "../notice.js";
import { away, elsewhere } from "../state.js";
import { store } from "../store.js";
import { endPart } from "../talk/end.js";
import { ago, clock, now, span } from "../time.js";
import { has, t } from "../words.js";
import { canSpeak } from "./voice.js";

/** @param {Nod.Agent} a */
const mode = (a) => (a.mode ? (has(`mode.${a.mode}`) ? t(`mode.${a.mode}`) : a.mode) : "");

export class Head {
  /**
   * @param {string} id
   * @param {import("./voice.js").Mouth} mouth
   */
  constructor(id, mouth) {
    this.id = id;
    this.mouth = mouth;
    this.shape = h("span", { class: "agent-shape" });
    this.name = h("strong", { class: "chat-name" });
    this.line = h("span", { class: "chat-line" });
    this.where = h("span", { class: "chat-where" });
    this.who = h("button", { type: "button", class: "plain chat-who", "aria-haspopup": "dialog", onclick: () => this.about() }, this.shape, h("span", { class: "chat-words" }, this.name, this.line));
    this.aloud = h("button", { type: "button", class: "plain round", "aria-pressed": "false", hidden: !canSpeak, onclick: () => { mouth.set(!mouth.on); this.showAloud(); } });
    this.stop = h("button", { type: "button", class: "plain round chat-stop", hidden: true, onclick: () => { const a = this.agent; if (a) stopSheet(a); } }, icon("halt"));
    this.element = h("header", { class: "chat-head" },
      h("a", { class: "button plain round chat-back", href: "/agents", "aria-label": t("chat.back") }, icon("back")),
      this.who, this.aloud, this.stop);
    this.gone = h("p", { class: "chat-away", hidden: true });
    this.showAloud();
  }

  get agent() { return store.state.agents.get(this.id); }

  showAloud() {
    const on = this.mouth.on;
    this.aloud.setAttribute("aria-pressed", String(on));
    this.aloud.setAttribute("aria-label", t("chat.aloud"));
    this.aloud.title = t(on ? "chat.aloud.on" : "chat.aloud.off");
    fill(this.aloud, icon(on ? "aloud" : "silent"));
  }

  /** @param {Nod.Agent | undefined} a */
  update(a) {
    this.who.disabled = !a;
    if (a) awayLine(this.gone, a);
    this.stop.hidden = !a || (a.state !== "working" && a.state !== "waiting");
    if (!a) {
      say(this.name, store.state.seq ? t("chat.unknown.name") : "…");
      fill(this.line);
      this.element.dataset.state = "idle";
      fill(this.shape, stateShape("idle"));
      return;
    }
    const look = a.stopping ? "error" : a.state;
    say(this.name, a.name);
    this.stop.setAttribute("aria-label", t("agents.stop", a.name));
    this.stop.title = t("agents.stop", a.name);
    if (this.element.dataset.state !== look) {
      this.element.dataset.state = look;
      fill(this.shape, stateShape(look));
    }
    const demo = store.me?.demo === true;
    const sign = `${stateWords(a)}|${demo}`;
    if (this.line.dataset.sign !== sign) {
      this.line.dataset.sign = sign;
      fill(this.line, h("span", { class: `state-word state-${look}` }, stateWords(a)), demo && " · ", demo && h("span", { class: "chat-demo" }, t("demo")), this.where);
    }
    place(this.where, a, [elsewhere(a), ...talkWords(a)], [a.model, mode(a), used(a) ? t("agents.context", used(a)) : ""]);
    this.who.title = t("chat.about", a.name);
  }

  /** Everything that is known about it. */
  about() {
    const a = this.agent;
    if (!a) return;
    const gone = away(store.state, a.id);
    /** @type {[string, string, boolean?][]} */
    const rows = [
      ["state", `${stateWords(a)}, ${ago(a.since)}`], ["host", gone ? `${a.host} · ${t("host.away", span(now() - Date.parse(gone.since)))}` : a.host], ["folder", a.cwd, true], ["model", a.model ?? ""],
      ["mode", mode(a)], ["prompt", a.prompt ?? ""],
      ["context", a.context?.window && used(a) ? `${used(a)}% (${Math.round(a.context.tokens / 1000)} k / ${Math.round(a.context.window / 1000)} k)` : ""],
      ["subagents", (a.subagents ?? []).map((s) => s.type ?? s.id).join(", ")], ["started", clock(a.started_at)], ["problem", a.problem ?? ""],
    ];
    const dialog = sheet(a.name, [
      h("dl", { class: "about" }, rows.filter(([, v]) => v).flatMap(([k, v, mono]) => [h("dt", null, t(`chat.about.${k}`)), h("dd", { class: mono ? "mono" : "" }, v)])),
      keys(a, () => dialog.close()),
      endPart(a, () => dialog.close()),
    ]);
  }
}

/**
 * The keys of its terminal, where nod can press them.
 * @param {Nod.Agent} a
 * @param {() => void} close
 */
function keys(a, close) {
  const there = /** @type {const} */ (["mode", "background"]).filter((key) => a.can?.includes(key) && store.may("answer"));
  return there.length > 0 && h("div", { class: `sheet-acts ${there.length > 1 ? "two" : ""}`, "data-acts": true }, there.map((key) =>
    h("button", { type: "button", title: t(`press.${key}.how`), onclick: () => { close(); void press(a.id, key); } }, t(`press.${key}`))));
}

/** What came of it is seen in the mode, or said in the conversation. @param {string} id @param {string} key */
async function press(id, key) {
  if (store.link !== "live") {
    notice(t("offline.refused"), { kind: "bad" });
    return;
  }
  try {
    await call("POST", `/v1/agents/${encodeURIComponent(id)}/keys`, { key });
    notice(t("press.sent"), { kind: "good" });
  } catch (e) {
    notice(explain(e), { kind: "bad", stay: true });
  }
}
