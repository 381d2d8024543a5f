// What a voice puck shows, computed from its hub's messages. Pure.

/** @typedef {{mode: string, color?: string, completed?: number, current?: number, options?: number, selected?: number, percent?: number}} Light */
/**
 * @typedef {{state: string, request?: string, light: Light, ring: string[], dark?: string[], options?: string[], colors?: string[],
 *   selected?: number, index?: number, total?: number, does?: Record<string, string>}} Scene
 */
/** @typedef {"idle" | "working" | "waiting" | "yes" | "no" | "talk"} Tone */

/** @type {Scene} */
export const DARK = { state: "IDLE", light: { mode: "off" }, ring: Array.from({ length: 12 }, () => "#000000") };

/** @type {Record<string, [string, Tone]>} */
const STATES = {
  IDLE: ["quiet", "idle"], THINKING: ["thinking", "working"], WAITING: ["waiting", "waiting"], PREVIEW_APPROVE: ["yes", "yes"],
  PREVIEW_REJECT: ["no", "no"], EXECUTING: ["working", "working"], MULTIPLE_CHOICE: ["choose", "waiting"], ERROR: ["error", "no"],
};

/**
 * The word and the colour of a moment. The light says more than the state: for a
* second it shows what has just been answered.
 * @param {Scene} s
 * @returns {{word: string, tone: Tone}}
 */
export function mood(s) {
  const { mode, color } = s.light;
  if (s.state === "EXECUTING" && mode === "solid" && color === "green") return { word: "allowed", tone: "yes" };
  if (s.state === "EXECUTING" && mode === "blink") return { word: "chosen", tone: "yes" };
  if (s.state === "IDLE" && mode === "solid" && color === "red") return { word: "stopped", tone: "no" };
  if (s.state === "IDLE" && mode === "blink") return { word: "nothing", tone: "no" };
  if (s.state === "IDLE" && mode === "progress") return { word: "allowed", tone: "yes" };
  if (s.state === "IDLE" && mode === "timer") return { word: "talk", tone: "talk" };
  const [word, tone] = STATES[s.state] ?? ["quiet", "idle"];
  return { word, tone };
}

/** Whether the dial goes through options: then every detent counts. @param {Scene} s */
export const choosing = (s) => s.state === "MULTIPLE_CHOICE";

/**
 * A colour as a light: its hue at full strength, and how strong it is. Half a
 * green is a weak green, not a dark one.
 * @param {string} hex
 * @returns {{color: string, level: number}} level 0: it is off
 */
export function led(hex) {
  const rgb = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) || 0);
  const most = Math.max(...rgb);
  if (most === 0) return { color: "#000000", level: 0 };
  const color = `#${rgb.map((v) => Math.round((v * 255) / most).toString(16).padStart(2, "0")).join("")}`;
  return { color, level: Math.round(100 * (0.12 + 0.88 * (most / 255) ** 0.8)) / 100 };
}

/**
 * An arc of the ring: the path of LED i of n, with gaps between them.
 * @param {number} i from 0, clockwise from twelve o'clock
 * @param {number} n @param {number} r @param {number} gap in degrees
 */
export function arc(i, n, r, gap) {
  const at = (/** @type {number} */ deg) => {
    const a = ((deg - 90) * Math.PI) / 180;
    return `${(r * Math.cos(a)).toFixed(2)} ${(r * Math.sin(a)).toFixed(2)}`;
  };
  const from = (360 / n) * i + gap / 2, to = (360 / n) * (i + 1) - gap / 2;
  return `M${at(from)}A${r} ${r} 0 0 1 ${at(to)}`;
}

/** How long a person needs to read a text, in milliseconds: a silent puck waits for it. @param {string} text */
export const readingTime = (text) => Math.min(Math.max(600 + 45 * [...text].length, 1200), 6000);

/** The gestures that do something now, in the order in which they are shown. @param {Scene} s */
export function taps(s) {
  return ["tap_2", "tap_3", "tap_4", "tap_5"].filter((g) => (s.does?.[g] ?? "nothing") !== "nothing");
}

/**
 * The last few things that happened, newest first. The same thing again is counted.
 * @template {{who: string, text: string}} E
 * @param {(E & {times?: number})[]} list @param {E} e @param {number} most
 */
export function remember(list, e, most) {
  const [first, ...rest] = list;
  if (first && first.who === e.who && first.text === e.text) return [{ ...first, ...e, times: (first.times ?? 1) + 1 }, ...rest];
  return [e, ...list].slice(0, most);
}
