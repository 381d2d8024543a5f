import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWaits, apply, away, empty, machine, needsHold, project, replies, restart, steady, step, waiting } from "../js/state.js";

const request = (id, more = {}) => ({ id, agent: { id: "a", name: "n", host: "h", cwd: "/x/y", kind: "claude" }, kind: "approval", title: id, status: "pending", asked_at: "2026-01-01T00:00:00Z", receipts: [], ...more });
const at = "2026-01-01T00:00:10Z";
const begin = (...requests) => restart(empty(), { seq: 10, agents: [], requests, leases: [] });

test("events that were heard before change nothing", () => {
  const s = begin(request("r"));
  assert.equal(apply(s, { seq: 10, at, kind: "request.expired", request_id: "r" }), s);
});

test("a state that was given out is never changed", () => {
  const s = begin(request("r"));
  apply(s, { seq: 11, at, kind: "request.decided", request_id: "r", decision: { verdict: "allow", by: "anna", via: "web", at } });
  assert.equal(s.requests.get("r").status, "pending");
});

test("a decision settles once, and the receipts follow it", () => {
  let s = begin(request("r"));
  s = apply(s, { seq: 11, at, kind: "request.decided", request_id: "r", decision: { verdict: "allow", by: "anna", via: "web", at } });
  assert.equal(step(s.requests.get("r")), "decided");
  s = apply(s, { seq: 12, at, kind: "request.withdrawn", request_id: "r", withdrawal: { reason: "ended", at } });
  assert.equal(s.requests.get("r").status, "decided", "the first answer wins");
  for (const [n, name] of ["delivered", "doubted", "applied"].entries()) {
    s = apply(s, { seq: 13 + n, at, kind: "request.receipt", request_id: "r", receipt: { step: name, at } });
    assert.equal(step(s.requests.get("r")), name);
  }
});

test("a new snapshot forgets what was settled unseen and keeps what was seen", () => {
  let s = begin(request("seen"), request("unseen"), request("still"));
  s = apply(s, { seq: 11, at, kind: "request.expired", request_id: "seen" });
  s = restart(s, { seq: 50, agents: [], requests: [request("still"), request("new")], leases: [] });
  assert.deepEqual([...s.requests.keys()].sort(), ["new", "seen", "still"]);
  assert.equal(s.seq, 50);
});

test("only so many settled requests are kept, the newest", () => {
  let s = begin(...Array.from({ length: 60 }, (_, i) => request(`r${i}`)));
  for (let i = 0; i < 60; i++) s = apply(s, { seq: 11 + i, at, kind: "request.expired", request_id: `r${i}` });
  assert.equal(s.requests.size, 40);
  assert.ok(s.requests.has("r59") && !s.requests.has("r0"));
});

test("a lease counts what was decided under it, and ends", () => {
  let s = restart(empty(), { seq: 10, agents: [], requests: [request("r")], leases: [{ id: "l", used: 2, limit: 30 }] });
  s = apply(s, { seq: 11, at, kind: "request.decided", request_id: "r", decision: { verdict: "allow", by: "nod", via: "lease", under: "l", at } });
  assert.equal(s.leases.get("l").used, 3);
  s = apply(s, { seq: 12, at, kind: "lease.ended", lease: { id: "l" } });
  assert.equal(s.leases.size, 0);
});

test("kinds of a newer hub move the cursor and nothing else", () => {
  const s = begin(request("r"));
  const next = apply(s, { seq: 11, at, kind: "moon.risen" });
  assert.equal(next.seq, 11);
  assert.equal(next.requests, s.requests);
});

test("the oldest deadline is first, then the oldest question", () => {
  const s = begin(
    request("no-deadline-old", { asked_at: "2026-01-01T00:00:01Z" }),
    request("late", { expires_at: "2026-01-01T01:00:00Z", asked_at: "2026-01-01T00:00:00Z" }),
    request("soon", { expires_at: "2026-01-01T00:10:00Z", asked_at: "2026-01-01T00:00:09Z" }),
    request("no-deadline-new", { asked_at: "2026-01-01T00:00:02Z" }));
  assert.deepEqual(waiting(s).map((r) => r.id), ["soon", "late", "no-deadline-old", "no-deadline-new"]);
});

test("what is on screen keeps its place, what is new comes below", () => {
  assert.deepEqual(steady(["b", "c"], ["a", "b", "c"]), { order: ["b", "c", "a"], urgent: ["a"] });
  assert.deepEqual(steady(["b", "gone"], ["b", "z"]), { order: ["b", "z"], urgent: [] });
  assert.deepEqual(steady([], ["a", "b"]), { order: ["a", "b"], urgent: [] });
});

test("risky and unknown approvals must be held, questions never", () => {
  for (const level of ["destructive", "secret", "unknown"]) assert.ok(needsHold(request("r", { risk: { level } })));
  assert.ok(needsHold(request("r")), "no word about risk is unknown risk");
  for (const level of ["read", "write", "network"]) assert.ok(!needsHold(request("r", { risk: { level } })));
  assert.ok(!needsHold(request("r", { kind: "question" })));
});

test("a dialog's own Yes and No are not offered beside Allow and Deny", () => {
  const suggestions = [
    { label: "Yes", answer: { verdict: "allow" } },
    { label: "Yes, and don't ask again", answer: { verdict: "allow", remember: "choice-2" } },
    { label: "No", answer: { verdict: "deny" } },
    { label: "Use make instead", answer: { verdict: "deny", message: "Use make instead" } },
  ];
  const options = [{ id: "choice-2", kind: "always", label: "Yes, and don't ask again" }];
  assert.deepEqual(replies(request("r", { suggestions, options })).map((x) => x.label), ["Use make instead"]);
  assert.equal(replies(request("r", { suggestions })).length, 2, "what no other button offers stays");
  assert.equal(replies(request("r", { kind: "question", suggestions })).length, 4);
  assert.deepEqual(replies(request("r")), []);
});

test("a project is the last folder", () => {
  assert.equal(project("/home/anna/src/web-shop/"), "web-shop");
  assert.equal(project("C:\\work\\shop"), "shop");
  assert.equal(project("/"), "/");
});

const agent = (id, hub, more = {}) => ({ id, name: id, host: "desk", hub, cwd: "/x", state: "idle", since: at, ...more });

test("an agent is away with the host that reaches it, until that is back", () => {
  let s = restart(empty(), {
    seq: 10, requests: [request("r", { agent: { id: "linked", name: "n", host: "desk", cwd: "/", kind: "claude" } }), request("alone")],
    agents: [agent("linked", "link:desk"), agent("first", "desk-1"), agent("second", "desk-2"), agent("ended", "link:desk", { state: "ended" }), agent("a", undefined), agent("new", "desk-9")],
    hosts: [{ name: "desk", up: false, since: at }, { name: "desk", hub: "desk-1", up: true, since: at }, { name: "desk", hub: "desk-2", up: false, since: at }],
  });
  const gone = () => ["linked", "first", "second", "ended", "a", "new", "nobody"].filter((id) => away(s, id));
  assert.deepEqual(gone(), ["linked", "second"]);
  assert.ok(answerWaits(s, s.requests.get("r")) && !answerWaits(s, s.requests.get("alone")));
  s = apply(s, { seq: 11, at, kind: "request.decided", request_id: "r", decision: { verdict: "allow", by: "anna", via: "web", at } });
  assert.ok(answerWaits(s, s.requests.get("r")), "it is decided, and its host does not know yet");
  s = apply(s, { seq: 12, at, kind: "host.changed", host: { name: "desk", up: true, since: at } });
  s = apply(s, { seq: 13, at, kind: "host.changed", host: { name: "desk", hub: "desk-1", up: false, since: at } });
  assert.deepEqual(gone(), ["first", "second"]);
  assert.ok(!answerWaits(s, s.requests.get("r")));
  s = restart(s, { seq: 20, agents: [agent("first", "desk-1")], requests: [] });
  assert.deepEqual(gone(), [], "a hub that tells of no hosts has none");
});

test("a machine is named where there is more than one", () => {
  const one = { seq: 1, requests: [request("r", { agent: { id: "a", name: "n", host: "desk", cwd: "/", kind: "claude" } })], agents: [agent("a"), agent("old", "", { host: "attic", state: "ended" })], leases: [] };
  const named = (more) => machine(restart(empty(), { ...one, ...more }), "desk");
  assert.equal(named({}), "");
  assert.equal(named({ hosts: [{ name: "desk", hub: "desk-1", up: true, since: at }] }), "");
  assert.equal(named({ hosts: [{ name: "laptop", up: true, since: at }] }), "desk");
  assert.equal(named({ agents: [agent("a"), agent("b", "", { host: "nas" })] }), "desk");
  assert.equal(named({ agents: [], requests: [request("x")] }), "desk", "an agent on another machine asks");
});
