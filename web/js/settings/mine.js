// This device: what it is called, what it may do, how it looks and speaks.
import { api } from "../api.js";
import { segments } from "../elements/dialog.js";
import { fill, h } from "../html.js";
import { canInstall, install } from "../install.js";
import { prefs, setPrefs } from "../prefs.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { isApple, speak, standalone, turnOff } from "./push.js";
import { attempt, button, confirm, section, withCode } from "./section.js";

/** @param {readonly string[]} rights what a person wants to know of them */
export const rightsWords = (rights) => ["view", "answer", "admin", "raise"].filter((r) => rights.includes(r)).map((r) => t(`right.${r}`)).join(", ");

export function thisDevice() {
  const name = h("strong"), rights = h("p", { class: "hint" });
  const out = button(t("device.signout"), () => confirm(t("device.signout.title"), [h("p", null, withCode(t("device.signout.text")))], t("device.signout"), () => void attempt(out, leave)), "plain danger-text");
  const line = h("div", { class: "thing" }, h("div", { class: "thing-text" }, name, rights), out);
  const show = () => {
    fill(name, store.me?.name ?? "…");
    fill(rights, store.me ? t("device.may", rightsWords(store.me.rights)) : "");
    out.hidden = store.me?.kind !== "device";
  };
  show();
  return { element: section("device", t("device.title"), line), end: store.on("me", show) };
}

async function leave() {
  await turnOff().catch(() => {}); // a browser without push has nothing to end
  await api.signOut();
  location.replace("/pair");
}

export function looks() {
  const p = prefs();
  const language = segments(t("look.lang"), [["", t("look.lang.browser")], ["en", "English"], ["pl", "Polski"], ["ja", "日本語"]], p.lang, (v) => {
    setPrefs({ lang: String(v) });
    addEventListener("nod-spoken", () => void speak().catch(() => {}), { once: true });
  });
  const theme = segments(t("look.theme"), [["system", t("look.theme.system")], ["light", t("look.theme.light")], ["dark", t("look.theme.dark")], ["contrast", t("look.theme.contrast")]], p.theme, (v) => setPrefs({ theme: /** @type {any} */ (v) }));
  const text = segments(t("look.text"), [["small", t("look.text.small")], ["normal", t("look.text.normal")], ["large", t("look.text.large")], ["huge", t("look.text.huge")]], p.text, (v) => setPrefs({ text: /** @type {any} */ (v) }));
  text.classList.add("sizes");
  const sounds = segments(t("voice.sounds"), [["on", t("voice.sounds.on")], ["off", t("voice.sounds.off")]], p.sounds ? "on" : "off", (v) => setPrefs({ sounds: v === "on" }));
  return section("looks", t("look.title"), h("div", { class: "stack" }, language, theme, text, sounds));
}

/** Where people look for what is hidden in other places. */
export function ways() {
  const row = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ href, /** @type {string} */ act) =>
    h("li", { class: "thing" }, h("div", { class: "thing-text" }, h("strong", null, title), h("small", null, text)), h("a", { class: "button", href }, act));
  return section("ways", t("ways.title"), h("ul", { class: "things" },
    row(t("voice.open"), t("ways.voice.text"), "/agents", t("ways.voice.do")),
    row(t("ways.m5"), t("ways.m5.text"), "/device", t("ways.m5.do")),
    row(t("ways.kb"), t("ways.kb.text"), "/keyboard", t("ways.kb.do")),
    row(t("ways.puck"), t("ways.puck.text"), "/puck", t("ways.puck.do"))));
}

/** Only where there is something to do. */
export function installing() {
  const apple = isApple(navigator.userAgent, navigator.maxTouchPoints);
  const body = h("div", { class: "stack" });
  const element = section("install", t("install.title"), body);
  const draw = () => {
    element.hidden = standalone() || !(canInstall() || apple);
    const go = button(t("install.do"), async () => { await install(); draw(); }, "primary");
    fill(body, h("p", { class: "hint" }, t(canInstall() ? "install.text" : "install.apple")), canInstall() && go);
  };
  draw();
  addEventListener("nod-install", draw);
  return { element, end: () => removeEventListener("nod-install", draw) };
}

export function about() {
  const version = h("p", null, "…"), demo = h("p", { class: "demo-words", hidden: true }, h("span", { class: "tag demo-tag" }, t("demo")), t("demo.text"));
  const show = () => {
    fill(version, h("strong", null, "nod"), " ", store.me?.version ?? "");
    demo.hidden = !store.me?.demo;
  };
  show();
  const commands = ["setup claude", "pair", "watch", "doctor", "log", "policy suggest"];
  return {
    element: section("about", t("about.title"), h("div", { class: "stack" }, version, demo,
      h("p", { class: "hint" }, t("about.commands")),
      h("dl", { class: "commands" }, commands.flatMap((c) => [h("dt", null, h("code", null, `nod ${c}`)), h("dd", null, t(`command.${c.replace(" ", "_")}`))])),
      h("p", { class: "hint" }, h("span", null, withCode(t("about.help")))))),
    end: store.on("me", show),
  };
}
