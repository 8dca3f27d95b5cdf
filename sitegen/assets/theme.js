// Runs before the first paint: the reader's choice of theme, and pages opened from a disk, where
// modules do not load, folders do not lead to their pages, and the search index cannot be read.
(() => {
  const html = document.documentElement;
  try {
    const theme = JSON.parse(localStorage.getItem("theme"));
    if (theme === "light" || theme === "dark") html.dataset.theme = theme;
  } catch {
    // storage can be forbidden or hold something else; the system's theme stays
  }
  if ("noModule" in HTMLScriptElement.prototype) html.classList.add("js");
  if (location.protocol !== "file:") return;
  html.classList.add("no-index");
  addEventListener("DOMContentLoaded", () => {
    const why = document.querySelector("[data-why]");
    const reason = "Search needs a server: pages opened from a disk cannot load the index.";
    why?.prepend(Object.assign(document.createElement("strong"), { textContent: reason }), " ");
  });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link?.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  });
})();
