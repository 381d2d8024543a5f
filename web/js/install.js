// Browsers offer once, early, to put nod on the home screen; the settings come
// later. So the offer is kept.

/** @type {any} */
let offer;

addEventListener("beforeinstallprompt", (e) => {
  e.preventDefault(); // not now: offered in the settings
  offer = e;
  dispatchEvent(new CustomEvent("nod-install"));
});
addEventListener("appinstalled", () => {
  offer = undefined;
  dispatchEvent(new CustomEvent("nod-install"));
});

export const canInstall = () => offer !== undefined;

/** @returns {Promise<boolean>} whether they did */
export async function install() {
  const mine = offer;
  offer = undefined; // it is good once
  await mine?.prompt();
  const choice = await mine?.userChoice;
  return choice?.outcome === "accepted";
}
