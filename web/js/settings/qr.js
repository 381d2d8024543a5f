// A QR code from rows of 1 (dark) and 0. Dark on light in every theme: many
// cameras read no other. Drawn with attributes alone, the policy forbids styles.
import { s } from "../html.js";

/** Light around it, in squares, as the standard wants. */
const MARGIN = 4;

/**
 * One path of all dark runs.
 * @param {string[]} rows
 */
export function dark(rows) {
  let d = "";
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) d += `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`;
  });
  return d;
}

/** @param {string[]} rows @param {string} label */
export function qr(rows, label) {
  const size = rows.length + 2 * MARGIN;
  return s("svg", { class: "qr", viewBox: `${-MARGIN} ${-MARGIN} ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    s("rect", { x: -MARGIN, y: -MARGIN, width: size, height: size, fill: "#fff" }), s("path", { d: dark(rows), fill: "#000" }));
}

/** A link that only this machine can open. @param {string} link */
export function onlyHere(link) {
  try {
    const { hostname } = new URL(link);
    return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  } catch {
    return false;
  }
}
