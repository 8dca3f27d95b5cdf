// Runs before the first paint: the reader's choice of theme, and links that work from a disk.
(() => {
  try {
    const theme = JSON.parse(localStorage.getItem("theme"));
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // storage can be forbidden or hold something else; the system's theme stays
  }
  document.documentElement.classList.add("js");
  if (location.protocol !== "file:") return;
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link?.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  });
})();
