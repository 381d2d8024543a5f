// Brings a file to the hub. XMLHttpRequest, because fetch does not tell how far
// an upload has come.
import { ApiError, read } from "../api.js";
import { signed } from "../key.js";

export const MOST_BYTES = 20 * 2 ** 20;
export const MOST_FILES = 10;

/**
 * @param {File} file
 * @param {(part: number) => void} progress 0 to 1
 * @param {AbortSignal} signal
 * @returns {Promise<Nod.Attachment>}
 */
export async function upload(file, progress, signal) {
  const headers = await signed();
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new ApiError("offline", ""));
      return;
    }
    const x = new XMLHttpRequest();
    x.open("POST", `/v1/attachments?name=${encodeURIComponent(file.name || "image.png")}`);
    for (const [k, v] of Object.entries(headers)) x.setRequestHeader(k, v);
    x.setRequestHeader("Content-Type", "application/octet-stream");
    x.upload.onprogress = (e) => { if (e.lengthComputable) progress(e.loaded / e.total); };
    x.onload = () => {
      try {
        resolve(read(x.status, x.responseText));
      } catch (e) {
        reject(e);
      }
    };
    x.onerror = x.onabort = () => reject(new ApiError("offline", ""));
    signal.addEventListener("abort", () => x.abort());
    x.send(file);
  });
}
