// Every session, those that need someone first; and the leases that are open.
import { agentRow, doing, updateAgentRow } from "../elements/agent-row.js";
import { leaseRow, updateLeaseRow } from "../elements/lease.js";
import { h, keyed, say } from "../html.js";
import { guarded } from "../guard.js";
import { icon } from "../icons.js";
import { agentsInOrder } from "../state.js";
import { store } from "../store.js";
import { firstTalk, newConversation } from "../talk/open.js";
import { t } from "../words.js";
import { welcome } from "./quiet.js";

/** @type {[string, (a: Nod.Agent) => boolean][]} */
const GROUPS = [
  ["waiting", (a) => a.state === "waiting"],
  ["trouble", (a) => a.state === "error" || a.state === "limited"],
  ["working", (a) => a.state === "working"],
  ["idle", (a) => a.state === "idle"],
  ["ended", (a) => a.state === "ended"],
];

/** What was searched for; it stays when one comes back. */
let wanted = "";

/** @type {Nod.MakeScreen} */
export default function agents() {
  const search = h("input", { type: "search", placeholder: t("agents.search"), "aria-label": t("agents.search"), autocomplete: "off", "data-search": true });
  search.value = wanted;
  const groups = GROUPS.map(([name, fits]) => {
    const list = h("ul", { class: "agents" });
    const title = h("h2", { class: "label" });
    const box = name === "ended" ? h("details", { class: "group" }, h("summary", null, title), list) : h("section", { class: "group" }, title, list);
    return { name, fits, list, title, box };
  });
  const leases = h("ul", { class: "leases" });
  const leaseBox = h("section", { class: "group" }, h("h2", { class: "label" }, t("lease.open")), leases);
  const none = h("p", { class: "hint none" }, t("agents.nothing"));
  const first = welcome(), talk = firstTalk();
  const open = h("button", { type: "button", class: "primary", onclick: guarded(newConversation) }, icon("plus", { size: 20 }), h("span", null, t("agents.open")));
  const element = h("div", { class: "screen narrow agents-screen" },
    h("div", { class: "toolbar" }, h("label", { class: "searchbox" }, icon("search", { size: 20 }), search), open),
    leaseBox, groups.map((g) => g.box), none, first, talk);

  /** @param {Nod.State} state */
  const update = (state) => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const all = agentsInOrder(state);
    const found = all.filter((a) => {
      const text = [a.name, a.host, a.cwd, a.model, a.conversation?.assistant, a.conversation?.room, a.conversation?.user, a.state, t(`state.${a.state}`), doing(a)].join(" ").toLowerCase();
      return words.every((w) => text.includes(w));
    });
    for (const g of groups) {
      const list = found.filter(g.fits);
      g.box.hidden = list.length === 0;
      say(g.title, t(`group.${g.name}`, list.length));
      if (g.box instanceof HTMLDetailsElement && words.length) g.box.open = true;
      keyed(g.list, list, (a) => a.id, (a) => agentRow(a, { stop: true }), updateAgentRow);
    }
    keyed(leases, [...state.leases.values()], (l) => l.id, leaseRow, updateLeaseRow);
    leaseBox.hidden = state.leases.size === 0;
    none.hidden = found.length > 0 || all.length === 0;
    first.hidden = all.length > 0;
    search.closest("label")?.toggleAttribute("hidden", all.length === 0);
    open.hidden = !store.me?.open || all.length === 0;
    talk.hidden = !store.me?.open || all.length > 0;
    element.classList.toggle("has-none", all.length === 0);
  };
  search.addEventListener("input", () => {
    wanted = search.value;
    update(store.state);
  });
  update(store.state);
  const end = store.on("me", () => update(store.state));
  return { element, title: t("nav.agents"), update, leave: () => { end(); } };
}
