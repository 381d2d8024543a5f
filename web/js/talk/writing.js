// What a draft is made of. Pure: pieces go in, the text and its sentences come out.

const bytes = new TextEncoder();

/** @typedef {{message: string, text: string, size: number, told: number, lost: boolean}} Writing */

/** @returns {Writing} */
export const blank = () => ({ message: "", text: "", size: 0, told: 0, lost: false });

/**
 * A piece more. From its beginning it is a new draft, or the same again after a
 * break; what does not fit to what is there is left to the whole answer.
 * @param {Writing} w
 * @param {Nod.Draft} piece
 * @returns {Writing}
 */
export function grow(w, piece) {
  const more = piece.text ?? "";
  if (piece.over || !more) return w;
  if (piece.at === 0) {
    const same = piece.message === w.message && (more.startsWith(w.text) || w.text.startsWith(more));
    return { message: piece.message ?? "", text: more, size: bytes.encode(more).length, told: same ? Math.min(w.told, more.length) : 0, lost: false };
  }
  if (w.lost || piece.message !== w.message || piece.at !== w.size) return { ...w, lost: true };
  return { ...w, text: w.text + more, size: w.size + bytes.encode(more).length };
}

/** As it is drawn: the answer will have the same paragraphs. @param {string} text */
export const paragraphs = (text) => text.split(/\n{2,}/).map((p) => p.trimEnd()).filter(Boolean);

/**
 * The sentences that are whole and were not told yet: for ears, which want no
 * syllables.
 * @param {Writing} w
 * @returns {{say: string, told: number}}
 */
export function sentences(w) {
  const rest = w.text.slice(w.told);
  const end = Math.max(...[". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", "。", "!", "?"].map((s) => { const at = rest.lastIndexOf(s); return at < 0 ? 0 : at + s.length; }));
  return { say: rest.slice(0, end).trim(), told: w.told + end };
}
