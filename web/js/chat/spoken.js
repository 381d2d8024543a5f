// Text for speech: short sentences, no markup, no paths letter by letter, code
// only by its name. Pure.

/** @typedef {{code: string, more: string}} Words what stands for code and for what is left out */

const LONGEST = 160;  // of one utterance: some voices stop by themselves after 15 s
const ENOUGH = 700;   // of one answer: the rest is on the screen

/**
 * @param {string} markdown
 * @param {Words} words
 * @returns {string[]} utterances
 */
export function spoken(markdown, words) {
  const out = [];
  let length = 0;
  for (const sentence of sentences(plain(markdown, words.code))) {
    if (length + sentence.length > ENOUGH && out.length) {
      out.push(words.more);
      break;
    }
    length += sentence.length;
    out.push(sentence);
  }
  return out;
}

/**
 * @param {string} text
 * @param {string} code
 */
export function plain(text, code) {
  return text
    .replace(/(^|\n)(`{3,}|~{3,})[\s\S]*?(\n\2|$)/g, `$1${code}.`)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/https?:\/\/([^\s/]+)\S*/g, "$1")
    .replace(/`([^`\n]+)`/g, (_, c) => (/^[\p{L}\p{N} _.-]{1,24}$/u.test(c) ? c : path(c) ?? code))
    .replace(/^\s*\|?[\s:|-]{3,}\|?\s*$/gm, "")
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?/gm, "")
    .replace(/(\*\*|__|~~)(.+?)\1/g, "$2")
    .replace(/(^|\s)[*_]([^*_\n]+)[*_](?=[\s.,;:!?]|$)/g, "$1$2")
    .replace(/(?:[~.]?\/)?(?:[\w.@-]+\/)+[\w.@-]+/g, (p) => path(p) ?? p)
    .replace(/\s*\|\s*/g, ", ")
    .replace(/\p{Extended_Pictographic}|\u200d|\ufe0f/gu, "");
}

/** The last part of a path is what people call it. @param {string} p */
function path(p) {
  if (!/^(?:[~.]{0,2}\/)?(?:[\w.@-]+\/)+[\w.@-]*$/.test(p)) return undefined;
  return p.split("/").filter(Boolean).at(-1);
}

/** @param {string} text */
export function sentences(text) {
  return text.split(/\n+|(?<=[.!?…])\s+|(?<=[。！？])/).map((s) => s.replace(/\s+/g, " ").trim()).filter((s) => /[\p{L}\p{N}]/u.test(s)).flatMap(cut);
}

/** A long sentence is cut where one breathes. @param {string} s @returns {string[]} */
function cut(s) {
  if (s.length <= LONGEST) return [s];
  const before = s.slice(0, LONGEST);
  const comma = Math.max(...[", ", "; ", ": ", " – ", "、"].map((c) => before.lastIndexOf(c)));
  const at = comma > 40 ? comma + 1 : before.lastIndexOf(" ") > 40 ? before.lastIndexOf(" ") : LONGEST;
  return [s.slice(0, at).trim(), ...cut(s.slice(at).trim())];
}

/**
 * The language of a text, as far as letters tell it.
 * @param {string} text
 * @param {string} own the language of the page
 */
export function tongue(text, own) {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/[ąćęłńśźż]/i.test(text)) return "pl";
  return own === "ja" && /[a-z]{3}/i.test(text) && !/\p{Script=Han}/u.test(text) ? "en" : own;
}

/** @type {Record<string, string>} */
const REGION = { en: "en-US", pl: "pl-PL", ja: "ja-JP" };
/** @param {string} l */
export const region = (l) => REGION[l] ?? l;
