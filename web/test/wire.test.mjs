import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, read } from "../js/api.js";
import { pause } from "../js/live.js";
import { match } from "../js/router.js";
import { parser } from "../js/sse.js";

test("events arrive whole, however the network cuts them", () => {
  const text = "retry: 2000\n\n: still here\n\nid: 7\ndata: {\"a\":1}\n\nevent: gap\ndata: {}\n\nid: 8\r\ndata: one\r\ndata: two\r\n\r\n";
  const want = [{ event: "", data: "{\"a\":1}", id: "7" }, { event: "gap", data: "{}", id: "7" }, { event: "", data: "one\ntwo", id: "8" }];
  for (let size = 1; size <= text.length; size++) {
    const parse = parser();
    const got = [];
    for (let i = 0; i < text.length; i += size) got.push(...parse(text.slice(i, i + size)));
    assert.deepEqual(got, want, `in pieces of ${size}`);
  }
});

test("pauses grow, have chance in them, and stay bearable", () => {
  assert.equal(pause(0, () => 0), 250);
  assert.equal(pause(0, () => 1), 500);
  assert.equal(pause(3, () => 1), 4000);
  assert.equal(pause(50, () => 1), 15_000);
});

test("a failure keeps its code, its words and who was first", () => {
  assert.deepEqual(read(200, "{\"x\":1}"), { x: 1 });
  assert.equal(read(204, ""), undefined);
  assert.throws(() => read(409, "{\"error\":{\"code\":\"conflict\",\"message\":\"late\"},\"request\":{\"id\":\"r\"}}"), (e) => e instanceof ApiError && e.code === "conflict" && e.message === "late" && e.request.id === "r");
  assert.throws(() => read(502, "<html>bad gateway"), (e) => e.code === "unavailable");
  assert.throws(() => read(404, "<html>not here"), (e) => e.code === "offline");
});

test("addresses find their screens", () => {
  assert.equal(match("/").route.tab, "inbox");
  assert.deepEqual(match("/agents/a%2Fb").params, { id: "a/b" });
  assert.equal(match("/agents/").route.path, "/agents");
  assert.equal(match("/pair").route.bare, true);
  assert.equal(match("/nothing/here"), undefined);
  assert.deepEqual(match("/agents/%E0%A4%A").params, { id: "%E0%A4%A" });
});
