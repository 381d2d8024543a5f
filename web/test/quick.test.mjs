import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting, moment } from "../js/chat/quick.js";

const agent = (more = {}) => ({ id: "a", state: "idle", since: "2026-01-01T12:00:00Z", can: ["say"], ...more });
const say = (id, more = {}) => ({ id, label: id, do: { kind: "say", text: `${id}.` }, ...more });

test("only words are offered above the box, and the way to more of them", () => {
  const more = { id: "page-1", label: "More", do: { kind: "page", page: 1 } };
  const list = [say("yes", { hold: true }), say("no"), say("empty", { do: { kind: "say" } }), { id: "stop", label: "STOP", do: { kind: "stop" } },
    { id: "allow", label: "Yes", do: { kind: "decide", request: "r", answer: { verdict: "allow" } } }, { id: "open", label: "Open nod", do: { kind: "open" } }, more];
  assert.deepEqual(fitting(list).map((b) => b.id), ["no", "page-1"]);
});

test("suggestions are renewed when the agent becomes idle or a message was sent, and there are none while it works", () => {
  assert.equal(moment(agent(), 7), moment(agent(), 7));
  assert.notEqual(moment(agent(), 7), moment(agent(), 8));
  assert.notEqual(moment(agent(), 7), moment(agent({ since: "2026-01-01T13:00:00Z" }), 7));
  for (const none of [undefined, agent({ state: "working" }), agent({ state: "waiting" }), agent({ state: "ended" }), agent({ can: [] })]) assert.equal(moment(none, 7), "");
  for (const state of ["idle", "limited", "error"]) assert.notEqual(moment(agent({ state }), 7), "");
});
