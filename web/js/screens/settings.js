// This device, who else has access, and what needs no person.
import { h } from "../html.js";
import { devices } from "../settings/devices.js";
import { about, installing, looks, thisDevice, ways } from "../settings/mine.js";
import { notifications } from "../settings/notifications.js";
import { passkeys } from "../settings/passkeys.js";
import { rules } from "../settings/rules.js";
import { t } from "../words.js";

/** Another language redraws everything; the scroll position stays. */
let stayed = { top: 0, until: 0 };
addEventListener("nod-language", () => { stayed = { top: document.getElementById("main")?.scrollTop ?? 0, until: performance.now() + 3000 }; });

/** @type {Nod.MakeScreen} */
export default function settings() {
  const me = thisDevice(), home = installing(), others = devices(), rest = rules(), keys = passkeys(), words = about();
  const element = h("div", { class: "screen narrow settings" },
    me.element, notifications(), home.element, looks(), ways(), others.element, rest.element, keys.element, words.element);
  return {
    element, title: t("nav.settings"),
    update() {
      if (performance.now() > stayed.until) return;
      stayed.until = 0;
      element.closest("main")?.scrollTo({ top: stayed.top });
      /** @type {HTMLElement | null} */ (element.querySelector("#set-looks input:checked"))?.focus({ preventScroll: true });
    },
    leave() {
      for (const part of [me, home, others, rest, keys, words]) part.end();
    },
  };
}
