// A finger, a face or a PIN: the two ceremonies of WebAuthn, in the form that
// the hub wants. A confirmation is worth a ticket, good once and for one thing.
import { ApiError, call } from "./api.js";
import { t } from "./words.js";

/** @param {ArrayBuffer} b base64url, as the hub writes bytes */
export const text = (b) => btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** @param {string} s @returns {ArrayBuffer} */
export function bytes(s) {
  const plain = atob(s.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0)).buffer;
}

/** @param {any} list */
const descriptors = (list) => (list ?? []).map((/** @type {any} */ d) => ({ ...d, id: bytes(d.id) }));

/** @param {any} o @returns {PublicKeyCredentialRequestOptions} */
export const requestOptions = (o) => ({ ...o, challenge: bytes(o.challenge), allowCredentials: descriptors(o.allowCredentials) });

/** @param {any} o @returns {PublicKeyCredentialCreationOptions} */
export const creationOptions = (o) => ({ ...o, challenge: bytes(o.challenge), user: { ...o.user, id: bytes(o.user.id) }, excludeCredentials: descriptors(o.excludeCredentials) });

/**
* Turns a browser's error into text: most often the person cancelled.
 * @template T
 * @param {() => Promise<T>} f
 * @returns {Promise<T>}
 */
async function asked(f) {
  if (!globalThis.PublicKeyCredential) throw new ApiError("passkey", t(isSecureContext ? "passkey.cannot" : "passkey.insecure"));
  try {
    return await f();
  } catch (e) {
    const name = e instanceof DOMException ? e.name : "";
    throw new ApiError("passkey", t(name === "InvalidStateError" ? "passkey.known" : name === "SecurityError" ? "passkey.insecure" : "passkey.cancelled"));
  }
}

/**
 * Confirms one thing. path: /v1/requests/{id}/proof, or /v1/passkeys/proof.
 * @param {string} path
 * @returns {Promise<string>} the ticket for Nod-Proof
 */
export async function prove(path) {
  const { publicKey } = await call("POST", `${path}/begin`);
  const found = /** @type {PublicKeyCredential} */ (await asked(() => navigator.credentials.get({ publicKey: requestOptions(publicKey) })));
  const r = /** @type {AuthenticatorAssertionResponse} */ (found.response);
  const ticket = await call("POST", path, { credential: text(found.rawId), client_data: text(r.clientDataJSON), authenticator_data: text(r.authenticatorData), signature: text(r.signature) });
  return ticket.proof;
}

/** @param {string} id a request */
export const proveRequest = (id) => prove(`/v1/requests/${encodeURIComponent(id)}/proof`);

/** A code with which one more can be added where none works yet. @returns {Promise<{code: string, expires_at: string}>} */
export const invite = () => proven((headers) => call("POST", "/v1/passkeys/invitations", undefined, { headers }));

/**
 * Does something that changes the passkeys; where one is needed for it, asks for it and does it again.
 * @template T
 * @param {(headers: Record<string, string>) => Promise<T>} f
 * @returns {Promise<T>}
 */
export async function proven(f) {
  try {
    return await f({});
  } catch (e) {
    if (!(e instanceof ApiError) || e.code !== "proof_needed") throw e;
  }
  return f({ "Nod-Proof": await prove("/v1/passkeys/proof") });
}

/** @param {string} name @param {string} invitation instead of another passkey, where none works; "": none */
export async function register(name, invitation) {
  const { publicKey } = invitation ? await call("POST", "/v1/passkeys/register/begin", { name, invitation })
    : await proven((headers) => call("POST", "/v1/passkeys/register/begin", { name }, { headers }));
  const made = /** @type {PublicKeyCredential} */ (await asked(() => navigator.credentials.create({ publicKey: creationOptions(publicKey) })));
  const r = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return call("POST", "/v1/passkeys/register/finish", {
    credential: text(made.rawId), client_data: text(r.clientDataJSON), attestation: text(r.attestationObject), transports: r.getTransports?.() ?? [],
  });
}
