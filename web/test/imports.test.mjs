// No module imports itself by a detour, dynamic imports included: what is loaded
// first must not depend on chance.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = ["app.js", ...readdirSync(join(root, "js"), { recursive: true }).filter((f) => f.endsWith(".js")).map((f) => join("js", f))];

/** @param {string} file */
function imports(file) {
  const text = readFileSync(join(root, file), "utf8").replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((m) => m[1]);
  return found.map((to) => relative(root, join(root, dirname(file), to)));
}

test("imports never go in a circle", () => {
  const state = new Map();
  const visit = (file, path) => {
    if (state.get(file) === "done") return;
    assert.notEqual(state.get(file), "open", `a circle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
    state.set(file, "open");
    for (const next of imports(file)) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of modules) visit(file, []);
  assert.ok(state.size > 50, "modules are found");
});
