// The past as a file. A plain link cannot do it: the key goes in a header.
import { ApiError, read } from "../api.js";
import { h } from "../html.js";
import { signed } from "../key.js";

/** @param {Date} now a name that sorts by time */
export function fileName(/** @type {"csv" | "json"} */ form, now) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `nod-history-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.${form}`;
}

/**
 * @param {"csv" | "json"} form
 * @param {URLSearchParams} query
 */
export async function save(form, query) {
  let response, body;
  try {
    response = await fetch(`/v1/history.${form}?${query}`, { headers: await signed(), credentials: "same-origin", cache: "no-store", redirect: "error" });
    if (!response.ok) read(response.status, await response.text());
    body = await response.blob();
  } catch (e) {
    throw e instanceof ApiError ? e : new ApiError("offline", "");
  }
  const url = URL.createObjectURL(body);
  const a = h("a", { href: url, download: fileName(form, new Date()), hidden: true });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
