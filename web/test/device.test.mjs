import assert from "node:assert/strict";
import { test } from "node:test";
import { part } from "../js/screens/device.js";

/** @param {number[]} head @param {number[]} data */
function message(head, data) {
  const b = new Uint8Array(20 + data.length);
  b.set(head);
  new DataView(b.buffer).setUint32(16, data.length);
  b.set(data, 20);
  return b.buffer;
}

test("a rectangle is read as the hub wrote it", () => {
  const p = part(message([0x4e, 2, 1, 0, 0, 0, 1, 2, 1, 0, 0, 8, 0, 50, 0, 24], [7, 8, 9]));
  assert.ok(p);
  assert.deepEqual([p.frame, p.x, p.y, p.w, p.h, p.last, p.spare, [...p.data]], [258, 256, 8, 50, 24, true, false, [7, 8, 9]]);
  assert.equal(part(message([0x4e, 2, 5], []))?.spare, true);
});

test("what is no rectangle is passed over", () => {
  assert.equal(part(new ArrayBuffer(4)), undefined);
  assert.equal(part(message([0x50], [])), undefined);
  const torn = message([0x4e, 2, 1], [1, 2, 3]);
  assert.equal(part(torn.slice(0, 22)), undefined);
});
