import assert from "node:assert/strict";
import { test } from "node:test";
import { blocks, FETCH, PAGE, Talk } from "../js/chat/talk.js";
import { spoken, tongue } from "../js/chat/spoken.js";

const turn = (seq, role = "agent", more = {}) => ({ agent: "a", role, text: `t${seq}`, html: `<p>t${seq}</p>`, at: new Date(Date.UTC(2026, 0, 1, 12, 0, seq)).toISOString(), seq, ...more });
const list = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => turn(to - i)); // newest first, as the hub lists
const seqs = (talk) => talk.pages.flatMap((p) => p.turns.map((t) => t.seq));
const request = (seq, more = {}) => ({ id: `r${seq}`, seq, status: "decided", asked_at: turn(seq).at, agent: { id: "a" }, decision: { verdict: "allow", via: "web", by: "me", at: turn(seq).at }, ...more });

test("a conversation is read from its end upwards, in small pages, without holes or doubles", () => {
  const talk = new Talk();
  talk.newest(list(101, 100 + FETCH));
  assert.equal(talk.whole, false);
  talk.older(list(41, 100));
  talk.older(list(1, 40));
  assert.equal(talk.whole, true);
  assert.deepEqual(seqs(talk), Array.from({ length: 160 }, (_, i) => i + 1));
  assert.ok(talk.pages.every((p) => p.turns.length <= PAGE));
});

test("what is heard twice is there once", () => {
  const talk = new Talk();
  talk.newest(list(1, 3));
  assert.ok(talk.hear(turn(4)));
  assert.equal(talk.hear(turn(4)), undefined);
  talk.newest(list(2, 5));
  talk.older(list(1, 2));
  assert.deepEqual(seqs(talk), [1, 2, 3, 4, 5]);
});

test("a turn without its rendering gets it later, and only then its page is redrawn", () => {
  const talk = new Talk();
  talk.newest(list(1, 2));
  const page = talk.hear(turn(3, "agent", { html: undefined }));
  assert.deepEqual([...talk.newest(list(2, 3)).changed], [page]);
  assert.equal(page.turns.at(-1).html, "<p>t3</p>");
  assert.equal(talk.newest(list(2, 3)).changed.size, 0);
});

test("after a gap the conversation starts over, because the turns between are unknown", () => {
  const talk = new Talk();
  talk.newest(list(1, 30));
  assert.equal(talk.newest(list(25, 40)).restarted, false);
  assert.equal(talk.newest(list(500, 499 + FETCH)).restarted, true);
  assert.equal(talk.first, 500);
  assert.equal(talk.whole, false);
});

test("a decision stands where it was asked, once, and not before its page was read", () => {
  const talk = new Talk();
  talk.newest(list(101, 100 + FETCH));
  assert.equal(talk.settle(request(50)), undefined);
  const r = request(125.5);
  assert.equal(talk.settle(r), talk.pages[1]);
  assert.equal(talk.settle(r), undefined, "nothing new");
  assert.equal(talk.settle({ ...r }), talk.pages[1], "a receipt has come");
  const keys = blocks(talk.pages[1]).map((b) => b.key);
  assert.equal(keys.filter((k) => k === "rr125.5").length, 1);
  assert.equal(keys.indexOf("rr125.5"), keys.indexOf("t125") + 1);
});

test("steps that follow each other are one run, with what rules have decided", () => {
  const talk = new Talk();
  talk.newest([turn(6, "person"), turn(5, "tool"), turn(3, "tool"), turn(2, "tool"), turn(1, "person")]);
  talk.settle(request(4, { decision: { verdict: "allow", via: "policy", by: "nod", at: turn(4).at } }));
  const made = blocks(talk.pages[0]);
  assert.deepEqual(made.map((b) => b.kind), ["day", "said", "steps", "said"]);
  assert.equal(made[2].steps.length, 4);
});

test("a day is told once, also over pages", () => {
  const page = { id: 1, turns: [turn(1), turn(2)], past: [] };
  assert.deepEqual(blocks(page, turn(0).at).map((b) => b.kind), ["said", "said"]);
  const talk = new Talk();
  talk.newest(list(101, 100 + FETCH));
  const top = talk.pages[0];
  assert.equal(blocks(top, talk.before(top))[0].kind, "said", "what lies before it is not known yet");
  talk.older([]);
  assert.equal(blocks(top, talk.before(top))[0].kind, "day");
  const later = turn(3, "agent", { at: "2026-01-03T12:00:00Z" });
  assert.deepEqual(blocks({ ...page, turns: [turn(1), later] }).map((b) => b.kind), ["day", "said", "day", "said"]);
});

test("what is said after something was asked stands after it", () => {
  const talk = new Talk();
  talk.part(true); // before anything was read
  talk.newest(list(1, 3));
  assert.ok(!talk.later(talk.pages[0]));
  const after = talk.hear(turn(4));
  assert.ok(after !== talk.pages[0] && talk.later(after));
  talk.older([]);
  talk.part(true); // something newer is asked: everything so far was before
  assert.ok(talk.pages.every((p) => !talk.later(p)));
  talk.hear(turn(5));
  talk.part(false);
  assert.ok(talk.pages.every((p) => !talk.later(p)));
});

const words = { code: "code", more: "more" };

test("ears get sentences without markup, code or paths", () => {
  assert.deepEqual(spoken("# Done\n\nI changed **two** things in `internal/hub/writer.go`. All _good_!\n\n```go\nfunc x() {}\n```\n\n- one\n- [two](https://example.com/x)", words),
    ["Done", "I changed two things in writer.go.", "All good!", "code.", "one", "two"]);
  assert.deepEqual(spoken("See https://example.com/a/b?c=d and /home/anna/src/app.js", words), ["See example.com and app.js"]);
  assert.deepEqual(spoken("Use `x := map[string]int{}` here", words), ["Use code here"]);
  assert.deepEqual(spoken("an open block\n```\nrm -rf /", words), ["an open block", "code."]);
  assert.deepEqual(spoken("終わりました。次は何ですか?", words), ["終わりました。", "次は何ですか?"]);
});

test("long sentences are cut where one breathes, and long answers end", () => {
  const long = spoken(`${"word ".repeat(25)}, ${"more ".repeat(40)}end.`, words);
  assert.ok(long.length > 1 && long.every((s) => s.length <= 160));
  assert.equal(long.join(" ").replace(/\s+/g, " ").replace(" ,", ","), `${"word ".repeat(25)}, ${"more ".repeat(40)}end.`.replace(/\s+/g, " ").replace(" ,", ","));
  const many = spoken("This is one sentence of many. ".repeat(100), words);
  assert.equal(many.at(-1), "more");
  assert.ok(many.join(" ").length < 800);
});

test("a text is read in its own language where letters tell it", () => {
  assert.equal(tongue("こんにちは", "en"), "ja");
  assert.equal(tongue("Zażółć gęślą jaźń", "en"), "pl");
  assert.equal(tongue("All tests pass.", "ja"), "en");
  assert.equal(tongue("Wszystko gra", "pl"), "pl");
});
