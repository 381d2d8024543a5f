// Going to another address of the app. It imports nothing, so that screens can use
// it although the router imports them.

/**
 * @param {string} path
 * @param {{replace?: boolean}} [how]
 */
export function go(path, how = {}) {
  if (path === location.pathname + location.search) return;
  history[how.replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new CustomEvent("nod-route"));
}
