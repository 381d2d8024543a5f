import assert from "node:assert/strict";
import { test } from "node:test";
import { became, compare, learn, nameAgain, PATIENCE, way } from "../js/chat/outbox.js";

const at = Date.parse("2026-01-01T12:00:00Z");
const sent = (more = {}) => ({ id: "message-1", agent: "a", text: "Hello  there", files: [], when_busy: "queue", at, phase: "sending", own: true, ...more });
const message = (status, more = {}) => ({ id: "message-1", agent: "a", text: "Hello  there", by: "phone", via: "web", at: new Date(at).toISOString(), status, ...more });
const none = new Set();

test("a bubble goes forward and never back", () => {
  let list = learn([sent()], message("queued"), none);
  assert.equal(list[0].phase, "queued");
  list = learn(list, message("delivered"), none);
  list = learn(list, message("queued"), none, false);
  assert.equal(list[0].phase, "delivered", "the answer to the call came after the log");
  assert.equal(list[0].own, true);
});

test("a failure says why, also of a message whose delivery was unknown", () => {
  const [x] = learn([sent({ phase: "unsure" })], message("failed", { problem: "It has ended." }), none);
  assert.equal(x.phase, "failed");
  assert.equal(x.problem, "It has ended.");
});

test("what others say is shown while it is on its way, and what is over stays over", () => {
  assert.equal(learn([], message("queued"), none)[0].own, false);
  assert.deepEqual(learn([], message("delivered"), none), []);
  assert.deepEqual(learn([], message("queued"), new Set(["message-1"])), []);
});

test("a message and the turn it became are one", () => {
  const turn = { agent: "a", role: "person", text: "Hello there", at: new Date(at + 900).toISOString(), seq: 7 };
  const x = sent({ phase: "delivered" });
  assert.equal(became([x], turn), x);
  assert.equal(became([x], { ...turn, role: "agent" }), undefined);
  assert.equal(became([x], { ...turn, agent: "b" }), undefined);
  assert.equal(became([x], { ...turn, text: "Hello" }), undefined);
  assert.equal(became([x], { ...turn, at: new Date(at - 60_000).toISOString() }), undefined, "the same words, said before");
  assert.equal(became([sent({ phase: "failed" })], turn), undefined, "said again elsewhere");
  const twice = [sent({ id: "message-1" }), sent({ id: "message-2" })];
  assert.equal(became(twice, turn), twice[0], "one turn is one message");
  const withFile = sent({ files: [{ id: "f", name: "x.png", size: 1 }] });
  assert.equal(became([withFile], { ...turn, text: "Hello there\n\n/tmp/x.png" }), withFile);
});

test("after ten seconds without a word a person hears that there is none", () => {
  assert.equal(way(sent(), at + PATIENCE - 1), "sending");
  assert.equal(way(sent({ phase: "queued" }), at + PATIENCE), "late");
  assert.equal(way(sent({ phase: "queued", when_busy: "wait" }), at + 10 * PATIENCE), "waits", "it was asked to wait");
  assert.equal(way(sent({ phase: "delivered" }), at + 10 * PATIENCE), "delivered");
});

test("what is said again keeps its name unless it certainly was not heard", () => {
  const name = () => "new-name";
  assert.equal(nameAgain(sent({ phase: "unsure" }), name), "message-1");
  assert.equal(nameAgain(sent({ phase: "failed" }), name), "new-name");
  for (const phase of ["sending", "queued", "delivered"]) assert.equal(nameAgain(sent({ phase }), name), undefined);
});

test("the result of a message that was settled while disconnected is unknown, and one that is not in the log yet is not lost", () => {
  const logged = sent({ phase: "queued", logged: true });
  assert.equal(compare([logged], new Map())[0].phase, "unsure");
  const still = [logged];
  assert.equal(compare(still, new Map([["message-1", message("queued")]])), still);
  const quick = [sent({ phase: "queued" })];
  assert.equal(compare(quick, new Map()), quick, "only the answer to the call has come");
  assert.deepEqual(compare([{ ...logged, own: false }], new Map()), []);
});
