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

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// theme: auto, light or dark
const foot = document.querySelector(".site-foot .wrap");
if (foot) {
  const theme = make("fieldset", { className: "theme" }, make("legend", {}, "Theme"));
  for (const [value, label] of [["", "Auto"], ["light", "Light"], ["dark", "Dark"]]) {
    const input = make("input", { type: "radio", name: "theme", value });
    input.checked = value === (root.dataset.theme ?? "");
    theme.append(make("label", {}, input, ` ${label}`));
  }
  theme.addEventListener("change", (event) => {
    const value = event.target.value;
    if (value) root.dataset.theme = value;
    else delete root.dataset.theme;
    remember("theme", value);
  });
  foot.append(theme);
}

// what has just been done, for eyes and for screen readers
const said = make("p", { className: "said", role: "status" });
document.body.append(said);
let fading;
function say(text) {
  said.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (said.textContent = ""), 4000);
}

// what only a script can do is hidden until there is one
for (const element of document.querySelectorAll("[data-js]")) element.hidden = false;

// copy: the text named by data-copy, or of the element it points to
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
  say(message);
});

// marks in the abstract
const marks = document.querySelector("[data-marks]");
if (marks) {
  const show = (on) => {
    root.classList.toggle("marks-off", !on);
    marks.textContent = on ? "Hide their marks in the text" : "Mark them in the text";
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
