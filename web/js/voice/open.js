// Puts voice mode together: the state machine, the browser's speech recognition and synthesis, the
// layer, and the hub. Audio stays in the browser; the hub gets words only.
import { onSent, post, sentTo } from "../chat/post.js";
import { canListen, canSpeak, Ears, privacyTold } from "../chat/voice.js";
import { attempt, decide, mine, onAttempt } from "../decide.js";
import { isApple } from "../settings/push.js";
import { store } from "../store.js";
import { lang, t } from "../words.js";
import { Awake } from "./awake.js";
import { Earcons } from "./earcons.js";
import { Layer } from "./layer.js";
import { Mouth } from "./mouth.js";
import { answer, ask } from "./reading.js";
import { Session } from "./session.js";

/** @param {number} ms @param {() => void} f */
const after = (ms, f) => {
  const id = setTimeout(f, ms);
  return () => clearTimeout(id);
};

/** Phones give the microphone or the voice, not both at once. */
const overlaps = () => !/Android/.test(navigator.userAgent) && !isApple(navigator.userAgent, navigator.maxTouchPoints);

/** Why this browser cannot listen; "": it can. */
const deaf = () => (canListen ? "" : globalThis.isSecureContext ? "missing" : "insecure");

export class Voice {
  /** @param {string} id the agent @param {() => void} closed */
  constructor(id, closed) {
    this.id = id;
    this.closed = closed;
    this.sent = "";
    this.last = 0; // the newest turn that was read
    /** @type {Set<string>} */
    this.asked = new Set();
    const Context = globalThis.AudioContext;
    this.earcons = new Earcons(Context && (() => new Context()));
    this.awake = new Awake(/** @type {any} */ (navigator).wakeLock, document);
    this.ears = new Ears({
      once: true,
      text: (final, interim) => (final ? this.session.said(final) : this.session.heard(interim)),
      end: (problem) => this.session.ended(problem),
    });
    this.layer = new Layer(id, {
      tap: () => { this.earcons.unlock(); this.session.send({ name: "tap" }); },
      type: () => this.session.send({ name: "type" }),
      typed: (text) => this.typed(text),
      closed: () => this.leave(),
    });
    this.session = new Session({
      ears: { start: () => this.ears.start(), stop: () => this.ears.stop() },
      mouth: new Mouth(canSpeak ? speechSynthesis : undefined, (text) => new SpeechSynthesisUtterance(text), after),
      after,
      cue: (c) => this.earcons.play(c),
      post: (text) => this.post(text),
      decide: (request, a) => this.decide(request, a),
      show: (m, part) => { if (m.state !== "off") this.layer.show(m, part); },
    });
    /** @type {(() => void)[]} */
    this.ends = [];
  }

  /** To be called by a touch: sound needs one. */
  open() {
    this.earcons.unlock();
    this.awake.on();
    this.layer.open(deaf() !== "" || privacyTold());
    const hide = () => { if (document.hidden) this.session.send({ name: "hidden" }); };
    document.addEventListener("visibilitychange", hide);
    this.ends = [onSent(() => this.follow()), onAttempt((id) => this.tried(id)), store.on("link", (l) => this.session.send({ name: l === "live" ? "back" : "lost" })), () => document.removeEventListener("visibilitychange", hide)];
    const asks = this.pending(store.state).map((r) => ask(r, store.may("answer")));
    for (const a of asks) this.asked.add(a.id);
    this.session.send({ name: "start", lang: lang(), deaf: deaf(), overlap: overlaps(), lost: store.link !== "live", asks, ...this.agent(store.state) });
  }

  get on() { return this.session.model.state !== "off"; }

  /** @param {Nod.State} state */
  pending(state) {
    return [...state.requests.values()].filter((r) => r.agent.id === this.id && r.status === "pending").sort((a, b) => a.seq - b.seq);
  }

  /** @param {Nod.State} state */
  agent(state) {
    const a = state.agents.get(this.id);
    const talk = Boolean(a && a.state !== "ended" && a.can?.includes("say") && store.may("answer"));
    return { working: a?.state === "working" || a?.state === "waiting", talk };
  }

  /** @param {Nod.State} state */
  update(state) {
    if (!this.on) return;
    for (const r of this.pending(state)) {
      if (this.asked.has(r.id)) continue;
      this.asked.add(r.id);
      this.session.send({ name: "asked", ask: ask(r, store.may("answer")) });
    }
    for (const id of this.asked) {
      const r = state.requests.get(id);
      if (r?.status === "pending") continue;
      this.asked.delete(id);
      this.session.send({ name: "settled", id, ...this.outcome(r) });
    }
    this.session.send({ name: "agent", ...this.agent(state) });
  }

  /** What became of a request, in a sentence and a sound. @param {Nod.Request | undefined} r @returns {{words: string, cue: import("./mode.js").Cue}} */
  outcome(r) {
    const v = r?.decision?.verdict, cue = v === "deny" || !v ? "stopped" : "done";
    if (!r || !v || !mine(r)) return { words: t("voice.settled"), cue };
    return { words: t(`voice.${{ allow: "allowed", deny: "denied", answer: "answered" }[v]}`, r.agent.name), cue };
  }

  /** What the agent has said just now. @param {Nod.Turn} turn */
  hear(turn) {
    if (!this.on || turn.seq <= this.last) return;
    this.last = turn.seq;
    this.session.send({ name: "answer", ...answer(turn.text) });
  }

  /** @param {string} text */
  typed(text) {
    const before = this.session.model.out;
    this.session.send({ name: "typed", text });
    if (this.session.model.out !== before) this.layer.clear();
  }

  /** @param {string} text */
  post(text) {
    this.sent = ""; // what was sent before is no longer ours to follow
    this.sent = post({ agent: this.id, text, files: [], when_busy: "queue" });
    if (!this.sent) this.session.send({ name: "refused", words: t("chat.offline") });
  }

  /** The delivery state of the message, from the outbox, which never sends anything twice. */
  follow() {
    if (!this.sent) return;
    const x = sentTo(this.id).find((y) => y.id === this.sent);
    if (x?.phase === "sending") return;
    const name = store.state.agents.get(this.id)?.name ?? "";
    if (x?.phase === "failed" || x?.phase === "unsure") {
      this.sent = "";
      this.session.send({ name: "refused", words: x.phase === "unsure" ? t("voice.unsure") : [t("voice.refused", name), x.problem].filter(Boolean).join(" ") });
      return;
    }
    if (!x || x.phase === "delivered") this.sent = "";
    this.session.send({ name: "accepted" });
  }

  /** @param {string} id @param {Nod.Answer} a */
  decide(id, a) {
    const r = store.state.requests.get(id);
    if (r?.status === "pending") void decide(r, a, { prove: false });
    else this.session.send({ name: "settled", id, ...this.outcome(r) });
  }

  /** @param {string} id */
  tried(id) {
    const a = attempt(id);
    if (this.session.model.out?.id !== id || !a?.words) return;
    this.session.send({ name: "refused", words: a.words, ask: id });
  }

  close() {
    this.layer.close();
    this.leave();
  }

  leave() {
    if (!this.on) return;
    this.session.send({ name: "leave" });
    for (const end of this.ends) end();
    this.awake.off();
    this.earcons.end();
    this.closed();
  }
}
