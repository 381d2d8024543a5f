// Everything the page says comes from /app/words/{lang}.json, which the hub
// writes from internal/present/words. Keys are fixed; a missing one shows itself.

/** @typedef {string | Record<string, string>} Entry a sentence, or its forms by plural rule */

/** @type {Record<string, Entry>} */
let book = {};
let language = "en";
let plural = new Intl.PluralRules("en");

export const LANGUAGES = /** @type {const} */ (["en", "pl", "ja"]);

/** @returns {string} */
export const lang = () => language;

/**
 * The language a person wants: what they chose, or the first that their browser
 * asks for and nod speaks.
 * @param {string} chosen
 * @param {readonly string[]} asked
 */
export function pick(chosen, asked) {
  const known = /** @type {readonly string[]} */ (LANGUAGES);
  return [chosen, ...asked].map((l) => l.toLowerCase().slice(0, 2)).find((l) => known.includes(l)) ?? "en";
}

/**
 * @param {string} l
 * @param {Record<string, Entry>} entries
 */
export function use(l, entries) {
  language = l;
  book = entries;
  plural = new Intl.PluralRules(l);
}

/** @param {string} l */
export async function load(l) {
  const r = await fetch(`/app/words/${l}.json`);
  if (!r.ok) throw new Error(`words: ${r.status}`);
  use(l, await r.json());
}

/**
 * t("inbox.new", 3): the first argument chooses the plural form.
 * @param {string} key
 * @param {...(string | number)} args
 * @returns {string}
 */
export function t(key, ...args) {
  const entry = book[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : (entry[plural.select(Number(args[0]))] ?? entry.other ?? key);
  return args.length ? format(text, args) : text;
}

/** @param {string} key */
export const has = (key) => book[key] !== undefined;

/**
 * The verbs of Go that our words use: %s, %d, %[2]s, %%.
 * @param {string} text
 * @param {(string | number)[]} args
 */
export function format(text, args) {
  let next = 0;
  return text.replace(/%(?:\[(\d+)\])?([sdq%])/g, (_, n, verb) => {
    if (verb === "%") return "%";
    if (n) next = Number(n) - 1;
    return String(args[next++] ?? "");
  });
}
