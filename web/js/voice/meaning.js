// What was said, as far as voice mode must know. Only whole utterances mean
// something: "yes" allows, "yes but wait" does not. Pure.
import { AFTER, AGAIN, BEFORE, MORE, NO, NUMBERS, YES } from "./vocabulary.js";

/** @typedef {import("./reading.js").Ask} Ask */
/**
 * @typedef {{kind: "answer", answer: Nod.Answer} | {kind: "confirm", answer: Nod.Answer, words: string} | {kind: "again"} | {kind: "unclear"}} Meaning
 * confirm: free text is read back first, because the person cannot see whether it was recognised correctly
 */

const japanese = (/** @type {string} */ s) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(s);

/** Without capitals, marks around it and blanks that do not matter. @param {string} text */
export function bare(text) {
  const s = text.normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'").replace(/[.,!?;:。、！？…]+/gu, " ")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").replace(/\s+/g, " ");
  return japanese(s) ? s.replace(/ /g, "") : s;
}

/** @param {string} text said twice or thrice it means the same */
function once(text) {
  const words = text.split(" ");
  return words.every((w) => w === words[0]) ? words[0] ?? "" : text;
}

/**
 * @param {string} text
 * @param {import("./vocabulary.js").ByLanguage} list
 * @param {string} lang
 */
const is = (text, list, lang) => {
  const said = once(bare(text));
  return said !== "" && (list[lang] ?? []).some((w) => bare(w) === said);
};

/**
 * @param {string} text
 * @param {string} lang
 * @returns {"yes" | "no" | undefined}
 */
export function verdict(text, lang) {
  if (is(text, YES, lang)) return "yes";
  return is(text, NO, lang) ? "no" : undefined;
}

/** @param {string} text @param {string} lang */
export const wantsMore = (text, lang) => is(text, MORE, lang);
/** @param {string} text @param {string} lang */
export const wantsAgain = (text, lang) => is(text, AGAIN, lang);

/**
 * "two", "the second", "opcja druga", "二番目", "2"
 * @param {string} text
 * @param {string} lang
 * @returns {number | undefined}
 */
export function number(text, lang) {
  const said = bare(text);
  const one = japanese(said) || lang === "ja" ? unsuffixed(said) : stripped(said, lang);
  if (/^\d{1,2}$/.test(one)) return Number(one) || undefined;
  const at = (NUMBERS[lang] ?? []).findIndex((names) => names.includes(one));
  return at < 0 ? undefined : at + 1;
}

/** @param {string} said @param {string} lang */
function stripped(said, lang) {
  const words = said.split(" ");
  while (words.length > 1 && BEFORE[lang]?.includes(words[0] ?? "")) words.shift();
  while (words.length > 1 && AFTER[lang]?.includes(words.at(-1) ?? "")) words.pop();
  return words.join(" ");
}

/** @param {string} said */
function unsuffixed(said) {
  let s = said;
  for (const end of AFTER.ja ?? []) if (s.length > end.length && s.endsWith(end)) s = s.slice(0, -end.length);
  return s;
}

/**
 * Which of the choices: by what it is called, or by its number.
 * @param {string} text
 * @param {readonly string[]} options
 * @param {string} lang
 * @returns {number | undefined} its place from 0
 */
export function choose(text, options, lang) {
  const said = bare(text);
  if (!said) return undefined;
  const names = options.map(bare);
  const short = options.map((o) => bare(o.replace(/[([（].*$/u, "")));
  for (const list of [names, short]) if (list.filter((n) => n === said).length === 1) return list.indexOf(said);
  const n = number(text, lang);
  if (n !== undefined && n <= options.length) return n - 1;
  const begun = names.flatMap((name, i) => (said.length > 2 && name.startsWith(japanese(said) ? said : `${said} `) ? [i] : []));
  return begun.length === 1 ? begun[0] : undefined;
}

/**
 * @param {Ask} ask
 * @param {string} text
 * @param {string} lang
 * @returns {Meaning}
 */
export function meaning(ask, text, lang) {
  if (ask.kind === "verdict") {
    const v = verdict(text, lang);
    if (v) return { kind: "answer", answer: { verdict: v === "yes" ? "allow" : "deny" } };
  } else {
    const at = choose(text, ask.options, lang);
    if (at !== undefined) return { kind: "answer", answer: replied(ask, { picked: [ask.options[at] ?? ""] }) };
  }
  if (wantsAgain(text, lang)) return { kind: "again" };
  const words = text.trim();
  if (ask.free && words) return { kind: "confirm", words, answer: replied(ask, { text: words }) };
  return { kind: "unclear" };
}

/** @param {Ask} ask @param {Nod.Reply} reply @returns {Nod.Answer} */
const replied = (ask, reply) => ({ verdict: "answer", answers: { [ask.key]: reply } });

/**
 * Whether it is our own voice that the microphone has caught.
 * @param {string} heard
 * @param {string} spoken what is being read aloud
 */
export function echo(heard, spoken) {
  const a = pieces(bare(heard)), b = new Set(pieces(bare(spoken)));
  return a.length === 0 || a.filter((w) => b.has(w)).length / a.length >= 0.6;
}

/** Words; where there are no blanks, every two letters. @param {string} s @returns {string[]} */
function pieces(s) {
  if (!japanese(s)) return s.split(" ").filter(Boolean);
  return s.length < 2 ? [s] : Array.from({ length: s.length - 1 }, (_, i) => s.slice(i, i + 2));
}
