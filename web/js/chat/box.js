// Where one writes: text, files, voice; and what to do when the agent is busy.
import { segments } from "../elements/dialog.js";
import { guarded, moved } from "../guard.js";
import { h, say } from "../html.js";
import { icon } from "../icons.js";
import { notice } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { Files } from "./files.js";
import { post } from "./post.js";
import { canListen, Ears, privacyTold } from "./voice.js";

const grows = globalThis.CSS?.supports?.("field-sizing", "content") ?? false;

/** Enter sends where a real keyboard is likely; a phone's Enter is a new line. */
const desk = () => matchMedia("(hover: hover) and (pointer: fine)").matches;

/** @param {string} agent */
const key = (agent) => `nod.draft.${agent}`;

/** @param {string} agent @param {string} [text] */
function kept(agent, text) {
  try {
    if (text === undefined) return sessionStorage.getItem(key(agent)) ?? "";
    if (text) sessionStorage.setItem(key(agent), text);
    else sessionStorage.removeItem(key(agent));
  } catch {
    // Then it lives as long as the screen does.
  }
  return "";
}

export class Box {
  /**
   * @param {string} agent
   * @param {{hush: () => void, sent: () => void, voice: () => void}} o hush: the person types or speaks
   */
  constructor(agent, o) {
    this.agent = agent;
    this.o = o;
    /** @type {Nod.WhenBusy} */
    this.busy = "queue";
    this.before = ""; // the text when dictation started
    this.text = h("textarea", { rows: 1, placeholder: t("chat.placeholder"), "aria-label": t("chat.placeholder"), autocapitalize: "sentences", enterkeyhint: desk() ? "send" : "enter" });
    this.text.value = kept(agent);
    this.files = new Files(agent, () => this.look());
    this.ears = new Ears({ text: (final, interim) => this.hear(final + interim), end: (problem) => this.heard(problem) });
    this.picker = h("input", { type: "file", multiple: true, class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: () => { this.files.add(this.picker.files ?? []); this.picker.value = ""; } });
    this.clip = h("button", { type: "button", class: "plain round", "aria-label": t("chat.attach"), title: t("chat.attach"), onclick: () => this.picker.click() }, icon("clip"));
    this.mic = h("button", { type: "button", class: "plain round box-mic", "aria-label": t("chat.listen"), title: t("chat.listen"), "aria-pressed": "false", hidden: !canListen, onclick: () => this.listen() }, icon("mic"));
    this.send = h("button", { type: "button", class: "primary round box-send", "aria-label": t("chat.send"), title: t("chat.send"), onclick: () => this.submit() }, icon("send"));
    // Where there is nothing to send, the same place starts voice mode.
    this.voice = h("button", { type: "button", class: "primary round box-send", "aria-label": t("voice.open"), title: t("voice.open"), onclick: guarded(() => { this.ears.stop(); o.voice(); }) }, icon("voice"));
    this.state = h("p", { class: "box-state", role: "status" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.choice = h("div", { class: "box-busy", hidden: true });
    this.element = h("form", { class: "box", "aria-label": t("chat.write"), onsubmit: (/** @type {Event} */ e) => e.preventDefault() },
      this.files.element, this.choice, this.problem, this.state,
      h("div", { class: "box-row" }, this.clip, this.picker, h("div", { class: "box-text" }, this.text, this.mic), this.send, this.voice));
    this.listenTo();
    this.grow();
    this.look();
  }

  listenTo() {
    this.text.addEventListener("input", () => {
      if (this.ears.on) this.ears.stop(); // their hands are quicker than their voice
      this.o.hush();
      this.keep();
    });
    this.text.addEventListener("keydown", (e) => {
      if (e.key === "Escape") {
        if (this.ears.on) this.ears.stop();
        else this.text.blur();
        e.stopPropagation();
        return;
      }
      // While kana become kanji, Enter belongs to the input method.
      if (e.key !== "Enter" || e.shiftKey || e.isComposing || e.keyCode === 229) return;
      if (!desk() && !e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      if (!e.repeat) this.submit();
    });
    this.text.addEventListener("paste", (e) => {
      const files = [...(e.clipboardData?.files ?? [])];
      if (!files.length) return;
      e.preventDefault();
      this.files.add(files);
    });
  }

  /** @param {Nod.Agent} a */
  update(a) {
    const busy = a.state === "working" || a.state === "waiting";
    const can = a.can?.includes("interrupt") ?? false;
    const sign = busy ? `${can}` : "";
    if (this.choice.dataset.sign !== sign) {
      this.choice.dataset.sign = sign;
      this.choice.hidden = !busy;
      this.busy = "queue";
      if (busy) this.choice.replaceChildren(this.choices(can));
    }
    this.look();
  }

  /** @param {boolean} interrupt */
  choices(interrupt) {
    /** @type {[Nod.WhenBusy, string][]} */
    const all = [["queue", t("chat.busy.queue")], ["wait", t("chat.busy.wait")]];
    if (interrupt) all.push(["interrupt", t("chat.busy.interrupt")]);
    return segments(t("chat.busy"), all, this.busy, (v) => { this.busy = v; });
  }

  keep() {
    kept(this.agent, this.text.value);
    say(this.problem, "");
    this.grow();
    this.look();
  }

  grow() {
    if (grows) return;
    this.text.style.blockSize = "auto";
    this.text.style.blockSize = `${this.text.scrollHeight + 2}px`;
  }

  /** Whether there is something to send. */
  look() {
    if (!this.send) return; // the files look before the rest is built
    const words = this.text.value.trim() !== "";
    this.element.classList.toggle("has-words", words || this.files.list.length > 0);
    this.send.disabled = !(words || this.files.list.length > 0) || !this.files.ready;
    this.swap(!words && this.files.list.length === 0);
    say(this.state, this.ears.on ? t("chat.listening") : this.files.busy ? t("chat.files.wait") : "");
  }

  /** @param {boolean} empty */
  swap(empty) {
    if (this.send.hidden === empty && this.voice.hidden !== empty) return;
    const focused = this.element.contains(document.activeElement) && document.activeElement === this.send;
    this.send.hidden = empty;
    this.voice.hidden = !empty;
    if (focused) this.voice.focus();
    moved(); // a second press on Send is not meant for what took its place
  }

  submit() {
    const text = this.text.value.trim();
    if (this.send.disabled || (!text && !this.files.list.length)) return;
    this.ears.stop();
    if (store.link !== "live" || !navigator.onLine) {
      say(this.problem, t("chat.offline"));
      return;
    }
    if (!post({ agent: this.agent, text, files: this.files.take(), when_busy: this.busy })) return;
    this.text.value = "";
    this.keep();
    this.o.sent();
  }

  listen() {
    this.o.hush();
    if (this.ears.on) {
      this.ears.stop();
      return;
    }
    const had = this.text.value;
    this.before = had && !/\s$/.test(had) ? `${had} ` : had;
    this.ears.start();
    this.mic.setAttribute("aria-pressed", String(this.ears.on));
    this.element.classList.toggle("is-listening", this.ears.on);
    this.look();
    if (!privacyTold()) notice(t("chat.listen.privacy"));
  }

  /** Dictated text appears in the box at once; it is never sent automatically. @param {string} words */
  hear(words) {
    this.o.hush();
    this.text.value = this.before + words.trimStart();
    this.text.scrollTop = this.text.scrollHeight;
    this.keep();
  }

  /** @param {string} problem */
  heard(problem) {
    this.mic.setAttribute("aria-pressed", "false");
    this.element.classList.remove("is-listening");
    if (problem) notice(t(`chat.listen.${problem}`), { kind: "bad" });
    this.look();
  }

  leave() {
    this.ears.stop();
  }
}
