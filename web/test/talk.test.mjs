import assert from "node:assert/strict";
import { test } from "node:test";
import { learn } from "../js/chat/outbox.js";
import { blank, grow, paragraphs, sentences } from "../js/talk/writing.js";

const write = (/** @type {object[]} */ ...pieces) => pieces.reduce((w, p) => grow(w, { agent: "a", message: "m1", ...p }), blank());

test("pieces become a text; bytes are counted, not letters", () => {
  assert.equal(write({ at: 0, text: "Świeci" }, { at: 7, text: " się." }).text, "Świeci się.");
  assert.equal(write({ at: 0, text: "🙂" }, { at: 4, text: "!" }).text, "🙂!");
});

test("the same again after a break is said once", () => {
  const w = write({ at: 0, text: "One. " }, { at: 5, text: "Two. " });
  const told = { ...w, told: sentences(w).told };
  const again = grow(told, { agent: "a", message: "m1", at: 0, text: "One. Two. Three. " });
  assert.equal(again.text, "One. Two. Three. ");
  assert.equal(sentences(again).say, "Three.");
});

test("what does not fit is left to the whole answer", () => {
  const w = write({ at: 0, text: "One " }, { at: 99, text: "lost " }, { at: 4, text: "two " });
  assert.equal(w.text, "One ");
  assert.equal(grow(w, { agent: "a", message: "m1", at: 0, text: "One two three" }).text, "One two three");
});

test("another message begins another draft", () => {
  const w = grow(write({ at: 0, text: "One. " }), { agent: "a", message: "m2", at: 0, text: "Other" });
  assert.deepEqual([w.message, w.text, w.told], ["m2", "Other", 0]);
  assert.equal(grow(w, { agent: "a", message: "m2", at: 5, over: true }), w);
});

test("ears get whole sentences", () => {
  assert.equal(sentences(write({ at: 0, text: "It is" })).say, "");
  assert.equal(sentences(write({ at: 0, text: "It is on. And" })).say, "It is on.");
  assert.equal(sentences(write({ at: 0, text: "電気はついています。消し" })).say, "電気はついています。");
  assert.equal(sentences(write({ at: 0, text: "Version 2.5 is" })).say, "");
});

test("a draft has the paragraphs that the answer will have", () => {
  assert.deepEqual(paragraphs("One\ntwo\n\n\nthree \n\n"), ["One\ntwo", "three"]);
  assert.deepEqual(paragraphs("  \n\n"), []);
});

test("a message in the agent's own queue is still on its way", () => {
  const sent = { id: "m1", agent: "a", text: "x", files: [], when_busy: /** @type {const} */ ("queue"), at: 0, phase: /** @type {const} */ ("queued"), own: true };
  const told = { id: "m1", agent: "a", text: "x", by: "b", via: "web", at: new Date(0).toISOString(), status: /** @type {const} */ ("typed") };
  assert.equal(learn([sent], told, new Set())[0].phase, "queued");
  assert.equal(learn([{ ...sent, phase: /** @type {const} */ ("delivered") }], told, new Set())[0].phase, "delivered");
});
