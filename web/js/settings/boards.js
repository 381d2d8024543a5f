// The list of keyboards, as a person needs it. Pure.

/** @typedef {{id: string, name?: string, address: string, admitted: boolean, connected: boolean, by?: string, at?: string}} Board */

/** What a person types of a code: as the keys show it. @param {string} text */
export const codeOf = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 4);

/** Waiting keyboards come first; a browser or a program with a token needs no approval. @param {Board[]} all */
export const worth = (all) => all.filter((b) => (b.admitted ? !!b.by : b.connected)).sort((a, b) => Number(a.admitted) - Number(b.admitted) || a.id.localeCompare(b.id));
