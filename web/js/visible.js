// Nothing in a text may hide: what does not show, or changes how its neighbours
// show, is drawn as a tag. The same rule as nod.Visible in the hub.

/** @type {Record<string, string>} */
const NAMES = {
  "\0": "NUL", "\r": "CR", "\x1b": "ESC", "\x7f": "DEL", "\u00a0": "NBSP", "\u00ad": "SHY", "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ",
  "\u200e": "LRM", "\u200f": "RLM", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO", "\u2060": "WJ",
  "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM",
};

// Every blank but the plain one and the wide one of Japanese.
// eslint-disable-next-line no-misleading-character-class -- each of them alone is meant
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u115f\u1160\u3164\uffa0\u2800\u034f\u180b-\u180f\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/gu;

/**
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return text.replace(HIDDEN, (c) => {
    if (c === "\n" || c === "\t") return c;
    return `⟨${NAMES[c] ?? `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`}⟩`;
  });
}
