// Ears and mouth of the browser, where it has them.
import { store } from "../store.js";
import { lang, t } from "../words.js";
import { voiceFor } from "../voice/mouth.js";
import { region, spoken, tongue } from "./spoken.js";

const Recognition = /** @type {any} */ (globalThis).SpeechRecognition ?? /** @type {any} */ (globalThis).webkitSpeechRecognition;

export const canListen = Boolean(Recognition) && globalThis.isSecureContext;
export const canSpeak = "speechSynthesis" in globalThis;

export class Ears {
  /**
   * @param {{text: (final: string, interim: string) => void, end: (problem: string) => void, once?: boolean, Recognition?: any}} o
   * once: one utterance, as voice mode wants it: the end is told only when it was not stop()
   */
  constructor(o) {
    this.o = o;
    this.Recognition = o.Recognition ?? Recognition;
    /** @type {any} */
    this.hearing = undefined;
  }

  get on() { return this.hearing !== undefined; }

  start() {
    if (this.on || !this.Recognition) return;
    const r = this.hearing = new this.Recognition();
    r.lang = region(lang());
    r.interimResults = true;
    r.continuous = !this.o.once;
    let problem = "";
    r.onresult = (/** @type {any} */ e) => {
      if (this.hearing !== r) return;
      let final = "", interim = "";
      for (const result of e.results) {
        if (result.isFinal) final += result[0].transcript;
        else interim += result[0].transcript;
      }
      this.o.text(final, interim);
    };
    r.onerror = (/** @type {any} */ e) => {
      if (["not-allowed", "service-not-allowed"].includes(e.error)) problem = "denied";
      else if (e.error === "audio-capture") problem = "nomic";
      else if (!["aborted", "no-speech"].includes(e.error)) problem = "failed";
    };
    r.onend = () => {
      if (this.hearing !== r) return;
      this.hearing = undefined;
      this.o.end(problem);
    };
    try {
      r.start();
    } catch {
      this.hearing = undefined;
      this.o.end("failed");
    }
  }

  /** Stops listening; the recognised text stays. */
  stop() {
    const r = this.hearing;
    if (!r) return;
    this.hearing = undefined;
    if (this.o.once) {
      r.abort();
      return;
    }
    r.stop();
    this.o.end("");
  }
}

const HEARD = "nod.heard";

/** The notice that a browser may send speech to its vendor is shown once: whether it was, and from now on it is. */
export function privacyTold() {
  try {
    const told = localStorage.getItem(HEARD) !== null;
    localStorage.setItem(HEARD, "1");
    return told;
  } catch {
    return false; // shown again next time
  }
}

const KEY = "nod.aloud";

/** @returns {Record<string, boolean>} */
function choices() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** Reads aloud, for one chat, if a person wants it. */
export class Mouth {
  /** @param {string} agent */
  constructor(agent) {
    this.agent = agent;
    this.on = canSpeak && choices()[agent] === true;
  }

  /** @param {boolean} on */
  set(on) {
    this.on = on && canSpeak;
    const alive = Object.entries(choices()).filter(([id]) => store.state.agents.has(id) && id !== this.agent);
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...alive, ...(this.on ? [[this.agent, true]] : [])])));
    } catch {
      // For this visit, then.
    }
    if (this.on) this.say(t("chat.aloud.hello"));
    else this.hush();
  }

  /** @param {string} markdown */
  say(markdown) {
    if (!this.on) return;
    const l = region(tongue(markdown, lang()));
    const voice = voiceFor(speechSynthesis.getVoices(), l);
    for (const sentence of spoken(markdown, { code: t("chat.aloud.code"), more: t("chat.aloud.more") })) {
      const u = new SpeechSynthesisUtterance(sentence);
      u.lang = l;
      if (voice) u.voice = voice;
      speechSynthesis.speak(u);
    }
  }

  hush() {
    if (canSpeak) speechSynthesis.cancel();
  }
}
