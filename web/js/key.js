// This page's half of the device's token. The other half is in a cookie that no
// script can read; a cookie goes to every port of its host, so also to whatever
// an agent serves there, and must not be enough alone. The service worker reads
// the same place.
const NAME = "nod", STORE = "keep";

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
function within(mode, act) {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open(NAME, 1);
    open.onupgradeneeded = () => open.result.createObjectStore(STORE);
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
      const tx = open.result.transaction(STORE, mode);
      const request = act(tx.objectStore(STORE));
      tx.oncomplete = () => { open.result.close(); resolve(request.result); };
      tx.onerror = tx.onabort = () => { open.result.close(); reject(tx.error); };
    };
  });
}

/** @param {string} name @param {unknown} value */
export const keep = (name, value) => within("readwrite", (s) => s.put(value, name));
/** @param {string} name */
export const drop = (name) => within("readwrite", (s) => s.delete(name));
/** @param {string} name @returns {Promise<any>} */
export const kept = (name) => within("readonly", (s) => s.get(name));

/** @type {Promise<string> | undefined} */
let known;

/** The key, or "" where this browser is not paired. */
export function key() {
  known ??= kept("key").then((k) => k ?? "", () => "");
  return known;
}

/** @param {string} value "" forgets it */
export async function setKey(value) {
  await (value ? keep("key", value) : drop("key"));
  known = Promise.resolve(value);
}

/** Headers that every call to the hub carries. @returns {Promise<Record<string, string>>} */
export async function signed() {
  const k = await key();
  return k ? { "Nod-Via": "web", "Nod-Key": k } : { "Nod-Via": "web" };
}
