// What a person has typed but not sent. It survives a closed sheet, another
// screen, and a redrawn card; it is gone with the page.

/** @type {Map<string, any>} */
const kept = new Map();

/**
 * @template T
 * @param {string} key
 * @param {() => T} start
 * @returns {T}
 */
export function draft(key, start) {
  if (!kept.has(key)) kept.set(key, start());
  return kept.get(key);
}

/** @param {string} key @param {unknown} value */
export const keep = (key, value) => void kept.set(key, value);

/** @param {string} id everything about one request */
export function forget(id) {
  for (const key of [...kept.keys()]) if (key.startsWith(id)) kept.delete(key);
}
