// A new conversation with an assistant of the hub: who, and under which name.
import { api } from "../api.js";
import { sheet } from "../elements/dialog.js";
import { guarded } from "../guard.js";
import { h } from "../html.js";
import { icon } from "../icons.js";
import { explain, notice } from "../notice.js";
import { go } from "../navigate.js";
import { store } from "../store.js";
import { t } from "../words.js";

/** Chosen here and not by the hub: what is sent again after a broken connection opens nothing twice. */
const freshID = () => `c-${[...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("")}`;

export async function newConversation() {
  if (store.link !== "live") {
    notice(t("offline.refused"), { kind: "bad" });
    return;
  }
  try {
    const list = await api.assistants();
    if (list.length) ask(list);
    else notice(t("talk.gone"), { kind: "bad", stay: true });
  } catch (e) {
    notice(explain(e), { kind: "bad" });
  }
}

/** @param {Nod.Assistant[]} list */
function ask(list) {
  const id = freshID();
  let who = list[0]?.name ?? "";
  const name = h("input", { type: "text", maxlength: 100, autocomplete: "off", autofocus: list.length === 1 });
  const problem = h("p", { class: "problem", role: "alert" });
  const send = h("button", { type: "button", class: "primary", onclick: guarded(() => void start()) }, t("open.start"));
  const speak = h("button", { type: "button", onclick: guarded(() => void start("?voice")) }, icon("voice", { size: 20 }), t("voice.open"));
  const dialog = sheet(t("agents.open"), [
    list.length > 1 ? choices(list, (chosen) => { who = chosen; }) : list[0]?.about && h("p", { class: "hint" }, list[0].about),
    h("label", { class: "field" }, h("span", null, t("talk.name")), name, h("small", { class: "hint" }, t("talk.name.hint"))),
    problem, h("div", { class: "sheet-acts", "data-acts": true }, send, speak),
  ]);
  name.addEventListener("keydown", (e) => { if (e.key === "Enter" && !e.isComposing) void start(); });
  async function start(how = "") {
    if (send.disabled) return;
    send.disabled = speak.disabled = true;
    problem.textContent = "";
    try {
      const title = name.value.trim();
      const agent = await api.open({ id, assistant: who, ...(title ? { name: title } : {}) });
      dialog.close();
      go(`/agents/${encodeURIComponent(agent.id)}${how}`);
    } catch (e) {
      problem.textContent = explain(e);
      send.disabled = speak.disabled = false;
    }
  }
}

/**
 * @param {Nod.Assistant[]} list
 * @param {(name: string) => void} choose
 */
function choices(list, choose) {
  return h("fieldset", { class: "choices talk-who" }, h("legend", { class: "hint" }, t("talk.who")), list.map((a, i) =>
    h("label", { class: "choice" },
      h("input", { type: "radio", name: "talk-who", value: a.name, checked: i === 0, autofocus: i === 0, onchange: () => choose(a.name) }),
      h("span", { class: "choice-text" }, h("strong", null, a.name), h("small", null, a.about ?? [a.model, a.host].filter(Boolean).join(" · "))))));
}

/** For people without an agent: this one needs no terminal. */
export function firstTalk() {
  return h("div", { class: "talk-first", hidden: true }, h("h3", null, t("talk.first.title")), h("p", null, t("talk.first.text")),
    h("button", { type: "button", class: "primary", onclick: guarded(newConversation) }, icon("plus", { size: 20 }), h("span", null, t("agents.open"))));
}
