// Conveniences on every page. Whatever is remembered stays in this browser's storage; the pages
// are whole without any of this.

const html = document.documentElement;
export const root = new URL("../", import.meta.url);

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// ---- memory ----
// Several digests may stand on one host, whose storage they share; the theme is for all of them.
const nameOf = (key) => (key === "theme" ? key : root.pathname + key);

export function recall(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(nameOf(key))) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(nameOf(key));
    else localStorage.setItem(nameOf(key), JSON.stringify(value));
    return true;
  } catch {
    return false; // storage forbidden or full
  }
}

// ---- saying what was done ----
const said = make("p", { className: "said", role: "status" });
document.body.append(said);
let fading;
export function say(text) {
  said.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (said.textContent = ""), 5000);
}

export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say("The browser does not allow copying here.");
  }
}

export function download(name, type, text) {
  const link = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- theme ----
const foot = document.querySelector(".site-foot .wrap");
if (foot) {
  const theme = make("fieldset", { className: "theme" }, make("legend", {}, "Theme"));
  for (const [value, label] of [["", "Auto"], ["light", "Light"], ["dark", "Dark"]]) {
    const input = make("input", { type: "radio", name: "theme", value });
    input.checked = value === (html.dataset.theme ?? "");
    theme.append(make("label", {}, input, ` ${label}`));
  }
  theme.addEventListener("change", ({ target: { value } }) => {
    if (value) html.dataset.theme = value;
    else delete html.dataset.theme;
    remember("theme", value || null);
  });
  foot.append(theme);
}

// what only a script can do is hidden until there is one
for (const element of document.querySelectorAll("[data-js]")) element.hidden = false;

// ---- papers read, saved and new ----
const READ = 5000; // papers remembered as read, newest last
const idOf = (link) => link.pathname.match(/\/papers\/([^/]+)\/(?:index\.html)?$/)?.[1];
const article = document.querySelector("article[data-id]");

export const saved = () => recall("saved", {});

export function setSaved(papers) {
  if (!remember("saved", papers)) say("This browser does not let the page keep anything.");
  countSaved();
}

function countSaved() {
  const count = Object.keys(saved()).length;
  const link = document.querySelector(".site-head nav a[href$='saved/']");
  if (link) link.textContent = count ? `Saved ${count}` : "Saved";
}

if (article) {
  const id = article.dataset.id;
  const press = (label, data) => {
    const button = make("button", { className: "btn", type: "button" }, label);
    return Object.assign(button.dataset, data) && button;
  };
  const permalink = document.querySelector("link[rel=canonical]").href;
  document.querySelector("[data-keep] h2").after(
    make("div", { className: "row-of-buttons" },
      press("Save", { save: "" }), press("Copy link", { copy: permalink }), press("Copy BibTeX", { copy: "#bibtex" })));
  const more = [["bib", "BibTeX"], ["ris", "RIS"], ["csl", "CSL-JSON"]].map(([cite, label]) => {
    const button = press(label, { cite });
    button.className = "plain";
    return button;
  });
  document.querySelector("#bibtex").after(make("p", { className: "formats" }, "Download ", ...more));
  const read = recall("read", []).filter((other) => other !== id);
  remember("read", [...read, id].slice(-READ));
  const button = document.querySelector("[data-save]");
  const show = () => {
    const on = id in saved();
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? "Saved" : "Save";
  };
  button.addEventListener("click", () => {
    const papers = saved();
    if (id in papers) delete papers[id];
    else papers[id] = { title: document.querySelector("h1").textContent, note: "" };
    setSaved(papers);
    show();
    say(id in papers ? "Saved to your reading list in this browser." : "Taken off your reading list.");
  });
  show();
}
countSaved();

// editions that came since the last visit; they stay marked until the reader says they are seen
async function fresh() {
  const newest = html.dataset.newest;
  if (!newest) return recall("fresh", []); // only pages that change with each edition name it
  const known = recall("editions", null);
  if (known?.includes(newest)) return recall("fresh", []);
  const answer = await fetch(new URL("data/editions.json", root)).catch(() => null);
  if (!answer?.ok) return [];
  const editions = await answer.json();
  remember("editions", editions.map(({ slug }) => slug));
  if (!known) return []; // the first visit: all is new, so nothing is
  const since = editions.filter(({ slug }) => !known.includes(slug));
  const papers = [...new Set([...recall("fresh", []), ...since.flatMap(({ papers: ids }) => ids)])];
  remember("fresh", papers.slice(0, READ));
  return papers;
}

async function markRows() {
  const links = [...document.querySelectorAll(".papers h3 a, .rel a")];
  if (!links.length) return;
  const read = new Set(recall("read", []));
  const unseen = new Set((await fresh()).filter((id) => !read.has(id)));
  let count = 0;
  for (const link of links) {
    const id = idOf(link);
    const item = link.closest("li");
    item.classList.toggle("is-read", read.has(id));
    if (unseen.has(id) && !item.querySelector(".is-new")) {
      item.querySelector(".meta:last-of-type, small")?.prepend(make("b", { className: "is-new" }, "New"));
      count++;
    }
  }
  offerHiding(links.filter((link) => read.has(idOf(link))).length);
  if (count) offerSeen(unseen.size);
}

function offerHiding(count) {
  const list = document.querySelector("ol.papers:not([data-results])");
  if (!count || !list || document.querySelector("[data-hide]")) return;
  const button = make("button", { className: "plain", type: "button" });
  button.dataset.hide = "";
  const show = () => {
    const off = recall("hide-read", false);
    html.classList.toggle("hide-read", off);
    button.textContent = off ? `Show ${count} read` : `Hide ${count} read`;
  };
  button.addEventListener("click", () => {
    remember("hide-read", recall("hide-read", false) ? null : true);
    show();
  });
  show();
  list.previousElementSibling?.append(button);
}

function offerSeen(count) {
  const facts = document.querySelector(".hero .facts");
  if (!facts || document.querySelector("[data-seen]")) return;
  const button = make("button", { className: "plain", type: "button" }, "mark all as seen");
  button.dataset.seen = "";
  const line = make("span", {}, ` · ${count} new since your last visit, `, button);
  button.addEventListener("click", () => {
    remember("fresh", null);
    line.remove();
    for (const mark of document.querySelectorAll(".is-new")) mark.remove();
  });
  facts.append(line);
}
markRows();

// ---- copying and citing ----
const ask = async (path) => {
  const answer = await fetch(new URL(path, root));
  if (!answer.ok) throw new Error(path);
  return answer;
};

// The BibTeX of a list, in its order, out of the whole digest's (in parts where it is very large).
async function bibliography(folder) {
  const whole = await (await ask("data/papers.bib")).text();
  if (!folder) return whole;
  const [kind, slug] = folder.split("/");
  const ids = slug
    ? (await (await ask(`data/${kind}.json`)).json()).find((one) => one.slug === slug).papers
    : [...document.querySelectorAll(".papers h3 a")].map(idOf);
  const entries = new Map();
  for (let text = whole, part = 2; ; part++) {
    for (const entry of text.split(/^(?=@)/m)) entries.set(entry.match(/^@\w+\{sitegen-(\w+)/)?.[1], entry.trim());
    if (ids.every((id) => entries.has(id))) break;
    const more = await ask(`data/papers-${part}.bib`).catch(() => null);
    if (!more) break;
    text = await more.text();
  }
  return `${ids.filter((id) => entries.has(id)).map((id) => entries.get(id)).join("\n\n")}\n`;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-cite]");
  if (!button) return;
  const { copy: source, cite: format } = button.dataset;
  if (source !== undefined) {
    const text = source.startsWith("#") ? document.querySelector(source).textContent : source;
    await copy(text, `${button.textContent.trim()}: done.`);
    return;
  }
  event.preventDefault();
  const { convert } = await import("./cite.js");
  const list = button.closest("[data-of]")?.dataset;
  const text = list
    ? await bibliography(list.of).catch(() => say("The bibliography could not be loaded."))
    : document.querySelector("#bibtex").textContent;
  if (!text) return;
  const made = convert(text, format);
  download(`${list?.name ?? article.dataset.id}.${made.suffix}`, made.type, made.text);
});

// ---- marks in the abstract ----
const tags = document.querySelector("article .tags");
if (tags && document.querySelector(".abstract mark")) {
  const marks = make("button", { className: "plain", type: "button" });
  tags.after(make("p", {}, marks));
  const show = () => {
    const on = recall("marks", true);
    html.classList.toggle("marks-off", !on);
    marks.textContent = on ? "Hide their marks in the text" : "Mark them in the text";
  };
  marks.addEventListener("click", () => {
    remember("marks", recall("marks", true) ? false : null);
    show();
  });
  show();
  // a tag shows where its phrase stands
  const point = (event) => {
    const number = [...tags.children].indexOf(event.target.closest("li"));
    const on = event.type === "pointerover" || event.type === "focusin";
    document.querySelector(`.abstract [data-tag="${number}"]`)?.classList.toggle("hit", on);
  };
  for (const type of ["pointerover", "pointerout", "focusin", "focusout"]) {
    tags.addEventListener(type, point);
  }
}

// the words that were searched for, kept marked; the address goes back to the permanent one
const abstract = document.querySelector(".abstract");
const asked = new URLSearchParams(location.search).get("q");
if (abstract && asked) {
  const words = asked.match(/[\p{L}\p{N}+#]{2,}/gu) ?? [];
  if (words.length) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map((word) => word.replace(/[+]/g, "\\$&")).join("|")})[\\p{L}\\p{N}]*`, "giu");
    const walker = document.createTreeWalker(abstract, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.parentElement.closest("math")) continue;
      const parts = [];
      let end = 0;
      for (const found of text.data.matchAll(pattern)) {
        parts.push(text.data.slice(end, found.index), make("mark", { className: "hit" }, found[0]));
        end = found.index + found[0].length;
      }
      if (end) text.replaceWith(...parts, text.data.slice(end));
    }
  }
  history.replaceState(null, "", location.pathname + location.hash);
}

// ---- a mistyped address: perhaps only its case or its end is wrong ----
const missing = document.querySelector("[data-missing]");
if (missing) {
  const path = decodeURI(location.pathname);
  const tries = new Set([path.toLowerCase(), `${path.replace(/\/?$/, "/")}`, path.toLowerCase().replace(/[.,;:)\]]+\/?$/, "/")]);
  tries.delete(path);
  for (const other of tries) {
    const answer = await fetch(other, { method: "HEAD" }).catch(() => null);
    if (!answer?.ok) continue;
    missing.append("Did you mean ", make("a", { href: other }, other), "?");
    missing.hidden = false;
    break;
  }
}

// ---- keys ----
const KEYS = [
  ["/", "go to the search box"],
  ["j k", "next and previous paper"],
  ["o", "open it"],
  ["s", "save the paper that is open"],
  ["?", "this help"],
  ["Esc", "close, or leave the search box"],
];
let help;

function showHelp() {
  if (!help) {
    const list = make("dl", {});
    for (const [keys, does] of KEYS) {
      const term = make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key)));
      list.append(make("div", {}, term, make("dd", {}, does)));
    }
    const input = make("input", { type: "checkbox", checked: recall("keys", true) });
    input.addEventListener("change", () => remember("keys", input.checked ? null : false));
    const close = make("button", { className: "btn" }, "Close");
    help = make("dialog", { className: "help" },
      make("h2", { id: "keys" }, "Keys"), list,
      make("p", {}, make("label", {}, input, " Use these keys (? always works)")),
      make("form", { method: "dialog" }, close));
    help.setAttribute("aria-labelledby", "keys");
    document.body.append(help);
  }
  help.showModal();
}

function step(by) {
  const links = [...document.querySelectorAll(".papers h3 a, .rel a")].filter((link) => link.offsetParent);
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  const next = links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "?") {
    event.preventDefault();
    showHelp();
    return;
  }
  if (help?.open || !recall("keys", true)) return;
  if (event.key === "/") {
    event.preventDefault();
    const box = document.querySelector("input[type=search]");
    if (box) {
      box.focus();
      box.select();
    } else document.querySelector(".find")?.click();
  } else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else if (event.key === "o" && document.activeElement.closest(".papers, .rel")) document.activeElement.click();
  else if (event.key === "s") document.querySelector("[data-save]")?.click();
});

// ---- offline ----
if ("serviceWorker" in navigator && window.isSecureContext) {
  addEventListener("load", () => navigator.serviceWorker.register(new URL("sw.js", root)).catch(() => {}));
}
