// Before the first paint: the colours and the size of letters that were chosen.
(function () {
  try {
    const p = JSON.parse(localStorage.getItem("nod.prefs") || "{}");
    document.documentElement.dataset.theme = p.theme || "system";
    document.documentElement.dataset.text = p.text || "normal";
  } catch {
    document.documentElement.dataset.theme = "system";
  }
})();
