// Small conveniences on every page; all of it works without, but for copying.
const root = document.documentElement;

function remember(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // not remembered, still done
  }
}

// theme: auto, light or dark
const theme = document.querySelector("[data-theme-choice]");
if (theme) {
  theme.hidden = false;
  const chosen = theme.querySelector(`[value="${root.dataset.theme ?? ""}"]`);
  if (chosen) chosen.checked = true;
  theme.addEventListener("change", (event) => {
    const value = event.target.value;
    if (value) root.dataset.theme = value;
    else delete root.dataset.theme;
    remember("theme", value);
  });
}

// what only a script can do is hidden until there is one
for (const element of document.querySelectorAll("[data-js]")) element.hidden = false;

// copy: the text named by data-copy, or of the element it points to
const said = document.querySelector("[data-said]");
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = button.dataset.copy;
  const text = source.startsWith("#") ? document.querySelector(source).textContent : source;
  let message = `${button.textContent.trim()}: copied`;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    message = "The browser does not allow copying here.";
  }
  if (said) said.textContent = message;
});

// marks in the abstract
const marks = document.querySelector("[data-marks]");
if (marks) {
  const show = (on) => {
    root.classList.toggle("marks-off", !on);
    marks.setAttribute("aria-pressed", String(on));
  };
  let on = true;
  try {
    on = localStorage.getItem("marks") !== "off";
  } catch {
    // shown
  }
  show(on);
  marks.addEventListener("click", () => {
    on = !on;
    show(on);
    remember("marks", on ? "" : "off");
  });
}

// "/" leads to the search box
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const box = document.querySelector("input[type=search]");
  const link = document.querySelector("[data-find]");
  if (!box && !link) return;
  event.preventDefault();
  if (box) {
    box.focus();
    box.select();
  } else link.click();
});
