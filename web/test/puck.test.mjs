import assert from "node:assert/strict";
import { test } from "node:test";
import { angle, Dial, keyMeans, Press, turned } from "../js/puck/gestures.js";
import { arc, choosing, DARK, led, mood, readingTime, remember, taps } from "../js/puck/scene.js";

/** A clock that is moved by hand. */
function clock() {
  let now = 0;
  /** @type {{at: number, f: () => void}[]} */
  let due = [];
  return {
    after(/** @type {number} */ ms, /** @type {() => void} */ f) {
      const one = { at: now + ms, f };
      due.push(one);
      return () => { due = due.filter((d) => d !== one); };
    },
    pass(/** @type {number} */ ms) {
      for (const end = now + ms; ;) {
        const next = due.filter((d) => d.at <= end).sort((a, b) => a.at - b.at)[0];
        now = next?.at ?? end;
        if (!next) return;
        due = due.filter((d) => d !== next);
        next.f();
      }
    },
  };
}

function presses() {
  const c = clock();
  /** @type {string[]} */
  const done = [];
  const press = new Press({ after: c.after, done: (g, about) => done.push(`${g} ${about}`.trim()) });
  const tap = (about = "") => { press.down(about); c.pass(80); press.up(); };
  return { c, done, press, tap };
}

test("one tap is a press, when no second one comes", () => {
  const { c, done, tap } = presses();
  tap("r1");
  c.pass(399);
  assert.deepEqual(done, []);
  c.pass(1);
  assert.deepEqual(done, ["button r1"]);
});

test("several taps are one pattern, closed 400 ms after the last", () => {
  for (const n of [2, 3, 4, 5]) {
    const { c, done, tap } = presses();
    for (let i = 0; i < n; i++) { tap(); c.pass(300); }
    assert.deepEqual(done, [], `${n} taps are not closed yet`);
    c.pass(100);
    assert.deepEqual(done, [`tap_${n}`]);
  }
});

test("six taps are nothing, and neither is a finger that slipped", () => {
  const { c, done, press, tap } = presses();
  for (let i = 0; i < 6; i++) { tap(); c.pass(100); }
  c.pass(1000);
  press.down("");
  press.slip();
  press.up();
  c.pass(2000);
  assert.deepEqual(done, []);
  tap();
  c.pass(400);
  assert.deepEqual(done, ["button"], "and the next tap starts over");
});

test("a second is a long press, once, and not a tap as well", () => {
  const { c, done, press } = presses();
  press.down("r1");
  c.pass(999);
  assert.deepEqual(done, []);
  c.pass(1);
  assert.deepEqual(done, ["long_press r1"]);
  press.up();
  c.pass(2000);
  assert.deepEqual(done, ["long_press r1"]);
});

test("a press is about what was shown when it began, and taps for another thing do not count with it", () => {
  const { c, done, press, tap } = presses();
  press.down("r1");
  c.pass(1000);
  tap("r1");
  c.pass(100);
  tap("r2");
  c.pass(400);
  assert.deepEqual(done, ["long_press r1", "button r2"]);
});

test("angles are the short way round", () => {
  assert.equal(turned(170, -170), 20);
  assert.equal(turned(-170, 170), -20);
  assert.equal(turned(0, 90), 90);
  assert.deepEqual([angle(1, 0), angle(0, 1), angle(-1, 0), angle(0, -1)], [0, 90, 180, -90]);
});

function dial(free = false) {
  /** @type {string[]} */
  const done = [];
  return { done, dial: new Dial({ done: (g, about) => done.push(`${g} ${about}`.trim()), free: () => free }) };
}

test("one movement of the hand is one detent: the second one commits, and must be meant", () => {
  const { done, dial: d } = dial();
  d.begin(0, "r1");
  for (const at of [20, 40, 80, 120, 170, -160]) d.move(at);
  assert.deepEqual(done, ["dial_cw r1"]);
  for (const at of [170, 120]) d.move(at); // back
  assert.deepEqual(done, ["dial_cw r1", "dial_ccw r1"]);
  d.end();
  d.begin(0, "r1");
  d.move(31);
  assert.deepEqual(done.at(-1), "dial_cw r1");
  d.end();
  assert.equal(d.move(90), 0, "a hand that let go turns nothing");
  assert.equal(done.length, 3);
});

test("a dial that is free turns through options", () => {
  const { done, dial: d } = dial(true);
  d.begin(-90, "q");
  d.move(0);
  d.move(-30);
  assert.deepEqual(done, ["dial_cw q", "dial_cw q", "dial_cw q", "dial_ccw q"]);
});

test("a wheel that spins on is one detent, until it rests", () => {
  const { done, dial: d } = dial();
  for (let at = 0; at < 1000; at += 20) d.wheel(-40, at, at ? "r2" : "r1");
  assert.deepEqual(done, ["dial_cw r1"]);
  d.wheel(-20, 1300, "r2");
  assert.equal(done.length, 1, "too little is nothing");
  d.wheel(120, 2000, "r2");
  assert.deepEqual(done.at(-1), "dial_ccw r2");
  const { done: all, dial: f } = dial(true);
  for (let at = 0; at < 60; at += 20) f.wheel(120, at, "q");
  assert.deepEqual(all, ["dial_ccw q", "dial_ccw q", "dial_ccw q"]);
});

test("keys that scroll or press elsewhere belong to the puck only when it has the focus", () => {
  assert.deepEqual(["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", " ", "Enter", "x"].map((k) => keyMeans(k, false)),
    ["dial_cw", "dial_ccw", undefined, undefined, undefined, undefined, undefined]);
  assert.deepEqual(["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", " ", "Enter", "x"].map((k) => keyMeans(k, true)),
    ["dial_cw", "dial_ccw", "dial_cw", "dial_ccw", "press", "press", undefined]);
});

test("a weak light keeps its colour", () => {
  assert.deepEqual(led("#ffa500"), { color: "#ffa500", level: 1 });
  assert.equal(led("#000000").level, 0);
  const weak = led("#008000");
  assert.equal(weak.color, "#00ff00");
  assert.ok(weak.level > 0.4 && weak.level < 0.8);
  assert.ok(led("#0c0c0c").level < led("#787878").level);
  assert.equal(led("nonsense").level, 0);
});

test("twelve arcs go round, clockwise from twelve o'clock", () => {
  assert.equal(arc(0, 12, 100, 0), "M0.00 -100.00A100 100 0 0 1 50.00 -86.60");
  assert.match(arc(3, 4, 10, 0), /A10 10 0 0 1 -?0\.00 -10\.00$/);
});

test("a moment has a word and a tone", () => {
  const scene = (/** @type {string} */ state, /** @type {any} */ light) => mood({ ...DARK, state, light });
  assert.deepEqual(mood(DARK), { word: "quiet", tone: "idle" });
  assert.deepEqual(scene("WAITING", { mode: "solid", color: "orange" }), { word: "waiting", tone: "waiting" });
  assert.deepEqual(scene("EXECUTING", { mode: "solid", color: "green" }), { word: "allowed", tone: "yes" });
  assert.deepEqual(scene("EXECUTING", { mode: "solid", color: "blue" }), { word: "working", tone: "working" });
  assert.deepEqual(scene("IDLE", { mode: "solid", color: "red" }), { word: "stopped", tone: "no" });
  assert.deepEqual(scene("IDLE", { mode: "timer", color: "white" }), { word: "talk", tone: "talk" });
  assert.deepEqual(scene("SOMETHING_NEW", { mode: "off" }), { word: "quiet", tone: "idle" });
  assert.equal(choosing({ ...DARK, state: "MULTIPLE_CHOICE" }), true);
  assert.equal(choosing(DARK), false);
});

test("only taps that do something are told", () => {
  assert.deepEqual(taps({ ...DARK, does: { tap_2: "choose", tap_3: "choose", tap_4: "nothing" } }), ["tap_2", "tap_3"]);
  assert.deepEqual(taps(DARK), []);
});

test("reading takes time, but not forever", () => {
  assert.equal(readingTime(""), 1200);
  assert.ok(readingTime("Run kubectl get nodes?") > 1200);
  assert.equal(readingTime("x".repeat(1000)), 6000);
});

test("the last events are few, and the same again is counted", () => {
  /** @type {{who: string, text: string, times?: number}[]} */
  let list = [];
  for (const text of ["a", "b", "b", "b", "c", "d"]) list = remember(list, { who: "you", text }, 3);
  assert.deepEqual(list.map((e) => `${e.text}${e.times ?? 1}`), ["d1", "c1", "b3"]);
});
