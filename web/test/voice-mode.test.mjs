import assert from "node:assert/strict";
import { test } from "node:test";
import { ears, EVENTS, OFF, SILENCE, STATES, step, TABLE } from "../js/voice/mode.js";
import { use } from "../js/words.js";

use("en", {}); // words are their own keys here

const verdict = (id, more = {}) => ({ id, name: "shop", by: "voice", kind: "verdict", lead: ["shop asks"], question: "Run git push?", options: [], free: false, key: "", ...more });
const choice = (id, more = {}) => verdict(id, { kind: "choice", question: "Which?", options: ["Small", "Large"], key: "q", ...more });
const start = { name: "start", lang: "en", deaf: "", overlap: true, working: false, talk: true, lost: false, asks: [] };

/** Plays events one after the other; what was done is collected. */
function play(from, ...events) {
  const did = [];
  let m = from;
  for (const e of events) {
    const [next, effects] = step(m, typeof e === "string" ? { name: e } : e);
    m = next;
    did.push(...effects.filter((x) => x.do !== "cue"));
  }
  return { m, did };
}
const on = (...events) => play(OFF, start, ...events);
const said = (text) => ({ name: "said", text });
const heard = (text) => ({ name: "heard", text });
const asked = (ask) => ({ name: "asked", ask });
const settled = (id) => ({ name: "settled", id, words: "Allowed.", cue: "done" });
const at = (m) => [m.state, m.phase].filter(Boolean).join(" ");

/** Every event, with something in it. */
const every = { ...Object.fromEntries(EVENTS.map((name) => [name, { name }])), start, heard: heard("hello"), said: said("yes"), typed: { name: "typed", text: "hi" }, mic: { name: "mic", problem: "denied" },
  refused: { name: "refused", words: "no", ask: "r1" }, answer: { name: "answer", now: ["Done."], rest: [] }, asked: asked(verdict("r9")), settled: settled("r1"), agent: { name: "agent", working: true, talk: true } };

/** A model in every state, and in every phase. */
const models = {
  off: OFF,
  listening: on().m,
  "listening mid-sentence": on(heard("fix")).m,
  sending: on(said("fix it")).m,
  "sending, gone": on(said("fix it"), "elapsed").m,
  "sending an answer": on(asked(verdict("r1")), "spoken", said("yes")).m,
  waiting: on(said("fix it"), "elapsed", "accepted").m,
  speaking: on({ name: "answer", now: ["Hello there."], rest: ["More."] }).m,
  "asking reading": on(asked(verdict("r1"))).m,
  "asking hearing": on(asked(verdict("r1")), "spoken").m,
  "asking waits": on(asked(verdict("r1", { by: "screen" })), "spoken").m,
  paused: on("tap").m,
  trouble: on({ name: "mic", problem: "denied" }).m,
};

test("every state has an entry for every event, and none leads nowhere", () => {
  assert.deepEqual(new Set(Object.values(models).map((m) => m.state)), new Set(STATES));
  for (const state of STATES) {
    assert.deepEqual(Object.keys(TABLE[state]).sort(), [...EVENTS].sort(), state);
    for (const name of EVENTS) assert.equal(typeof TABLE[state][name], "function", `${state} × ${name}`);
  }
  for (const [from, m] of Object.entries(models)) {
    for (const name of EVENTS) {
      const [to] = step(m, every[name]);
      assert.ok(STATES.includes(to.state), `${from} × ${name} → ${to.state}`);
      assert.equal(to.state === "asking", to.phase !== "", `${from} × ${name}: ${at(to)}`);
      if (to.state === "speaking" || to.phase === "reading") assert.ok(to.speech?.parts.length, `${from} × ${name}: nothing to say`);
      if (to.state === "off" || to.state === "paused") assert.ok(!ears(to) && !to.speech && !to.grace, `${from} × ${name}: not at rest`);
      if (name === "leave") assert.equal(to.state, "off", from);
    }
  }
});

test("the whole loop: listen, send, hear the answer, be asked, answer, listen again", () => {
  const { m, did } = on(heard("push"), said("push it"), "elapsed", "accepted", { name: "agent", working: true, talk: true }, asked(verdict("r1")), "spoken", said("Yes."), settled("r1"), "spoken",
    { name: "answer", now: ["It is pushed."], rest: [] }, { name: "agent", working: false, talk: true }, "spoken");
  assert.deepEqual(did, [{ do: "post", text: "push it" }, { do: "decide", id: "r1", answer: { verdict: "allow" } }]);
  assert.equal(at(m), "listening");
});

test("nothing is sent twice, however often a moment comes", () => {
  assert.equal(on(said("fix it"), "elapsed", "elapsed", "elapsed", "tap", "accepted", "accepted", "elapsed").did.length, 1);
  assert.equal(on(heard("fix it"), "tap", "tap", "elapsed", "silence", said("again")).did.length, 1);
  assert.equal(on(asked(verdict("r1")), "spoken", said("yes"), said("yes"), "spoken", "tap", said("yes")).did.length, 1);
  assert.equal(on(said("fix it"), "elapsed", "lost", "back", "elapsed", "tap").did.length, 1, "what is unsure is not repeated by itself");
});

test("words can go on after a breath, and can be taken back", () => {
  assert.deepEqual(on(said("fix the"), heard("lo"), said("login page"), "elapsed").did, [{ do: "post", text: "fix the login page" }]);
  const back = on(said("delete everything"), "tap");
  assert.equal(at(back.m), "listening");
  assert.equal(back.m.held, "");
  assert.deepEqual(play(back.m, "elapsed", "silence").did, []);
  assert.deepEqual(on(said("fix it"), "hidden", "elapsed", "tap", "elapsed").did, [], "what was not sent when the page was left is not sent later");
  assert.deepEqual(on(said("fix it"), "lost", "back", "elapsed").did, []);
});

test("silence is never consent", () => {
  const asking = on(asked(verdict("r1")), "spoken").m;
  const { m, did } = play(asking, ...Array(SILENCE * 3).fill("silence"), "elapsed", "spoken", "elapsed");
  assert.deepEqual(did, []);
  assert.equal(at(m), "asking waits");
  assert.ok(!ears(m));
});

test("only a whole yes or no answers; anything else repeats the question once and then waits", () => {
  const asking = on(asked(verdict("r1")), "spoken").m;
  const first = play(asking, said("yes but wait a moment"));
  assert.deepEqual([at(first.m), first.m.speech.parts.at(-1), first.did], ["asking reading", "Run git push?", []]);
  const second = play(first.m, "spoken", said("I guess yes"));
  assert.deepEqual([at(second.m), second.m.speech, second.did, ears(second.m)], ["asking waits", null, [], false]);
  assert.deepEqual(play(second.m, said("yes")).did, [], "closed ears hear nothing");
  const again = play(second.m, "tap", "spoken", said("no"));
  assert.deepEqual(again.did, [{ do: "decide", id: "r1", answer: { verdict: "deny" } }]);
});

test("what is said while something is read aloud never answers it: it may be our own voice", () => {
  const reading = on(asked(verdict("r1"))).m;
  const own = play(reading, said("run git push"));
  assert.equal(at(own.m), "asking reading", "an echo stops nothing");
  const over = play(reading, said("yes"));
  assert.deepEqual([at(over.m), over.did], ["asking hearing", []]);
  assert.notEqual(over.m.round, reading.round, "the microphone starts a new round");
  assert.deepEqual(play(over.m, said("yes")).did.length, 1);
});

test("risky things are read, said to be for the screen, and no word answers them", () => {
  const risky = on(asked(verdict("r1", { by: "screen" })));
  assert.equal(risky.m.speech.parts.at(-1), "voice.screen");
  const { m, did } = play(risky.m, said("yes"), "tap", said("yes"), "spoken", said("yes"), heard("yes"), "silence", "tap", "spoken", said("allow"));
  assert.deepEqual(did, []);
  assert.equal(ears(m), false);
  assert.equal(at(play(m, settled("r1")).m), "speaking");
});

test("a tap or a voice stops the talking at once", () => {
  const speaking = on({ name: "answer", now: ["All twelve tests pass."], rest: [] }).m;
  assert.equal(at(play(speaking, "tap").m), "listening");
  assert.equal(at(play(speaking, heard("stop please")).m), "listening");
  assert.equal(at(play(speaking, heard("twelve tests")).m), "speaking");
  assert.equal(at(play({ ...speaking, overlap: false }, heard("stop please")).m), "speaking");
  assert.equal(ears({ ...speaking, overlap: false }), false);
});

test("the rest of a long answer is one word away", () => {
  const long = on({ name: "answer", now: ["One.", "Two.", "Three."], rest: ["Four.", "Five."] });
  assert.equal(long.m.speech.parts.at(-1), "voice.more");
  const more = play(long.m, "spoken", said("More."));
  assert.deepEqual([more.m.speech.parts, more.did], [["Four.", "Five."], []]);
  assert.deepEqual(play(more.m, "spoken", said("more"), "elapsed").did, [{ do: "post", text: "more" }], "with nothing left it is a word like any other");
});

test("choices by label, by number, or in words of one's own that are read back first", () => {
  const asking = on(asked(choice("r1", { free: true })), "spoken").m;
  const picked = [{ do: "decide", id: "r1", answer: { verdict: "answer", answers: { q: { picked: ["Large"] } } } }];
  assert.deepEqual(play(asking, said("large")).did, picked);
  assert.deepEqual(play(asking, said("the second one")).did, picked);
  const own = play(asking, said("as wide as the page"));
  assert.deepEqual([own.did, at(own.m)], [[], "asking reading"]);
  assert.deepEqual(play(own.m, "spoken", said("yes")).did, [{ do: "decide", id: "r1", answer: { verdict: "answer", answers: { q: { text: "as wide as the page" } } } }]);
  assert.equal(play(own.m, "spoken", said("no")).m.speech.parts.at(-1), "Which?");
  const closed = play(on(asked(choice("r1")), "spoken").m, said("as wide as the page"));
  assert.deepEqual([closed.did, at(closed.m)], [[], "asking reading"]);
});

test("a question that is settled elsewhere takes no word that was meant for it", () => {
  const two = on(asked(verdict("r1")), asked(verdict("r2")), "spoken").m;
  const next = play(two, settled("r1"));
  assert.equal(at(next.m), "speaking");
  const { m, did } = play(next.m, said("yes"));
  assert.deepEqual([at(m), m.asks[0].id, did], ["asking reading", "r2", []]);
});

test("a question does not cut off a person in the middle of a sentence, nor become its answer", () => {
  const { m, did } = on(heard("please"), asked(verdict("r1")), said("please do it"), "elapsed", "accepted");
  assert.deepEqual(did, [{ do: "post", text: "please do it" }]);
  assert.equal(at(m), "asking reading");
});

test("an answer that was refused is left to the screen", () => {
  const { m, did } = on(asked(verdict("r1")), "spoken", said("yes"), { name: "refused", words: "passkey", ask: "r1" }, "spoken", said("yes"));
  assert.equal(did.length, 1);
  assert.deepEqual([at(m), m.asks[0].by], ["asking waits", "screen"]);
});

test("without ears it is typed, and everything is still spoken", () => {
  const m = play(OFF, { ...start, deaf: "missing" }).m;
  assert.equal(ears(m), false);
  const sent = play(m, { name: "typed", text: " fix it " });
  assert.deepEqual(sent.did, [{ do: "post", text: "fix it" }]);
  assert.equal(at(play(sent.m, "accepted", { name: "answer", now: ["Done."], rest: [] }).m), "speaking");
  assert.equal(at(play(m, asked(verdict("r1")), "spoken").m), "asking waits");
});

test("a refused microphone is said; typing helps, and so does trying again", () => {
  const denied = on({ name: "mic", problem: "denied" }).m;
  assert.deepEqual([denied.state, denied.words], ["trouble", "voice.mic.denied"]);
  assert.equal(ears(play(denied, "tap").m), true);
  const typing = play(denied, "type").m;
  assert.deepEqual([typing.state, ears(typing)], ["listening", false]);
});

test("an agent that cannot be spoken to is only heard and answered", () => {
  const mute = play(OFF, { ...start, talk: false, working: true }).m;
  assert.equal(at(mute), "waiting");
  assert.deepEqual(play(mute, said("hi"), "tap", "tap", { name: "typed", text: "hi" }, "elapsed").did, []);
  assert.equal(play(mute, asked(verdict("r1")), "spoken", said("yes")).did.length, 1);
  assert.equal(at(play(mute, { name: "answer", now: ["Done."], rest: [] }, "spoken").m), "waiting");
});

test("whatever happens, only a yes to that very question allows something", () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let run = 0; run < 300; run++) {
    let m = play(OFF, { ...start, overlap: run % 2 === 0 }).m;
    for (let i = 0; i < 60; i++) {
      const words = ["yes", "no", "yes but", "push it", "large"][random(5)];
      const pool = [...EVENTS.filter((n) => n !== "leave" && n !== "start").map((n) => every[n]), said(words), said(words), "spoken", "spoken", asked(verdict(`r${random(4)}`, { by: random(2) ? "voice" : "screen" })), settled(`r${random(4)}`)];
      const picked = pool[random(pool.length)], e = typeof picked === "string" ? { name: picked } : picked;
      const [next, effects] = step(m, e);
      for (const x of effects.filter((y) => y.do === "decide")) {
        assert.deepEqual([m.state, m.phase, m.asks[0].by, m.asks[0].id, m.out], ["asking", "hearing", "voice", x.id, null]);
        assert.equal(e.text, x.answer.verdict === "allow" ? "yes" : "no");
      }
      assert.ok(effects.filter((y) => y.do === "post").length === 0 || m.out === null);
      m = next;
    }
  }
});
