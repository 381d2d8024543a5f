// Shapes. Each state and each risk has its own, so that colour is never alone.
import { s } from "./html.js";

/** @type {Record<string, string>} drawn on 24 × 24 with a line of 2 */
const LINES = {
  inbox: "M4 13l2.5-8h11L20 13v6H4zM4 13h5a3 3 0 0 0 6 0h5",
  agents: "M5 7h14v10H5zM9 21h6M12 17v4M9.5 12h.01M14.5 12h.01",
  history: "M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 8v4.5l3 1.8",
  settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h14",
  stop: "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM9 9l6 6M15 9l-6 6",
  halt: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5h5v5h-5z",
  tick: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  hourglass: "M7 3h10M7 21h10M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4",
  broken: "M9 15l-1.5 1.5a3.5 3.5 0 0 1-5-5L4 10M15 9l1.5-1.5a3.5 3.5 0 0 1 5 5L20 14M9.5 9.5l1 1M13.5 13.5l1 1M8 3v2.5M3 8h2.5M16 21v-2.5M21 16h-2.5",
  bang: "M12 4v10M12 19h.01",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  question: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5h.01",
  bolt: "M13 2.5L5 13.5h6l-1 8 8-11h-6z",
  pencil: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19z",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  back: "M14.5 5l-7 7 7 7",
  next: "M9.5 5l7 7-7 7",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  link: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  plus: "M12 5v14M5 12h14",
  gauge: "M4 17a8.5 8.5 0 1 1 16 0M12 15l4-5",
  clip: "M20 11.5l-8.2 8.2a5 5 0 0 1-7-7l8.5-8.6a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.7",
  mic: "M12 3a3 3 0 0 0-3 3v5.5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3.5",
  voice: "M4 10.5v3M8 7.5v9M12 4v16M16 7.5v9M20 10.5v3",
  pause: "M9 6v12M15 6v12",
  aloud: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
  silent: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  send: "M12 20V5M5.5 11.5L12 5l6.5 6.5",
  down: "M12 4v15M5.5 12.5L12 19l6.5-6.5",
  file: "M6 3h8l4.5 4.5V21H6zM13.5 3v5h5",
  again: "M20 12a8 8 0 1 1-2.6-5.9L20 8.5M20 4v4.5h-4.5",
  download: "M12 4v11M7 10.5l5 5 5-5M4.5 19.5h15",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4",
  belloff: "M6 16.5V11a6 6 0 0 1 .8-3M9.5 5.6A6 6 0 0 1 18 11v3.5M15.5 18h-11L6 16.5M10 20.5h4M4 4l16 16",
  unlocked: "M5.5 11h13v9.5h-13zM8.5 11V7.5A3.5 3.5 0 0 1 15 5.7M12 15v2",
  share: "M12 15V3.5M8 7l4-4 4 4M7.5 11H5.5v9.5h13V11h-2",
  auto: "M12 3v3M12 18v3M3 12h3M18 12h3M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
};

/**
 * @param {string} name
 * @param {{size?: number, class?: string}} [o]
 */
export function icon(name, o = {}) {
  const size = o.size ?? 24;
  return s("svg", { class: `icon ${o.class ?? ""}`, viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" },
    s("path", { d: LINES[name] ?? LINES.question }));
}

/** @type {Record<string, string>} */
const STATE = { error: "cross", limited: "hourglass", ended: "tick" };

/**
 * The shape of a state: dot, moving dots, filled circle, hourglass, cross.
 * @param {string} state
 */
export function stateShape(state) {
  const attributes = { class: `shape shape-${state}`, viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true" };
  if (state === "working") return s("svg", attributes, [5, 12, 19].map((cx) => s("circle", { cx, cy: 12, r: 2.6 })));
  if (STATE[state]) return s("svg", { ...attributes, class: `${attributes.class} icon` }, s("path", { d: LINES[STATE[state]] }));
  return s("svg", attributes, s("circle", { cx: 12, cy: 12, r: state === "waiting" ? 7 : 4 }));
}

/** @type {Record<string, string>} */
const RISK = { read: "book", write: "pencil", network: "globe", destructive: "bang", secret: "eye", unknown: "question" };

/** @param {string} level */
export const riskShape = (level) => icon(RISK[level] ?? "question", { size: 18 });
