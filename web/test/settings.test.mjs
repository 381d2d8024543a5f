import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes as fromText, creationOptions, requestOptions, text } from "../js/passkey.js";
import { bytes, isApple, same, standing } from "../js/settings/push.js";
import { dark, onlyHere } from "../js/settings/qr.js";

test("every obstacle to notifications has its own word", () => {
  const fine = { secure: true, apple: false, standalone: false, push: true, permission: "granted", subscribed: true };
  assert.equal(standing(fine), "on");
  assert.equal(standing({ ...fine, subscribed: false }), "off");
  assert.equal(standing({ ...fine, permission: "default" }), "ask");
  assert.equal(standing({ ...fine, permission: "denied" }), "blocked");
  assert.equal(standing({ ...fine, secure: false, push: false }), "insecure", "plain http is said first: nothing else helps then");
  assert.equal(standing({ ...fine, apple: true, push: false }), "homescreen");
  assert.equal(standing({ ...fine, apple: true, push: false, standalone: true }), "incapable");
  assert.equal(standing({ ...fine, push: false }), "incapable");
});

test("an iPad is known although it calls itself a Mac", () => {
  assert.ok(isApple("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 5));
  assert.ok(!isApple("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 0));
  assert.ok(isApple("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)", 5));
});

test("a key of another hub is noticed", () => {
  const key = bytes("AQID_-8");
  assert.deepEqual([...key], [1, 2, 3, 255, 239]);
  assert.ok(same(key.buffer, key));
  assert.ok(!same(bytes("AQID_-4").buffer, key));
  assert.ok(!same(null, key));
});

test("a QR code is drawn square by square", () => {
  assert.equal(dark(["101", "011", "000"]), "M0 0h1v1h-1zM2 0h1v1h-1zM1 1h2v1h-2z");
  assert.equal(dark([]), "");
});

test("a link that a phone cannot open is noticed", () => {
  for (const link of ["http://127.0.0.1:1/pair#A", "http://localhost/pair#A", "http://[::1]:8742/pair#A"]) assert.ok(onlyHere(link), link);
  for (const link of ["https://desk.local:8742/pair#A", "https://192.168.1.5/pair#A", "nonsense"]) assert.ok(!onlyHere(link), link);
});

test("bytes go to the hub and back unchanged", () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(new Uint8Array(fromText(text(all.buffer))), all);
  assert.ok(!/[+/=]/.test(text(all.buffer)));
});

test("what the hub asks of a passkey is given to the browser as bytes", () => {
  const get = requestOptions({ challenge: "AQI", rpId: "desk", allowCredentials: [{ type: "public-key", id: "Aw" }], userVerification: "required" });
  assert.deepEqual([...new Uint8Array(get.challenge)], [1, 2]);
  assert.deepEqual([...new Uint8Array(get.allowCredentials[0].id)], [3]);
  assert.equal(get.userVerification, "required");
  const make = creationOptions({ challenge: "AQI", user: { id: "BA", name: "n", displayName: "n" }, excludeCredentials: null });
  assert.deepEqual([...new Uint8Array(make.user.id)], [4]);
  assert.deepEqual(make.excludeCredentials, []);
});
