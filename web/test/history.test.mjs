import assert from "node:assert/strict";
import { test } from "node:test";
import { active, fits, fromAddress, NONE, span, toAddress, toQuery } from "../js/history/filters.js";
import { Ledger } from "../js/history/ledger.js";
import { fileName } from "../js/history/save.js";
import { dayWords, pieces, snippet } from "../js/history/text.js";
import { ending } from "../js/history/verdict.js";
import { use } from "../js/words.js";

const now = new Date(2026, 10, 15, 12, 0);
const request = (seq, more = {}) => ({
  id: `r${seq}`, seq, agent: { id: "a1", name: "anvil", host: "desk", cwd: "/src/anvil", kind: "claude" }, kind: "approval", tool: "Bash", title: "go test ./...",
  display: "go test ./...", asked_at: now.toISOString(), status: "decided", receipts: [], decision: { verdict: "allow", by: "anna", via: "web", at: now.toISOString() }, ...more,
});
const where = (more) => ({ ...NONE, ...more });

test("a URL holds the whole query, and no unknown parameters", () => {
  const f = where({ q: "kubectl & co", verdict: "deny", by: "automatic", agent: "a/1", when: "dates", from: "2026-11-01", to: "2026-11-02" });
  const address = toAddress(f);
  assert.deepEqual(fromAddress(address.slice(address.indexOf("?"))), f);
  assert.equal(toAddress(NONE), "/history");
  assert.deepEqual(fromAddress("?verdict=maybe&when=ever&from=2026-11-01&x=1"), NONE, "a made-up verdict would be refused by the hub");
  assert.equal(active(f), 4);
  assert.equal(active(where({ q: "x" })), 0);
});

test("a span begins at midnight here, and its last day is in it", () => {
  assert.deepEqual(span(where({ when: "today" }), now).from, new Date(2026, 10, 15));
  assert.deepEqual(span(where({ when: "week" }), now).from, new Date(2026, 10, 9));
  const dates = span(where({ when: "dates", from: "2026-02-28", to: "2026-02-28" }), now);
  assert.deepEqual(dates, { from: new Date(2026, 1, 28), to: new Date(2026, 2, 1) });
  assert.deepEqual(span(where({ when: "dates" }), now), { from: undefined, to: undefined });
  assert.equal(toQuery(where({ q: " x ", when: "today" }), now).toString(), `q=x&from=${encodeURIComponent(new Date(2026, 10, 15).toISOString())}`);
});

test("what is heard is held against the same filters as in the hub", () => {
  const r = request(1);
  const auto = request(2, { decision: { verdict: "allow", by: "nod", via: "lease", at: now.toISOString() } });
  const gone = request(3, { status: "withdrawn", decision: undefined, withdrawal: { reason: "terminal", at: now.toISOString() } });
  const yes = (r, more) => assert.ok(fits(r, where(more), now), JSON.stringify(more));
  const no = (r, more) => assert.ok(!fits(r, where(more), now), JSON.stringify(more));
  yes(r, {}); no(request(4, { status: "pending" }), {});
  yes(r, { verdict: "allow" }); no(r, { verdict: "deny" }); yes(gone, { verdict: "withdrawn" }); no(gone, { verdict: "allow" });
  yes(r, { by: "person" }); no(r, { by: "automatic" }); yes(auto, { by: "automatic" }); no(auto, { by: "person" }); yes(r, { by: "Anna" }); no(gone, { by: "person" });
  yes(r, { agent: "a1" }); no(r, { agent: "a2" });
  yes(r, { q: "GO anvil" }); no(r, { q: "go nothing" });
  yes(r, { when: "today" }); no(request(5, { asked_at: new Date(2026, 10, 14, 23, 59).toISOString() }), { when: "today" });
});

test("a page may be empty and there is still more", async () => {
  const pages = [{ requests: [request(9), request(8)], next: 8 }, { requests: [], next: 5 }, { requests: [request(4)] }];
  const asked = [];
  const l = new Ledger(async (before) => { asked.push(before); return pages.shift(); });
  await l.more(); await l.more();
  assert.ok(!l.done);
  await l.more(); await l.more();
  assert.deepEqual(asked, [0, 8, 5], "nothing is asked after the end");
  assert.deepEqual(l.shown.map((r) => r.seq), [9, 8, 4]);
});

test("two who want more get the same page", async () => {
  let asked = 0;
  const l = new Ledger(async () => { asked++; return { requests: [request(1)] }; });
  await Promise.all([l.more(), l.more()]);
  assert.equal(asked, 1);
  assert.equal(l.shown.length, 1);
});

test("what comes meanwhile waits, and goes where it belongs", async () => {
  const l = new Ledger(async () => ({ requests: [request(9), request(5)], next: 5 }));
  await l.more();
  assert.ok(l.hear(request(10)));
  assert.ok(l.hear(request(7)));
  assert.ok(!l.hear(request(9, { receipts: [{ step: "applied" }] })), "known: changed in its place");
  assert.ok(!l.hear(request(3)), "older than what was read: it comes with its page");
  assert.deepEqual(l.shown.map((r) => r.seq), [9, 5]);
  assert.equal(l.shown[0].receipts.length, 1);
  l.reveal();
  assert.deepEqual(l.shown.map((r) => r.seq), [10, 9, 7, 5]);
  assert.equal(l.fresh.size, 0);
});

test("a failure is kept and the next try forgets it; who has left hears nothing", async () => {
  let fail = true;
  const l = new Ledger(async () => { if (fail) throw new Error("no"); return { requests: [request(1)] }; });
  await l.more();
  assert.equal(l.trouble.message, "no");
  fail = false;
  await l.more();
  assert.equal(l.trouble, undefined);
  const left = new Ledger(async () => { left.close(); return { requests: [request(1)] }; });
  assert.deepEqual(await left.more(), []);
  assert.equal(left.shown.length, 0);
});

test("after many empty pages a person is asked", async () => {
  const l = new Ledger(async (before) => ({ requests: [], next: (before || 1000) - 1 }));
  for (let i = 0; i < 19; i++) await l.more();
  assert.ok(!l.tired);
  await l.more();
  assert.ok(l.tired);
});

test("an ending has a word and a shape of its own", () => {
  const d = (more) => request(1, { decision: { verdict: "allow", by: "anna", via: "web", at: "", ...more } });
  assert.deepEqual([ending(d({})), ending(d({ input: "x" })), ending(d({ verdict: "deny" })), ending(d({ verdict: "deny", stop: true })), ending(d({ verdict: "answer" }))].map((e) => [e.key, e.shape, e.tone]),
    [["allowed", "tick", "yes"], ["edited", "tick", "yes"], ["denied", "cross", "no"], ["stopped", "stop", "no"], ["answered", "tick", "yes"]]);
  const doubted = ending(request(1, { receipts: [{ step: "decided" }, { step: "doubted" }] }));
  assert.deepEqual([doubted.key, doubted.tone, doubted.doubt], ["allowed", "doubt", "doubted"], "it still says what was decided");
  const w = (withdrawal) => ending(request(1, { status: "withdrawn", decision: undefined, withdrawal }));
  assert.equal(w({ reason: "terminal", outcome: "denied" }).tone, "no");
  assert.equal(w({ reason: "lost" }).shape, "broken");
  assert.equal(ending(request(1, { status: "expired", decision: undefined })).key, "expired");
});

test("found words are marked, also when they overlap", () => {
  assert.deepEqual(pieces("Go test ./...", ["go", "test"]).filter((p) => p.hit).map((p) => p.text), ["Go", "test"]);
  assert.equal(pieces("aaa", ["a", "aa"]).map((p) => p.text).join("|"), "aa|a");
  assert.deepEqual(pieces("İstanbul", ["stan"]), [{ text: "İstanbul", hit: false }], "a letter that grows in lower case would shift every mark");
});

test("where a word was found is shown when the line does not", () => {
  use("en", { "history.by.person": "by %s, %s" });
  const r = request(1, { decision: { verdict: "deny", by: "anna", via: "web", message: "Use the staging cluster", at: "" } });
  assert.equal(snippet(r, ["staging"]), "Use the staging cluster");
  assert.equal(snippet(r, ["anvil"]), "");
});

test("days have names", () => {
  use("en", { "history.today": "Today", "history.yesterday": "Yesterday" });
  assert.deepEqual([new Date(2026, 10, 15, 0, 1), new Date(2026, 10, 14, 23, 59), new Date(2026, 10, 9)].map((d) => dayWords(d.toISOString(), now)), ["Today", "Yesterday", "Monday, November 9"]);
  assert.match(dayWords(new Date(2025, 10, 9).toISOString(), now), /2025/);
});

test("files sort by time", () => assert.equal(fileName("csv", new Date(2026, 0, 5)), "nod-history-2026-01-05.csv"));
