// All calls to the hub. Every failure becomes an ApiError with a code; a call without a
// response is "offline" (the hub's own "unreachable" is about agents) and is never retried silently:
// a decision must not be made twice, or later than the person thinks.
import { setKey, signed } from "./key.js";
import { setClock } from "./time.js";
import { lang } from "./words.js";

export class ApiError extends Error {
  /**
   * @param {string} code a code of nod, or "offline", "timeout"
   * @param {string} message the hub's own words, if it said any
   * @param {Nod.Request} [request] with conflict: how it was settled
   */
  constructor(code, message, request) {
    super(message);
    this.code = code;
    this.request = request;
  }
}

const LONGEST = 10_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{signal?: AbortSignal, headers?: Record<string, string>}} [how]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, how = {}) {
  const limit = AbortSignal.timeout(LONGEST);
  /** @type {Record<string, string>} */
  const headers = { ...await signed(), ...how.headers, Accept: "application/json", "Accept-Language": lang() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response, text;
  try {
    response = await fetch(path, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin", cache: "no-store", redirect: "error",
      signal: how.signal ? AbortSignal.any([how.signal, limit]) : limit,
    });
    text = await response.text();
  } catch (e) {
    if (how.signal?.aborted) throw e;
    throw new ApiError(limit.aborted ? "timeout" : "offline", "");
  }
  const date = response.headers.get("Date");
  if (date) setClock(Date.parse(date), Date.now());
  return read(response.status, text);
}

/**
 * @param {number} status
 * @param {string} text
 */
export function read(status, text) {
  let json;
  try {
    json = text ? JSON.parse(text) : undefined;
  } catch {
    // A proxy's own page: whatever it says, the hub did not say it.
    throw new ApiError(status >= 500 ? "unavailable" : "offline", "");
  }
  if (status >= 200 && status < 300) return json;
  throw new ApiError(json?.error?.code ?? "internal", json?.error?.message ?? "", json?.request);
}

/** @param {string} id */
const enc = (id) => encodeURIComponent(id);

export const api = {
  /** @returns {Promise<Nod.Me>} */
  me: () => call("GET", "/v1/me"),
  /** @returns {Promise<Nod.Snapshot>} */
  state: () => call("GET", "/v1/state"),
  /** @param {string} id @returns {Promise<Nod.Request>} */
  request: (id) => call("GET", `/v1/requests/${enc(id)}`),
  /** @param {string} id @returns {Promise<{parts: Nod.CardPart[]}>} */
  card: (id) => call("GET", `/v1/requests/${enc(id)}/card`),
  /** @param {string} id */
  shown: (id) => call("POST", `/v1/requests/${enc(id)}/shown`),
  /** @param {string} id @param {Nod.Answer} answer @param {string} [proof] of a passkey @returns {Promise<Nod.Decision>} */
  decide: (id, answer, proof) => call("POST", `/v1/requests/${enc(id)}/decision`, answer, proof ? { headers: { "Nod-Proof": proof } } : {}),
  /** @param {string} id */
  interrupt: (id) => call("POST", `/v1/agents/${enc(id)}/interrupt`),
  /** @returns {Promise<Nod.Assistant[]>} */
  assistants: async () => (await call("GET", "/v1/assistants")).assistants,
  /** @param {{id: string, assistant?: string, name?: string}} o @returns {Promise<Nod.Agent>} */
  open: (o) => call("POST", "/v1/agents", o),
  /** @param {string} id */
  leave: (id) => call("DELETE", `/v1/agents/${enc(id)}`),
  stop: () => call("POST", "/v1/stop"),
  /** @param {string} id */
  revokeLease: (id) => call("DELETE", `/v1/leases/${enc(id)}`),
  /** @param {string} code @param {string} name */
  pair: async (code, name) => setKey((await call("POST", "/v1/pair", { code, name, cookie: true })).key),
  signOut: async () => { await call("DELETE", "/v1/me"); await setKey(""); },
};
