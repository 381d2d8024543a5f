// What an agent says and asks, for speech: short sentences, the question last. And
// what a voice may answer at all: only what is harmless and was read out whole.
import { plain, sentences } from "../chat/spoken.js";
import { input, project } from "../state.js";
import { visible } from "../visible.js";
import { has, t } from "../words.js";

/**
 * One request as it is read aloud.
 * @typedef {{id: string, name: string, by: "voice" | "screen", kind: "verdict" | "choice" | "text", lead: string[], question: string,
 *   options: string[], free: boolean, key: string}} Ask
 * by: where it can be answered · lead: what is said before the question · key: of the question, in an answer
 */

const FIRST = 3;  // sentences of an answer; the rest on demand
const NEXT = 6;
const LONGEST = 24; // words of a command: a longer one cannot be judged by ear
const HARMLESS = ["read", "write", "network"];

/**
 * Whether a spoken word is enough for it. Everything that a screen wants held, opened or proved is left to the screen.
 * @param {Nod.Request} r
 */
export function harmless(r) {
  if (!r.one_tap || r.link) return false;
  if (r.kind === "approval") return HARMLESS.includes(r.risk?.level ?? "unknown");
  return r.kind === "question" && r.questions?.length === 1 && !r.questions[0]?.multi_select && (!r.risk || HARMLESS.includes(r.risk.level));
}

/**
 * @param {Nod.Request} r
 * @param {boolean} may whether this device may answer at all
 * @returns {Ask}
 */
export function ask(r, may) {
  const name = r.agent.name, q = r.questions?.[0];
  const made = r.kind === "question" && q ? question(name, q) : r.kind === "approval" ? approval(name, r) : other(name, r);
  const by = made.whole && may && harmless(r) ? "voice" : "screen";
  return { id: r.id, name, by, kind: made.kind, lead: made.lead, question: made.question, options: made.options, free: made.free, key: q ? q.id || q.question : "" };
}

/** @param {string} text @returns {string[]} */
const ears = (text) => sentences(plain(text, t("chat.aloud.code")));

/** @param {string} name @param {Nod.Question} q */
function question(name, q) {
  const options = (q.options ?? []).map((o) => o.label);
  const lead = [t("voice.asks", name), ...options.map((o, i) => t("voice.option", i + 1, ears(o).join(" ")))];
  return { kind: /** @type {Ask["kind"]} */ (options.length ? "choice" : "text"), lead, question: ears(q.question).join(" "), options, free: q.free_text === true || !options.length, whole: true };
}

/** @param {string} name @param {Nod.Request} r */
function approval(name, r) {
  const lead = [t("voice.permission", name), ...ears(r.risk?.reason ?? "")];
  const line = String(input(r).command ?? "");
  const made = { kind: /** @type {Ask["kind"]} */ ("verdict"), lead, options: [], free: false };
  if (line) {
    const c = command(line);
    return { ...made, question: t("voice.run", c.text), whole: c.whole };
  }
  return { ...made, question: asked(r), whole: true };
}

/** Of files the name, of pages the host, of other tools what they are called. @param {Nod.Request} r */
function asked(r) {
  const tool = r.tool ?? "", path = String(input(r).file_path ?? input(r).notebook_path ?? ""), url = String(input(r).url ?? input(r).query ?? "");
  if (path && has(`ask.${tool}`)) return t(`ask.${tool}`, project(path));
  const words = has(`ask.${tool}`) ? t(`ask.${tool}`) : t("ask.tool", tool.replace(/^mcp__/, "").replace(/[_-]+/g, " "));
  return [...ears(url), words].join(". ");
}

/** Plans and forms: what they are about; they are answered where they can be read. @param {string} name @param {Nod.Request} r */
function other(name, r) {
  const lead = [t(r.kind === "plan" ? "voice.plan" : "voice.form", name)];
  return { kind: /** @type {Ask["kind"]} */ ("text"), lead, question: ears(r.title).slice(0, 2).join(" "), options: [], free: false, whole: false };
}

/** @type {Record<string, string>} */
const SIGNS = { "&&": "then", ";": "then", "\n": "then", "||": "else", "|": "into", ">": "written", ">>": "written", "<": "from", "<<": "from", "&": "aside" };

/**
* A command line for speech. What hides letters, or is too long to be kept in
 * mind, is not whole.
 * @param {string} line
 * @returns {{text: string, whole: boolean}}
 */
export function command(line) {
  const tokens = line.trim().match(/&&|\|\||>>|<<|[;|><&\n]|[^\s;|><&]+/g) ?? [];
  const words = tokens.map((x) => (SIGNS[x] ? t(`voice.sign.${SIGNS[x]}`) : token(x))).filter(Boolean);
  const whole = words.length <= LONGEST && visible(line) === line && words.join(" ").length <= 200;
  return { text: visible((whole ? words : words.slice(0, LONGEST)).join(" ")), whole };
}

/** @param {string} x */
function token(x) {
  const word = x.replace(/["'()]/g, "");
  const flag = word.match(/^(-{1,2})([\w-]+)=?(.*)$/);
  if (flag) return [t("voice.sign.flag", flag[1] === "-" && (flag[2] ?? "").length <= 4 ? [...(flag[2] ?? "")].join(" ") : (flag[2] ?? "").replace(/-/g, " ")), flag[3]].filter(Boolean).join(" ");
  return word.replace(/^https?:\/\//, "").replace(/[\\/]+/g, " ").replace(/[_]+/g, " ").trim();
}

/**
 * An answer: its beginning, and what "more" reads.
 * @param {string} markdown
 * @returns {{now: string[], rest: string[]}}
 */
export function answer(markdown) {
  const all = ears(markdown);
  return all.length <= FIRST + 1 ? { now: all, rest: [] } : { now: all.slice(0, FIRST), rest: all.slice(FIRST) };
}

/** The next part of the rest. @param {readonly string[]} rest */
export const portion = (rest) => (rest.length <= NEXT + 1 ? { now: [...rest], rest: [] } : { now: rest.slice(0, NEXT), rest: rest.slice(NEXT) });
