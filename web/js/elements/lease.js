// Consent in a box, burning down.
import { api } from "../api.js";
import { h, say } from "../html.js";
import { guarded } from "../guard.js";
import { explain, notice } from "../notice.js";
import { project } from "../state.js";
import { store } from "../store.js";
import { t } from "../words.js";
import "./clock.js";

/** @param {Nod.Lease} l */
export function leaseRow(l) {
  const row = h("li", { class: "lease" },
    h("div", { class: "lease-text" },
      h("code", { class: "rule" }, l.rules.join(", ")),
      h("small", null, reach(l), " · ", t("lease.by", l.by), " · ", h("span", { class: "lease-used" }))),
    h("div", { class: "lease-left", "data-fuse": true }, h("nod-time", { "data-until": l.until, "data-from": l.granted_at }), h("i", { class: "fuse" })),
    h("button", {
      type: "button", class: "plain danger-text", onclick: guarded(async () => {
        try {
          await api.revokeLease(l.id);
          notice(t("lease.revoked"), { kind: "good" });
        } catch (e) {
          notice(explain(e), { kind: "bad" });
        }
      }),
    }, t("lease.revoke")));
  updateLeaseRow(row, l);
  return row;
}

/** @param {HTMLElement} row @param {Nod.Lease} l */
export function updateLeaseRow(row, l) {
  const el = row.querySelector(".lease-used");
  if (el) say(el, t("lease.used", l.used, l.limit));
}

/** @param {Nod.Lease} l */
function reach(l) {
  if (l.agent) return t("lease.onlyagent", store.state.agents.get(l.agent)?.name ?? l.agent);
  if (l.folder) return t("lease.folder", project(l.folder));
  return t("lease.host", l.host ?? "");
}
