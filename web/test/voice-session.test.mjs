import assert from "node:assert/strict";
import { test } from "node:test";
import { Ears } from "../js/chat/voice.js";
import { Awake } from "../js/voice/awake.js";
import { Earcons, SOUNDS } from "../js/voice/earcons.js";
import { Mouth } from "../js/voice/mouth.js";
import { DEAF, Session } from "../js/voice/session.js";
import { use } from "../js/words.js";

use("en", {});
const start = { name: "start", lang: "en", deaf: "", overlap: false, working: false, talk: true, lost: false, asks: [] };

/** A clock that stands still until it is told to go on. */
function clock() {
  let now = 1000, list = [];
  return {
    now: () => now,
    after: (ms, f) => { const x = { at: now + ms, f }; list.push(x); return () => { list = list.filter((y) => y !== x); }; },
    pass(ms) {
      for (const end = now + ms; ;) {
        const next = list.filter((x) => x.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) { now = end; return; }
        now = next.at;
        list = list.filter((x) => x !== next);
        next.f();
      }
    },
  };
}

function stage(more = {}) {
  const time = clock(), log = [];
  const session = new Session({
    ears: { start: () => log.push("ears"), stop: () => log.push("no ears") },
    mouth: { say: (parts, o) => { log.push(`say ${parts.join("|")}`); session.done = o.done; }, hush: () => log.push("hush") },
    after: time.after, cue: () => {}, post: (text) => log.push(`post ${text}`), decide: (id, a) => log.push(`decide ${id} ${a.verdict}`), show: () => {},
  }, time.now);
  session.send({ ...start, ...more });
  return { session, time, log };
}

test("words go out when nothing has followed them for a moment, once", () => {
  const { session, time, log } = stage();
  time.pass(2000);
  session.said("fix it");
  session.ended("");
  time.pass(1400);
  assert.deepEqual(log, ["ears", "ears"], "ears stay open for more");
  time.pass(200);
  assert.deepEqual(log.slice(2), ["no ears", "post fix it"].sort((a) => (a === "post fix it" ? -1 : 1)));
  time.pass(60_000);
  assert.equal(log.filter((x) => x.startsWith("post")).length, 1);
});

test("ears open a moment after the mouth has closed, and what an older round hears is nothing", () => {
  const { session, time, log } = stage();
  session.send({ name: "answer", now: ["Done."], rest: [] });
  assert.deepEqual(log, ["ears", "say Done.", "no ears"]);
  session.said("yes"); // late
  assert.equal(session.model.state, "speaking");
  session.done();
  assert.equal(session.model.state, "listening");
  assert.equal(log.length, 3);
  time.pass(DEAF);
  assert.equal(log.at(-1), "ears");
});

test("a mouth that was told to stop cannot end what came after it", () => {
  const { session, log } = stage();
  session.send({ name: "answer", now: ["One."], rest: [] });
  const stale = session.done;
  session.send({ name: "tap" });
  assert.ok(log.includes("hush"));
  session.send({ name: "answer", now: ["Two."], rest: [] });
  stale();
  assert.equal(session.model.state, "speaking");
});

test("ears that close by themselves open again; ears that close at once again and again are broken", () => {
  const { session, time, log } = stage();
  time.pass(8000);
  session.ended("");
  assert.deepEqual(log, ["ears", "ears"]);
  for (let i = 0; i < 5; i++) session.ended("");
  assert.deepEqual([session.model.state, session.model.why], ["trouble", "failed"]);
});

test("a microphone that is refused is trouble, and leaving ends everything", () => {
  const { session, log } = stage();
  session.ended("denied");
  assert.equal(session.model.why, "denied");
  session.send({ name: "leave" });
  assert.equal(log.at(-1), "hush");
  session.said("hello");
  assert.equal(session.model.state, "off");
});

class FakeRecognition {
  static all = [];
  constructor() { FakeRecognition.all.push(this); }
  start() { this.started = true; }
  abort() { this.aborted = true; }
  give(transcript, isFinal) { this.onresult({ results: [Object.assign([{ transcript }], { isFinal })] }); }
}

test("ears hear one utterance in the language of the page, and say why they cannot", () => {
  const log = [];
  const ears = new Ears({ once: true, Recognition: FakeRecognition, text: (f, i) => log.push(f ? `said ${f}` : `heard ${i}`), end: (p) => log.push(`end ${p}`) });
  ears.start();
  const [r] = FakeRecognition.all;
  assert.deepEqual([r.lang, r.continuous, r.interimResults], ["en-US", false, true]);
  r.give("fix", false);
  r.give("fix it", true);
  r.onend();
  ears.start();
  ears.stop();
  const second = FakeRecognition.all[1];
  assert.ok(second.aborted);
  second.give("too late", true);
  second.onend();
  for (const error of ["not-allowed", "audio-capture", "network", "no-speech"]) {
    ears.start();
    FakeRecognition.all.at(-1).onerror({ error });
    FakeRecognition.all.at(-1).onend();
  }
  assert.deepEqual(log, ["heard fix", "said fix it", "end ", "end denied", "end nomic", "end failed", "end "]);
});

test("a mouth says sentences one after the other, and does not wait for a voice that says nothing", () => {
  const time = clock(), said = [], log = [];
  const voice = { speak: (u) => said.push(u), cancel: () => log.push("cancel"), getVoices: () => [{ lang: "pl_PL", localService: true }, { lang: "en-GB", localService: false }] };
  const mouth = new Mouth(voice, (text) => ({ text }), time.after);
  mouth.say(["One.", "Zażółć."], { part: (x) => log.push(x), done: () => log.push("done") });
  said[0].onend();
  said[0].onend(); // some tell it twice
  assert.deepEqual([said.length, said[1].lang, said[1].voice?.lang, said[0].voice], [2, "pl-PL", "pl_PL", undefined]);
  time.pass(20_000);
  assert.deepEqual(log, ["One.", "Zażółć.", "done"]);
  mouth.say(["Long."], { part: () => {}, done: () => log.push("never") });
  mouth.hush();
  said.at(-1).onend();
  time.pass(20_000);
  assert.equal(log.at(-1), "cancel");
});

test("the screen stays on while it is wanted, also after the page was away, and not longer", async () => {
  const held = [];
  const listeners = new Set();
  const page = { visibilityState: "visible", addEventListener: (_, f) => listeners.add(f), removeEventListener: (_, f) => listeners.delete(f) };
  const locks = { request: async () => { const l = { released: false, release: async () => { l.released = true; } }; held.push(l); return l; } };
  const rest = () => new Promise((r) => setImmediate(r));
  const awake = new Awake(locks, page);
  awake.on();
  await rest();
  assert.equal(held.length, 1);
  held[0].released = true; // the browser did it
  page.visibilityState = "hidden";
  for (const f of listeners) f();
  await rest();
  assert.equal(held.length, 1);
  page.visibilityState = "visible";
  for (const f of listeners) f();
  await rest();
  assert.equal(held.length, 2);
  awake.off();
  await rest();
  assert.deepEqual([held[1].released, listeners.size], [true, 0]);
  awake.on();
  awake.off(); // before the browser has answered
  await rest();
  assert.ok(held.every((l) => l.released));
  const without = new Awake(undefined, page);
  without.on();
  without.off();
});

test("sounds wait for a touch and for the person's wish, and are made of notes", () => {
  let tones = 0, wanted = true;
  const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = () => ({ connect: (to) => to });
  const context = { state: "running", currentTime: 0, destination: {}, close: async () => {}, createOscillator: () => ({ ...node(), frequency: param, start: () => tones++, stop() {} }), createGain: () => ({ ...node(), gain: param }) };
  const e = new Earcons(() => context, () => wanted);
  e.play("waits");
  assert.equal(tones, 0, "before the first touch");
  e.unlock();
  e.play("waits");
  e.play("stopped");
  assert.equal(tones, 3, "one note, two clicks");
  wanted = false;
  e.play("done");
  assert.equal(tones, 3);
  assert.ok(SOUNDS.waits[0].to > SOUNDS.waits[0].from && SOUNDS.done[0].long < 0.1);
  new Earcons(undefined).unlock();
});
