// The inbox when nothing waits: who works, or how to begin.
import { agentRow, updateAgentRow } from "../elements/agent-row.js";
import { h, keyed, say } from "../html.js";
import { agentsInOrder } from "../state.js";
import { t } from "../words.js";

/** All quiet. 3 agents are working. */
export function quiet() {
  const line = h("p", { class: "quiet-line" });
  const list = h("ul", { class: "agents" });
  const el = h("div", { class: "quiet", "data-sign": "quiet" }, h("i", { class: "sign big", "aria-hidden": "true" }), h("h2", null, t("quiet.title")), line, list);
  return Object.assign(el, {
    /** @param {Nod.State} state */
    show(state) {
      const alive = agentsInOrder(state).filter((a) => a.state !== "ended");
      const working = alive.filter((a) => a.state === "working");
      say(line, working.length ? t("quiet.working", working.length) : alive.length ? t("quiet.idle", alive.length) : t("quiet.none"));
      keyed(list, alive, (a) => a.id, (a) => agentRow(a), updateAgentRow);
    },
  });
}

/** Three steps for new users. */
export function welcome() {
  const step = (/** @type {number} */ n, /** @type {string} */ command) =>
    h("li", null, h("h3", null, t(`welcome.${n}.title`)), h("p", null, t(`welcome.${n}.text`)), command && h("code", { class: "command" }, command));
  return h("div", { class: "quiet welcome", "data-sign": "welcome" },
    h("i", { class: "sign big", "aria-hidden": "true" }), h("h2", null, t("welcome.title")), h("p", { class: "quiet-line" }, t("welcome.text")),
    h("ol", { class: "steps" }, step(1, "nod setup claude"), step(2, "nod pair"), step(3, "")));
}
