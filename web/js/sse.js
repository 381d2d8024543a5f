// Server-sent events, read from a fetch: EventSource hides the heartbeat, and
// without it a dead connection looks like a quiet one.

/** @typedef {{event: string, data: string, id: string}} Message */

/**
 * A parser: feed it pieces, it gives whole messages.
 * @returns {(chunk: string) => Message[]}
 */
export function parser() {
  let rest = "", event = "", data = /** @type {string[]} */ ([]), id = "";
  /** @param {string} line */
  const field = (line) => {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
    else if (name === "id") id = value;
  };
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    const out = [];
    for (const line of lines) {
      if (line !== "") {
        if (!line.startsWith(":")) field(line);
        continue;
      }
      if (data.length) out.push({ event, data: data.join("\n"), id });
      event = "";
      data = [];
    }
    return out;
  };
}

/**
 * Reads a stream until it ends. beat is called for every piece of it, also the
 * heartbeat.
 * @param {ReadableStream<Uint8Array>} body
 * @param {(m: Message) => void} hear
 * @param {() => void} beat
 */
export async function listen(body, hear, beat) {
  const parse = parser();
  const text = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    beat();
    for (const m of parse(text.decode(value, { stream: true }))) hear(m);
  }
}
