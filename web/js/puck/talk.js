// The box for what is said to a puck, a microphone where there is one, and
// whether the puck is heard.
import { canListen, Ears, privacyTold } from "../chat/voice.js";
import { fill, h } from "../html.js";
import { icon } from "../icons.js";
import { notice } from "../notice.js";
import { t } from "../words.js";
import { canSpeak } from "./speaker.js";

export class Talk {
  /** @param {{utter: (text: string) => boolean, hush: () => void, aloud: (on: boolean) => void, on: boolean}} o utter: whether it was sent */
  constructor(o) {
    this.o = o;
    this.on = o.on && canSpeak;
    this.ears = new Ears({ once: true, text: (final, interim) => this.heard(final, interim), end: (problem) => this.deaf(problem) });
    this.field = h("input", { type: "text", class: "puck-field", maxlength: 1000, autocomplete: "off", enterkeyhint: "send", placeholder: t("puck.say"), "aria-label": t("puck.say") });
    this.mic = h("button", { type: "button", class: "round plain", "aria-label": t("puck.listen"), "aria-pressed": "false", hidden: !canListen, onclick: () => this.listen() }, icon("mic"));
    this.voice = h("button", { type: "button", class: "round plain", "aria-label": t("puck.aloud"), title: t("puck.aloud"), hidden: !canSpeak, onclick: () => this.toggle() });
    this.form = h("form", { class: "puck-talk" }, this.voice, this.field, this.mic, h("button", { type: "submit", class: "round primary", "aria-label": t("puck.send") }, icon("send")));
    this.form.addEventListener("submit", (e) => {
      e.preventDefault();
      this.send(this.field.value);
    });
    this.show();
  }

  /** @param {string} text */
  send(text) {
    if (text.trim() && this.o.utter(text.trim())) this.field.value = "";
  }

  listen() {
    if (this.ears.on) this.ears.stop();
    else {
      this.o.hush(); // it must not hear itself
      this.ears.start();
      if (!privacyTold()) notice(t("chat.listen.privacy"));
    }
    this.mic.setAttribute("aria-pressed", String(this.ears.on));
  }

  /** A puck has no screen to correct text on, so what was recognised is sent. @param {string} final @param {string} interim */
  heard(final, interim) {
    this.field.value = (final || interim).trim();
    this.send(final);
  }

  /** @param {string} problem */
  deaf(problem) {
    this.mic.setAttribute("aria-pressed", "false");
    if (problem) notice(t("puck.deaf"), { kind: "bad" });
  }

  toggle() {
    this.on = !this.on;
    this.o.aloud(this.on);
    this.show();
  }

  show() {
    this.voice.setAttribute("aria-pressed", String(this.on));
    fill(this.voice, icon(this.on ? "aloud" : "silent"));
  }

  end() { this.ears.stop(); }
}
