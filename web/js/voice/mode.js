// Voice mode as a machine: listen, send, speak the answer, speak the next
// question, listen again. Pure: a model and an event give the next model and
// what to do once. What must be so for as long as it is so (ears open, a speech
// under way, a short wait before words go out) is in the model, not an action.
import { t } from "../words.js";
import { echo, meaning, verdict, wantsMore } from "./meaning.js";
import { portion } from "./reading.js";

/** @typedef {import("./reading.js").Ask} Ask */
/** @typedef {"off" | "listening" | "sending" | "waiting" | "speaking" | "asking" | "paused" | "trouble"} State */
/** @typedef {"start" | "leave" | "tap" | "heard" | "said" | "silence" | "mic" | "elapsed" | "typed" | "type" | "accepted" | "refused" | "answer" | "asked" | "settled" | "spoken" | "agent" | "hidden" | "lost" | "back"} Name */
/** What is to be said; rest is what "more" reads afterwards. @typedef {{parts: string[], rest: string[]}} Speech */
/**
 * @typedef {{name: "start", lang: string, deaf: string, overlap: boolean, working: boolean, talk: boolean, lost: boolean, asks: Ask[]} | {name: "heard" | "said" | "typed", text: string} |
 *   {name: "mic", problem: string} | {name: "refused", words: string, ask?: string} | {name: "answer", now: string[], rest: string[]} | {name: "asked", ask: Ask} |
 *   {name: "settled", id: string, words: string, cue: Cue} | {name: "agent", working: boolean, talk: boolean} |
 *   {name: "leave" | "tap" | "silence" | "elapsed" | "type" | "accepted" | "spoken" | "hidden" | "lost" | "back"}} Event
 */
/** @typedef {"waits" | "sent" | "done" | "stopped"} Cue */
/** @typedef {{do: "post", text: string} | {do: "decide", id: string, answer: Nod.Answer} | {do: "cue", cue: Cue}} Effect */
/**
 * @typedef {object} Model
 * @property {State} state
 * @property {"" | "reading" | "hearing" | "waits"} phase of asking: it is read, an answer is heard, or it waits for the screen or a tap
 * @property {string} lang
 * @property {string} deaf why this browser cannot listen; "": it can
 * @property {boolean} overlap whether the microphone may be open during speech
 * @property {boolean} working the agent works or waits
 * @property {boolean} talk the agent can be spoken to
 * @property {boolean} expect something was sent and nothing has come back
 * @property {boolean} lost no line to the hub
* @property {string} held recognised text that is not sent yet
 * @property {string} live what is being said just now
 * @property {{post: boolean, id: string} | null} out what is on its way to the hub
 * @property {Speech[]} queue
 * @property {string[]} rest
* @property {Ask[]} asks pending requests, oldest first
 * @property {{words: string, answer: Nod.Answer} | null} confirm words of one's own, read back
 * @property {number} tries how often the question was not understood
 * @property {number} silent how often nothing was heard
 * @property {string} why the trouble: denied, nomic, failed, offline, refused
 * @property {string} words and what to say about it
 * @property {{n: number, parts: string[]} | null} speech
 * @property {number} round incremented whenever the microphone opens: results of an older round are ignored
 * @property {number} grace a wait before held words go out; 0: none
 * @property {number} n
 */
/** @typedef {[Model, Effect[]]} Step */

/** How long a text can be cancelled or continued before it is sent. */
export const GRACE = 1500;
/** After so many rounds of silence, about a minute, the microphone closes. */
export const SILENCE = 8;

/** @type {Model} */
export const OFF = Object.freeze({ state: "off", phase: "", lang: "en", deaf: "", overlap: false, working: false, talk: false, expect: false, lost: false, held: "", live: "", out: null, queue: [], rest: [],
  asks: [], confirm: null, tries: 0, silent: 0, why: "", words: "", speech: null, round: 0, grace: 0, n: 0 });

/** @type {State[]} */
export const STATES = ["off", "listening", "sending", "waiting", "speaking", "asking", "paused", "trouble"];
/** @type {Name[]} */
export const EVENTS = ["start", "leave", "tap", "heard", "said", "silence", "mic", "elapsed", "typed", "type", "accepted", "refused", "answer", "asked", "settled", "spoken", "agent", "hidden", "lost", "back"];

/** Whether the microphone is open. @param {Model} m */
export function ears(m) {
  if (m.deaf) return false;
  if (m.state === "listening") return true;
  if (m.state === "sending") return m.grace > 0;
  if (m.state === "speaking") return m.overlap;
  return m.state === "asking" && (m.phase === "hearing" || (m.phase === "reading" && m.overlap));
}

/** @param {Model} m @param {Event} e @returns {Step} */
export function step(m, e) {
  return TABLE[m.state][e.name](m, /** @type {any} */ (e));
}

/** Nothing to do; also the entry for what changes nothing. @param {Model} m @returns {Step} */
const stay = (m) => [m, []];

/** Nothing is said, heard or counted down. @param {Model} m @returns {Model} */
const still = (m) => ({ ...m, phase: "", live: "", speech: null, grace: 0, confirm: null, tries: 0, silent: 0, why: "", words: "" });

/** @param {Model} m @param {string[]} parts @returns {Model} */
const say = (m, parts) => ({ ...m, n: m.n + 1, speech: { n: m.n + 1, parts } });

/** @param {Model} m @returns {Model} */
const listen = (m) => ({ ...still(m), state: "listening", held: "", expect: false, round: m.round + 1 });

/** @param {Model} m @returns {Model} */
const pause = (m) => ({ ...still(m), state: "paused", held: "" });

/** @param {Model} m @param {string} why @param {string} words @returns {Model} */
const trouble = (m, why, words) => say({ ...still(m), state: "trouble", held: "", why, words }, [words]);

/** What comes next when nothing is being spoken: an answer, a request, running work, and then it is the person's turn. @param {Model} m @returns {Model} */
function next(m) {
  const [first, ...queue] = m.queue;
  if (m.lost) return trouble(m, "offline", t("voice.offline"));
  if (first) return say({ ...still(m), state: "speaking", queue, rest: first.rest, round: m.round + 1 }, first.rest.length ? [...first.parts, t("voice.more")] : first.parts);
  if (m.out) return { ...still(m), state: "sending" };
  if (m.asks[0]) return read(m, m.asks[0]);
  return m.working || m.expect || !m.talk ? { ...still(m), state: "waiting" } : listen(m);
}

/** @param {Model} m @param {Ask} ask @returns {Model} */
const read = (m, ask) => say({ ...still(m), state: "asking", phase: "reading", round: m.round + 1 }, [...ask.lead, ask.question, ...(ask.by === "screen" ? [t("voice.screen")] : [])].filter(Boolean));

/** The speech is over: an answer can be given now, or only on the screen. @param {Model} m @returns {Model} */
const hear = (m) => ({ ...m, phase: m.asks[0]?.by === "voice" && !m.deaf ? "hearing" : "waits", speech: null, live: "", silent: 0, round: m.round + 1 });

/** Text that waits a moment: it can be cancelled, or continued. @param {Model} m @param {string} text @returns {Model} */
const hold = (m, text) => ({ ...still(m), state: "sending", held: text, n: m.n + 1, grace: m.n + 1 });

/** @param {string} a @param {string} b */
const join = (a, b) => [a, b.trim()].filter(Boolean).join(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]$/u.test(a) ? "" : " ");

/** @param {Model} m @param {string} text @returns {Step} */
function post(m, text) {
  const words = text.trim();
  if (!words || m.out || !m.talk) return stay(m);
  return [{ ...still(m), state: "sending", held: words, rest: [], out: { post: true, id: "" } }, [{ do: "post", text: words }]];
}

/** The person talks over nod. That only stops the speech: what the microphone hears meanwhile may be nod's own voice. @param {Model} m @param {string} text */
const interrupts = (m, text) => m.overlap && m.speech !== null && !echo(text, m.speech.parts.join(" "));

/** The talking stops at once; then it is the person's turn, unless something waits for them. @param {Model} m @returns {Model} */
const hush = (m) => (m.asks[0] || m.queue.length || !m.talk ? next(m) : listen(m));

/** What is true in every state but off. A row of the table may say otherwise. */
const common = {
  start: stay, spoken: stay, elapsed: stay, silence: stay, heard: stay, said: stay, back: stay, typed: stay,
  leave: () => stay(OFF),
  /** @param {Model} m */
  type: (m) => stay({ ...m, deaf: m.deaf || "chosen" }),
  /** @param {Model} m @param {{problem: string}} e */
  mic: (m, e) => stay(trouble(m, e.problem, t(`voice.mic.${e.problem}`))),
  /** The hub has the words. @param {Model} m @returns {Step} */
  accepted: (m) => (m.out?.post ? [{ ...m, out: null, held: "", expect: true }, [{ do: "cue", cue: "sent" }]] : stay(m)),
  /** @param {Model} m @param {{words: string, ask?: string}} e @returns {Step} */
  refused: (m, e) => [trouble({ ...m, out: null, expect: false }, "refused", e.words), [{ do: "cue", cue: "stopped" }]],
  /** @param {Model} m @param {{now: string[], rest: string[]}} e */
  answer: (m, e) => stay({ ...m, expect: false, queue: [...m.queue, { parts: e.now, rest: e.rest }].slice(-3) }),
  /** @param {Model} m @param {{ask: Ask}} e @returns {Step} */
  asked: (m, e) => (m.asks.some((a) => a.id === e.ask.id) ? stay(m) : [{ ...m, asks: [...m.asks, e.ask] }, [{ do: "cue", cue: "waits" }]]),
  /** @param {Model} m @param {{id: string}} e @returns {Step} */
  settled: (m, e) => stay({ ...m, asks: m.asks.filter((a) => a.id !== e.id), out: m.out?.id === e.id ? null : m.out }),
  /** @param {Model} m @param {{working: boolean, talk: boolean}} e */
  agent: (m, e) => stay({ ...m, working: e.working, talk: e.talk, expect: m.expect && !(m.working && !e.working) }),
  /** @param {Model} m */
  hidden: (m) => stay(pause(m)),
  /** @param {Model} m */
  lost: (m) => stay(trouble({ ...m, lost: true }, "offline", t("voice.offline"))),
};

/** A row that goes on as soon as something has come. @param {(m: Model) => boolean} free whether it may be left */
const eager = (free) => Object.fromEntries(/** @type {const} */ (["answer", "asked", "settled", "agent", "accepted"]).map((name) => [name, (/** @type {Model} */ m, /** @type {any} */ e) => {
  const [after, effects] = /** @type {Step} */ (common[name](m, e));
  const news = after.queue.length > 0 || after.asks.length > 0;
  const rested = name === "agent" && !after.working && !after.expect && after.talk && (m.working || !m.talk);
  return [(news || rested) && free(m) ? next(after) : after, effects];
}]));

/** The person who is asked has spoken. @param {Model} m @param {{text: string}} e @returns {Step} */
function answered(m, e) {
  const ask = m.asks[0];
  if (!ask) return stay(next(m));
  if (m.confirm) {
    const v = verdict(e.text, m.lang);
    if (v === "yes") return decided(m, ask, m.confirm.answer);
    if (v === "no") return stay(read(m, ask));
    return unclear(m, t("voice.confirm", m.confirm.words));
  }
  const heard = meaning(ask, e.text, m.lang);
  if (heard.kind === "answer") return decided(m, ask, heard.answer);
  if (heard.kind === "again") return stay(read(m, ask));
  if (heard.kind === "confirm") return stay(say({ ...m, phase: "reading", live: "", tries: 0, confirm: { words: heard.words, answer: heard.answer }, round: m.round + 1 }, [t("voice.confirm", heard.words)]));
  return unclear(m, t(ask.kind === "verdict" ? "voice.unclear.verdict" : "voice.unclear.choice"), ask.question);
}

/** Once more; after that it waits in silence. @param {Model} m @param {...string} parts @returns {Step} */
function unclear(m, ...parts) {
  if (m.tries > 0) return stay({ ...m, phase: "waits", live: "", confirm: null });
  return stay(say({ ...m, phase: "reading", live: "", tries: 1, round: m.round + 1 }, parts));
}

/** @param {Model} m @param {Ask} ask @param {Nod.Answer} answer @returns {Step} */
const decided = (m, ask, answer) => [{ ...still(m), state: "sending", held: "", out: { post: false, id: ask.id } }, [{ do: "decide", id: ask.id, answer }]];

/** The request is settled, here or elsewhere: say so, then ask the next. @param {Model} m @param {{id: string, words: string, cue: Cue}} e @returns {Step} */
function over(m, e) {
  const ours = m.out?.id === e.id || (m.state === "asking" && m.asks[0]?.id === e.id);
  const [after] = /** @type {Step} */ (common.settled(m, e));
  if (!ours) return stay(after);
  return [next({ ...after, expect: true, queue: [{ parts: [e.words], rest: [] }, ...after.queue] }), [{ do: "cue", cue: e.cue }]];
}

/** @typedef {Record<Name, (m: Model, e: any) => Step>} Row */

/** @type {Row} */
const none = /** @type {any} */ (Object.fromEntries(EVENTS.map((name) => [name, stay])));

/** Every state with every event. @type {Record<State, Row>} */
export const TABLE = {
  off: {
    ...none,
    start: (_, e) => stay(next({ ...OFF, lang: e.lang, deaf: e.deaf, overlap: e.overlap, working: e.working, talk: e.talk, lost: e.lost, asks: e.asks })),
  },
  listening: /** @type {Row} */ ({
    ...common, ...eager((m) => !m.held && !m.live),
    agent: (m, e) => {
      const [after] = common.agent(m, e);
      return stay(after.talk ? after : next({ ...after, held: "" }));
    },
    tap: (m) => (m.held || m.live ? post(m, join(m.held, m.live)) : stay(pause(m))),
    heard: (m, e) => stay({ ...m, live: e.text, silent: 0 }),
    said: (m, e) => {
      if (!m.held && m.rest.length && wantsMore(e.text, m.lang)) {
        const p = portion(m.rest);
        return stay(next({ ...m, queue: [{ parts: p.now, rest: p.rest }, ...m.queue] }));
      }
      return stay(hold(m, join(m.held, e.text)));
    },
    silence: (m) => {
      if (m.held || m.live) return stay(hold(m, join(m.held, m.live)));
      return stay(m.silent + 1 >= SILENCE ? pause(m) : { ...m, silent: m.silent + 1 });
    },
    typed: (m, e) => post(m, e.text),
  }),
  sending: /** @type {Row} */ ({
    ...common,
    tap: (m) => stay(m.grace ? listen(m) : m),
    heard: (m, e) => stay(m.grace ? { ...still(m), state: "listening", live: e.text } : m),
    said: (m, e) => stay(m.grace ? hold(m, join(m.held, e.text)) : m),
    elapsed: (m) => (!m.grace ? stay(m) : m.talk ? post(m, m.held) : stay(next({ ...m, held: "" }))),
    accepted: (m) => {
      const [after, effects] = common.accepted(m);
      return [after.out || m.grace ? after : next(after), effects];
    },
    refused: (m, e) => {
      if (!m.out || m.out.post) return common.refused(m, e);
      const asks = m.asks.map((a) => (a.id === e.ask ? { ...a, by: /** @type {const} */ ("screen") } : a));
      return [say({ ...still(m), state: "asking", phase: "reading", out: null, asks, round: m.round + 1 }, [e.words, t("voice.screen")]), [{ do: "cue", cue: "stopped" }]];
    },
    settled: over,
    mic: (m, e) => stay(m.out ? { ...m, deaf: e.problem } : trouble(m, e.problem, t(`voice.mic.${e.problem}`))),
  }),
  waiting: /** @type {Row} */ ({
    ...common, ...eager(() => true),
    tap: (m) => stay(m.talk ? listen(m) : pause(m)),
    typed: (m, e) => post(m, e.text),
    mic: stay,
  }),
  speaking: /** @type {Row} */ ({
    ...common,
    spoken: (m) => stay(next(m)),
    tap: (m) => stay(hush(m)),
    heard: (m, e) => stay(interrupts(m, e.text) ? hush(m) : m),
    said: (m, e) => stay(interrupts(m, e.text) ? hush(m) : m),
    typed: (m, e) => post(m, e.text),
    mic: (m) => stay({ ...m, overlap: false }), // a microphone that does not open is reported when it is needed
  }),
  asking: /** @type {Row} */ ({
    ...common,
    spoken: (m) => stay(m.phase === "reading" ? hear(m) : m),
    tap: (m) => stay(m.phase === "reading" ? hear(m) : m.phase === "hearing" ? { ...m, phase: "waits", live: "", confirm: null } : m.asks[0] ? read(m, m.asks[0]) : next(m)),
    heard: (m, e) => stay(m.phase === "hearing" ? { ...m, live: e.text, silent: 0 } : m.phase === "reading" && interrupts(m, e.text) ? hear(m) : m),
    said: (m, e) => (m.phase === "hearing" ? answered(m, e) : stay(m.phase === "reading" && interrupts(m, e.text) ? hear(m) : m)),
    silence: (m) => stay(m.phase !== "hearing" ? m : m.silent + 1 >= SILENCE ? { ...m, phase: "waits", live: "", confirm: null } : { ...m, live: "", silent: m.silent + 1 }),
    settled: over,
    mic: (m, e) => stay(m.phase === "hearing" ? trouble(m, e.problem, t(`voice.mic.${e.problem}`)) : { ...m, overlap: false }),
    type: (m) => stay(m.phase === "hearing" ? { ...m, deaf: "chosen", phase: "waits" } : { ...m, deaf: "chosen" }),
  }),
  paused: /** @type {Row} */ ({
    ...common,
    tap: (m) => stay(next(m)),
    mic: stay, hidden: stay,
  }),
  trouble: /** @type {Row} */ ({
    ...common,
    tap: (m) => stay(next({ ...m, deaf: m.deaf === "chosen" ? "" : m.deaf })),
    spoken: (m) => stay({ ...m, speech: null }),
    type: (m) => stay(next({ ...m, deaf: m.deaf || "chosen" })),
    back: (m) => stay(m.why === "offline" ? next({ ...m, lost: false }) : { ...m, lost: false }),
    mic: stay,
    hidden: (m) => stay({ ...m, speech: null }),
  }),
};
