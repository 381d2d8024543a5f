import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "../js/elements/questions.js";
import { codeIn, deviceName } from "../js/screens/pair.js";
import { countdown, relative, span } from "../js/time.js";
import { visible } from "../js/visible.js";
import { format, pick, t, use } from "../js/words.js";

test("arguments go where a language wants them", () => {
  assert.equal(format("%[2]s before %[1]s", ["a", "b"]), "b before a");
  assert.equal(format("%d of %s, 100%%", [3, "x"]), "3 of x, 100%");
  assert.equal(format("%s", []), "");
  assert.equal(format("%s", ["%s"]), "%s", "an argument is never read as a form");
});

test("numbers choose their form", () => {
  use("pl", { n: { one: "%d agent", few: "%d agenty", many: "%d agentów", other: "%d agenta" } });
  assert.deepEqual([1, 3, 5, 12, 22].map((n) => t("n", n)), ["1 agent", "3 agenty", "5 agentów", "12 agentów", "22 agenty"]);
  use("ja", { n: { other: "%d 件" } });
  assert.equal(t("n", 1), "1 件");
  assert.equal(t("no.such.key"), "no.such.key");
});

test("the language is the chosen one, or the first that nod speaks", () => {
  assert.equal(pick("", ["de-DE", "pl-PL", "en"]), "pl");
  assert.equal(pick("ja", ["pl"]), "ja");
  assert.equal(pick("xx", ["de"]), "en");
});

test("a countdown never says more than is left, and 0:00 only when it is over", () => {
  assert.deepEqual([0, 1, 1000, 61_000, 3_600_000, -5].map(countdown), ["0:00", "0:01", "0:01", "1:01", "1:00:00", "0:00"]);
});

test("times are told in one unit", () => {
  use("en", { "time.now": "just now" });
  assert.deepEqual([-400, -4000, -119_000, -3 * 3_600_000, -50 * 3_600_000].map((ms) => relative(ms)), ["just now", "4 sec. ago", "1 min. ago", "3 hr. ago", "2 days ago"]);
});

test("a span is told in one unit too", () => {
  assert.deepEqual([-5, 4000, 119_000, 3 * 3_600_000, 50 * 3_600_000].map((ms) => span(ms, "en")), ["0 sec", "4 sec", "1 min", "3 hr", "2 days"]);
  assert.deepEqual(["pl", "ja"].map((l) => span(300_000, l)), ["5 min", "5 分"]);
});

test("an answer holds what was chosen and what was written", () => {
  const q = { question: "Which?", options: [{ label: "A" }], free_text: true };
  const draft = { picked: [], text: "", notes: "", own: false };
  assert.equal(reply(q, draft), undefined);
  assert.deepEqual(reply(q, { ...draft, picked: ["A"], notes: " soon " }), { picked: ["A"], notes: "soon" });
  assert.deepEqual(reply(q, { ...draft, own: true, text: " mine " }), { text: "mine" });
  assert.equal(reply(q, { ...draft, text: "typed, then another chosen" }), undefined);
  assert.deepEqual(reply({ question: "Why?", free_text: true }, { ...draft, text: "so" }), { text: "so" });
});

test("a device gets a name that people know", () => {
  const word = () => "Browser";
  assert.equal(deviceName("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1", word), "iPhone, Safari");
  assert.equal(deviceName("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", word), "Android, Chrome");
  assert.equal(deviceName("Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140", word), "Windows, Edge");
  assert.equal(deviceName("curl", word), "Browser");
});

test("a code is found in what people paste", () => {
  assert.equal(codeIn("#ABCD-EFGH"), "ABCD-EFGH");
  assert.equal(codeIn(" https://desk:8742/pair#ABCD-EFGH "), "ABCD-EFGH");
  assert.equal(codeIn("ABCD"), "ABCD");
});

test("nothing in a text can hide", () => {
  assert.equal(visible("a\u202eb\u200bc\u001b[0m"), "a⟨RLO⟩b⟨ZWSP⟩c⟨ESC⟩[0m");
  assert.equal(visible("plain text\n\tłąka 日本語 “…” 😀"), "plain text\n\tłąka 日本語 “…” 😀");
  assert.equal(visible("x\u{e0041}"), "x⟨U+E0041⟩");
});
