// A voice puck in the browser: a ring of lights, a dial, a button, a voice. The
// hub runs it; this page shows, speaks, and tells what hands do.
import { fill, say } from "../html.js";
import { Hands } from "../puck/hands.js";
import { Line } from "../puck/line.js";
import { choosing, DARK, mood, remember } from "../puck/scene.js";
import { Speaker } from "../puck/speaker.js";
import { Talk } from "../puck/talk.js";
import { View } from "../puck/view.js";
import { waiting } from "../state.js";
import { store } from "../store.js";
import { Earcons } from "../voice/earcons.js";
import { lang, t } from "../words.js";

const KEPT = "nod.puck", MOST = 8, LET_GO = 3000;

/** @typedef {{aloud?: boolean, taught?: boolean}} Kept */

/** @returns {Kept} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Kept} change */
function keep(change) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // For this visit, then.
  }
}

/** @type {Nod.MakeScreen} */
export default function puck() {
  return new Puck();
}

class Puck {
  constructor() {
    this.title = t("puck.title");
    this.scene = DARK;
    this.connected = false;
    /** @type {import("../puck/view.js").Happened[]} */
    this.events = [];
    this.count = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.letGo = undefined;
    this.rests = false;
    this.sounds = new Earcons("AudioContext" in globalThis ? () => new AudioContext() : undefined);
    this.line = new Line({
      hello: () => ({ language: lang(), speaks: true, taught: kept().taught ?? false }),
      note: (n) => this.hear(n), lost: (refused) => this.lost(refused),
    });
    this.speaker = new Speaker((number) => this.line.tell({ spoken: number }));
    this.talk = new Talk({
      on: kept().aloud === true, utter: (text) => { this.touched(); return this.tell({ say: text }, this.about(), t("puck.quote", text)); },
      hush: () => this.speaker.hush(), aloud: (on) => { this.speaker.set(on); keep({ aloud: on }); },
    });
    this.speaker.aloud = this.talk.on;
    this.view = new View({ form: this.talk.form });
    this.element = this.view.element;
    this.hands = new Hands({
      body: this.view.body, presser: this.view.presser("button"), drawing: this.view.drawing, about: () => this.about(), free: () => choosing(this.scene),
      act: (gesture, about) => this.tell({ input: gesture }, about, t(`puck.did.${gesture}`)), touch: () => this.touched(),
    });
    for (const way of /** @type {const} */ (["dial_ccw", "dial_cw"])) this.view.presser(way).addEventListener("click", () => this.hands.step(way));
    this.show(DARK);
    void this.line.connect();
  }

  leave() {
    clearTimeout(this.letGo);
    this.hands.end();
    this.line.end();
    this.talk.end();
    this.speaker.hush();
    this.view.drawing.end();
    this.sounds.end();
  }

  /** Browsers play nothing before a touch, and a finger that only begins to press is none. */
  touched() {
    if (navigator.userActivation?.hasBeenActive ?? true) this.sounds.unlock();
  }

  /** What the person sees now, and so what they mean. */
  about() { return this.scene.request ?? ""; }

  /** @param {object} word @param {string} about @param {string} text */
  tell(word, about, text) {
    const sent = this.line.tell({ ...word, request: about });
    if (sent) this.note("you", text);
    else fill(this.view.problem, t("puck.lost")); // it must not be lost silently
    return sent;
  }

  /** @param {any} n */
  hear(n) {
    if (n.welcome) this.welcome(n.welcome);
    if (n.light) this.show(n);
    if (n.say) this.says(n.say);
    if (n.hush) this.speaker.hush(n.hush);
    if (n.taught) keep({ taught: true });
    if (n.beep) this.beep();
    if (n.error) fill(this.view.problem, t("puck.refused", n.error.message ?? ""));
  }

  /** @param {{rights: string[], hold_ms: number, tap_ms: number}} w */
  welcome(w) {
    this.connected = true;
    Object.assign(this.hands.press, { hold: w.hold_ms, tap: w.tap_ms });
    fill(this.view.problem, w.rights.includes("answer") ? "" : t("puck.view"));
  }

  /** @param {boolean} refused */
  lost(refused) {
    this.connected = false;
    this.hands.slip();
    this.speaker.hush();
    this.show(DARK);
    if (!refused) fill(this.view.problem, t("puck.lost")); // why it was refused stands there already
  }

  beep() {
    this.sounds.play("stopped");
    this.note("puck", t("puck.beep"));
    this.view.odd();
  }

  /** @param {{number: number, text: string}} said */
  says(said) {
    say(this.view.words, said.text);
    this.view.bubble.classList.remove("is-past");
    this.note("puck", t("puck.quote", said.text));
    this.speaker.say(said);
  }

  /** @param {import("../puck/scene.js").Scene} scene */
  show(scene) {
    const before = mood(this.scene), now = mood(scene);
    this.scene = scene;
    this.view.show(scene, this.connected);
    if (now.word !== before.word) {
      if (now.tone === "waiting") this.sounds.play("waits");
      if (now.tone === "yes" && scene.state !== "PREVIEW_APPROVE") this.sounds.play("done");
      if (now.word === "stopped") this.sounds.play("stopped");
    }
    this.update(store.state);
  }

  /** @param {Nod.State} state */
  update(state) {
    const r = state.requests.get(this.about());
    say(this.view.who, r ? [r.agent.name, r.agent.host].filter(Boolean).join(" · ") : t("puck.title"));
    const n = this.connected && this.scene.state === "IDLE" ? waiting(state).length : 0;
    if (!n) {
      clearTimeout(this.letGo);
      this.letGo = undefined;
      this.rests = false;
    } else this.letGo ??= setTimeout(() => { this.rests = true; this.update(store.state); }, LET_GO); // before that, it may be about to ask
    if (n && this.rests) this.view.showLeft(n, () => this.line.again());
    else if (this.scene.does?.dial_cw === "on_screen") this.view.showScreen(this.about());
    else this.view.elsewhere("", () => []);
  }

  /** @param {string} who @param {string} text */
  note(who, text) {
    this.events = remember(this.events, { who, text, at: ++this.count }, MOST);
    this.view.showEvents(this.events);
  }
}
