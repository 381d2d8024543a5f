// A pairing link ends here. The code is after the #, so it never reaches a log;
// it is taken out of the address at once, so it does not stay in the history.
import { api } from "../api.js";
import { h } from "../html.js";
import { t } from "../words.js";

/**
 * A name by which a person will know this browser in a list of devices.
 * @param {string} agent navigator.userAgent
 * @param {(key: string, ...args: string[]) => string} [word]
 */
export function deviceName(agent, word = t) {
  /** @type {[RegExp, string][]} */
  const systems = [[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android.*Mobile/, "Android"], [/Android/, "Android tablet"], [/CrOS/, "Chromebook"], [/Windows/, "Windows"], [/Mac OS X|Macintosh/, "Mac"], [/Linux/, "Linux"]];
  /** @type {[RegExp, string][]} */
  const browsers = [[/Firefox|FxiOS/, "Firefox"], [/Edg/, "Edge"], [/SamsungBrowser/, "Samsung Internet"], [/Chrome|CriOS|Chromium/, "Chrome"], [/Safari/, "Safari"]];
  const find = (/** @type {[RegExp, string][]} */ list) => list.find(([re]) => re.test(agent))?.[1];
  return [find(systems), find(browsers)].filter(Boolean).join(", ") || word("pair.browser");
}

/** What a person types or pastes: the code, or the whole link. @param {string} text */
export const codeIn = (text) => (text.includes("#") ? text.slice(text.indexOf("#") + 1) : text).trim();

/** @type {Nod.MakeScreen} */
export default function pair() {
  const found = codeIn(location.hash);
  if (location.hash) history.replaceState(null, "", "/pair");
  const code = h("input", { type: "text", class: "mono", value: found, required: true, autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", id: "pair-code" });
  const name = h("input", { type: "text", value: deviceName(navigator.userAgent), required: true, maxlength: 60, autocomplete: "off", id: "pair-name" });
  const problem = h("p", { class: "problem", role: "alert" });
  const button = h("button", { type: "submit", class: "primary" }, t("pair.do"));
  const form = h("form", { class: "pair" },
    h("i", { class: "sign big", "aria-hidden": "true" }),
    h("h1", null, t("pair.title")),
    h("p", { class: "quiet-line" }, t(found ? "pair.text" : "pair.nocode")),
    h("div", { class: found ? "field unseen-if" : "field", hidden: found !== "" }, h("label", { for: "pair-code" }, t("pair.code")), code),
    h("div", { class: "field" }, h("label", { for: "pair-name" }, t("pair.name")), name, h("small", null, t("pair.namehint"))),
    problem, button);
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    void send();
  });
  async function send() {
    button.disabled = true;
    problem.textContent = "";
    try {
      await api.pair(codeIn(code.value), name.value.trim() || deviceName(navigator.userAgent));
      location.replace("/"); // from here on with the cookie
    } catch (e) {
      problem.textContent = kind(e);
      button.disabled = false;
      // The code may have been cut off by whatever opened the link.
      code.closest(".field")?.removeAttribute("hidden");
    }
  }
  if (found) queueMicrotask(() => name.select());
  return { element: h("div", { class: "screen bare" }, form), title: t("pair.title") };
}

/** @param {unknown} e */
function kind(e) {
  switch (/** @type {any} */ (e)?.code) {
    case "offline": case "timeout": return t("error.unreachable");
    case "unavailable": case "too_many": return t("pair.busy");
    case "invalid": case "unauthorized": case "not_found": case "gone": case "conflict": case "forbidden": return t("pair.wrong");
    default: return t("error.internal");
  }
}
