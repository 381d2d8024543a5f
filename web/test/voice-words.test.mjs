import assert from "node:assert/strict";
import { test } from "node:test";
import { bare, choose, echo, number, verdict, wantsMore } from "../js/voice/meaning.js";
import { answer, ask, command, harmless, portion } from "../js/voice/reading.js";
import { NO, NUMBERS, YES } from "../js/voice/vocabulary.js";
import { use } from "../js/words.js";

use("en", { "voice.run": "Run %s?", "voice.permission": "%s asks for permission.", "voice.asks": "%s has a question.", "voice.option": "%[1]d: %[2]s.", "voice.sign.then": "then", "voice.sign.into": "passed to", "voice.sign.flag": "option %s", "chat.aloud.code": "code", "ask.Edit": "Change %s?" });

test("yes and no are whole utterances of one's own language", () => {
  for (const [lang, yes, no] of [["en", "Yes.", "No!"], ["pl", "Tak", "nie, dziękuję"], ["ja", "はい。", "いいえ"]]) {
    assert.equal(verdict(yes, lang), "yes");
    assert.equal(verdict(no, lang), "no");
  }
  for (const [text, lang] of [["yes and delete it", "en"], ["not yes", "en"], ["", "en"], ["no", "pl"], ["tak", "en"], ["いいです", "ja"], ["大丈夫です", "ja"], ["yesterday", "en"], ["…", "en"]]) assert.equal(verdict(text, lang), undefined, text);
  assert.equal(verdict("tak tak", "pl"), "yes");
});

test("no word is in two lists, and all languages have as much to say", () => {
  for (const lang of ["en", "pl", "ja"]) {
    const yes = YES[lang].map(bare), no = NO[lang].map(bare);
    assert.deepEqual(yes.filter((w) => no.includes(w)), []);
    assert.equal(NUMBERS[lang].length, 10);
    const all = NUMBERS[lang].flat();
    assert.equal(new Set(all).size, all.length);
  }
});

test("numbers as people say them", () => {
  for (const [text, lang] of [["two", "en"], ["the second", "en"], ["The second one.", "en"], ["number two", "en"], ["option 2", "en"], ["dwa", "pl"], ["opcja druga", "pl"], ["ta druga", "pl"], ["二番", "ja"], ["２番目です", "ja"], ["二つ目でお願いします", "ja"], ["2", "ja"]]) assert.equal(number(text, lang), 2, text);
  for (const [text, lang] of [["two or three", "en"], ["second thoughts", "en"], ["dwa", "en"], ["0", "en"], ["", "pl"]]) assert.equal(number(text, lang), undefined, text);
  assert.equal(number("number one", "en"), 1);
});

test("a choice by its name, its beginning or its number, and by nothing else", () => {
  const options = ["Small", "Large (recommended)", "Large and wide"];
  assert.equal(choose("small.", options, "en"), 0);
  assert.equal(choose("large", options, "en"), 1, "what stands in brackets need not be said");
  assert.equal(choose("third", options, "en"), 2);
  for (const text of ["four", "not small", "medium", "l", ""]) assert.equal(choose(text, options, "en"), undefined, text);
  assert.equal(choose("Two", ["One", "Three", "Two"], "en"), 2, "a name is stronger than a number");
  assert.equal(choose("same", ["Same", "same"], "en"), undefined);
  assert.equal(choose("小さい", ["小さい", "大きい"], "ja"), 0);
  assert.equal(choose("postgres", ["PostgreSQL", "Postgres on disk"], "en"), 1);
});

test("our own voice is known when it comes back through the microphone", () => {
  assert.ok(echo("tests pass in the", "All twelve tests pass in the hub."));
  assert.ok(echo("", "anything"));
  assert.ok(echo("テストが通り", "すべてのテストが通りました。"));
  assert.ok(!echo("stop", "All twelve tests pass."));
  assert.ok(!echo("やめて", "すべてのテストが通りました。"));
});

test("“more” is a word of the reader, “continue” one for the agent", () => {
  assert.ok(wantsMore("More!", "en") && wantsMore("więcej", "pl") && wantsMore("もっと", "ja"));
  assert.ok(!wantsMore("continue", "en") && !wantsMore("more tests please", "en"));
});

const request = (more = {}) => ({ id: "r1", kind: "approval", tool: "Bash", one_tap: true, title: "git push", risk: { level: "network", reason: "Sends commits to a server." }, input: { command: "git push origin main" }, agent: { id: "a", name: "shop", cwd: "/x/shop", host: "h", kind: "claude" }, ...more });

test("a voice answers only what is harmless and can be read out whole", () => {
  assert.ok(harmless(request()));
  for (const level of ["destructive", "secret", "unknown", "new-kind", undefined]) assert.equal(harmless(request({ risk: level && { level } })), false, level);
  assert.equal(harmless(request({ one_tap: false })), false);
  assert.equal(harmless(request({ kind: "plan", risk: { level: "read" } })), false);
  const q = { question: "Which?", options: [{ label: "A" }] };
  assert.ok(harmless(request({ kind: "question", risk: undefined, questions: [q] })));
  assert.equal(harmless(request({ kind: "question", risk: { level: "destructive" }, questions: [q] })), false, "a dialog read from a screen");
  assert.equal(harmless(request({ kind: "question", risk: undefined, questions: [q, q] })), false);
  assert.equal(harmless(request({ kind: "question", risk: undefined, questions: [{ ...q, multi_select: true }] })), false);
  assert.equal(ask(request(), true).by, "voice");
  assert.equal(ask(request(), false).by, "screen");
  assert.equal(ask(request({ input: { command: "ls \u202egnp.x" } }), true).by, "screen");
  assert.equal(ask(request({ input: { command: `ls ${"a ".repeat(40)}` } }), true).by, "screen");
});

test("a request is read with its question last", () => {
  const a = ask(request(), true);
  assert.deepEqual([...a.lead, a.question], ["shop asks for permission.", "Sends commits to a server.", "Run git push origin main?"]);
  const q = ask(request({ kind: "question", risk: undefined, questions: [{ id: "size", question: "How large?", options: [{ label: "Small" }, { label: "Large" }] }] }), true);
  assert.deepEqual([...q.lead, q.question, q.key], ["shop has a question.", "1: Small.", "2: Large.", "How large?", "size"]);
  assert.equal(ask(request({ tool: "Edit", input: { file_path: "/x/shop/price.go" }, risk: { level: "write" } }), true).question, "Change price.go?");
});

test("commands are read as one would say them, nothing left out", () => {
  assert.equal(command("npm ci && npm test | tee out.log").text, "npm ci then npm test passed to tee out.log");
  assert.equal(command("git push --force-with-lease -fu origin").text, "git push option force with lease option f u origin");
  assert.equal(command("ls /etc/hosts").text, "ls etc hosts");
});

test("a long answer begins with three sentences", () => {
  const long = answer(Array.from({ length: 12 }, (_, i) => `Sentence ${i + 1}.`).join(" "));
  assert.deepEqual([long.now.length, long.rest.length], [3, 9]);
  assert.deepEqual([portion(long.rest).now.length, portion(long.rest).rest.length], [6, 3]);
  assert.deepEqual(answer("One. Two. Three. Four.").rest, [], "one more is not worth a question");
});
