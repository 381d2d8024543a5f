import assert from "node:assert/strict";
import { test } from "node:test";
import { Firmware, pixels } from "../js/firmware.js";
import { codeOf, worth } from "../js/settings/boards.js";

const OPTIONS = { type: "update_options", session_id: "s1", options: [
  { text: "Yes", action: "yes please", image: "a.rgb", color: "#00FF00" }, { text: "Always", action: "", image: "", color: "#FFFF00" },
  { text: "Go on", action: "continue", image: "", color: "red" }, { text: "Again", action: "retry", image: "a-name-that-is-too-long.rgb", color: "" }] };

/** @param {...object} words */
function firmware(...words) {
  const f = new Firmware();
  f.connect(0);
  for (const w of words) f.hear(w, 0);
  return f;
}

const labels = (/** @type {Firmware} */ f, now = 0) => f.screens(now).map((s) => s.label).join("|");

test("pixels are read high byte first", () => {
  const b = new Uint8Array(32768);
  b.set([0xf8, 0x00, 0x07, 0xe0, 0x00, 0x1f, 0x11, 0xaa]);
  const p = pixels(b.buffer);
  assert.deepEqual([...(p ?? []).slice(0, 16)], [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 16, 52, 82, 255]);
  assert.equal(pixels(new ArrayBuffer(32767)), undefined);
});

test("the keys show what the firmware would", () => {
  const limit = { type: "status", state: "limit", countdown: 125 };
  assert.equal(labels(new Firmware()), "|Wait|ing|...");
  assert.equal(labels(firmware(OPTIONS)), "Yes|Always|Go on|Again");
  assert.equal(labels(firmware(OPTIONS, { type: "update_options", options: [{ text: "No" }] })), "No|Always|Go on|Again");
  assert.equal(labels(firmware(OPTIONS, { type: "update_options", options: [{ text: "npm test", image: "a.rgb", about: "shop: npm test" }] })), "shop: npm test|Always|Go on|Again");
  assert.equal(labels(firmware(limit), 5000), "RATE|LIMIT|2:00|Continue");
  assert.equal(labels(firmware({ ...limit, countdown: 10 }), 75_000), "RATE|LIMIT|1:15|Continue");
  assert.equal(labels(firmware({ type: "status", state: "error" }, OPTIONS)), "ERROR|!|Continue|Retry");
  assert.equal(labels(firmware(OPTIONS, { type: "display_update", display: 3, title: "shop", content: "desk" })), "Yes|Always|Go on|shop desk");
  assert.equal(labels(firmware({ type: "display_update", display: 0, title: "x" }, OPTIONS)), "Yes|Always|Go on|Again");
});

test("what it does not know, and what is no text, changes nothing", () => {
  const f = firmware(OPTIONS, { type: "status", state: "dancing" }, { type: "dance" }, { type: "display_update", display: 4 }, { type: "display_update", display: "0" });
  f.hear(null, 0);
  f.hear({ type: "update_options", session_id: "s1", options: "no" }, 0);
  assert.equal(labels(f), "Yes|Always|Go on|Again");
  f.hear({ type: "update_options", options: [{ text: { toString: 1 }, image: 7, color: "url(x)" }, null] }, 0);
  assert.deepEqual(f.options.slice(0, 2).map((o) => [o.text, o.image, o.color]), [["", "", "#ffffff"], ["", "", "#ffffff"]]);
});

test("a key sends what it showed, by the firmware's rules", () => {
  const press = (/** @type {Firmware} */ f, /** @type {number} */ n) => f.press(n, 1000);
  assert.deepEqual(press(firmware(OPTIONS), 1), { type: "key_press", session_id: "s1", key: 1, text: "yes please" });
  assert.deepEqual(press(firmware(OPTIONS), 2), { type: "key_press", session_id: "s1", key: 2, text: "Always" });
  const failed = firmware(OPTIONS, { type: "status", state: "error" });
  press(failed, 4);
  assert.equal(failed.state, "error");
  press(failed, 3);
  assert.equal(failed.state, "idle");
  const f = firmware(OPTIONS);
  assert.ok(f.press(2, 1000));
  assert.equal(f.press(2, 1099), undefined);
  assert.ok(f.press(2, 1101));
  assert.ok(f.press(1, 2000));
  assert.equal(f.press(4, 2400), "restart");
  f.connected = false;
  assert.equal(f.press(3, 9000), undefined);
});

test("only names that its file system can keep are fetched", () => {
  assert.deepEqual(firmware(OPTIONS).wanted(), ["a.rgb"]);
});

test("a code is read as a person types it", () => {
  assert.equal(codeOf(" k7-2 m"), "K72M");
  assert.equal(codeOf("k72mXY"), "K72M");
});

test("waiting keyboards come first, and those that need no approval are left out", () => {
  const b = (/** @type {string} */ id, /** @type {object} */ more) => ({ id, address: "", admitted: false, connected: false, ...more });
  const list = worth([b("a", { admitted: true, by: "anna" }), b("b", { connected: true }), b("c", { admitted: true, connected: true }), b("d", {})]);
  assert.deepEqual(list.map((x) => x.id), ["b", "a"]);
});
