// The reading list: kept in this browser, taken along as a file or in a link.
import { copy, download, make, root, saved, say, setSaved } from "./site.js";

const list = document.querySelector("[data-list]");
const empty = document.querySelector("[data-empty]");
const tools = document.querySelector("[data-tools]");
const offer = document.querySelector("[data-offer]");
const file = document.querySelector("[data-file]");
const ID = /^[0-9a-hjkmnp-tv-z]{8,16}$/;

function show() {
  const papers = Object.entries(saved());
  empty.hidden = papers.length > 0;
  tools.hidden = papers.length === 0;
  list.replaceChildren(...papers.map(([id, paper]) => row(id, paper)));
}

function row(id, { title, note }) {
  const link = make("a", { href: new URL(`papers/${id}/`, root).href }, title || id);
  const box = make("textarea", { value: note ?? "", rows: 2, placeholder: "Your note …" });
  box.setAttribute("aria-label", `Note on ${title}`);
  box.addEventListener("change", () => {
    const papers = saved();
    if (id in papers) papers[id].note = box.value;
    setSaved(papers);
  });
  const drop = make("button", { className: "plain", type: "button" }, "Take off");
  drop.setAttribute("aria-label", `Take off: ${title}`);
  drop.addEventListener("click", () => {
    const papers = saved();
    delete papers[id];
    setSaved(papers);
    show();
    (list.querySelector("a") ?? document.querySelector("main")).focus();
    say("Taken off.");
  });
  return make("li", {}, make("h3", {}, link), box, make("p", { className: "meta" }, drop));
}

function take(papers, how) {
  const known = saved();
  let count = 0;
  for (const [id, paper] of Object.entries(papers)) {
    if (!ID.test(id)) continue;
    count += id in known ? 0 : 1;
    const note = String(paper?.note ?? "").slice(0, 5000);
    known[id] = { title: String(paper?.title ?? known[id]?.title ?? id).slice(0, 300), note: known[id]?.note || note };
  }
  setSaved(known);
  show();
  say(`${count} ${count === 1 ? "paper" : "papers"} added ${how}.`);
}

// titles and BibTeX stand on the papers' own pages
async function page(id) {
  const answer = await fetch(new URL(`papers/${id}/`, root));
  if (!answer.ok) throw new Error(id);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function bibliography() {
  const found = await Promise.allSettled(Object.keys(saved()).map(page));
  return found
    .map(({ value }) => value?.querySelector("#bibtex")?.textContent)
    .filter(Boolean)
    .join("\n");
}

tools.addEventListener("click", async (event) => {
  const format = event.target.closest("[data-export]")?.dataset.export;
  if (!format) return;
  if (format === "json") {
    download("reading-list.json", "application/json", `${JSON.stringify(saved(), null, 1)}\n`);
  } else if (format === "link") {
    const url = new URL(location.href);
    url.hash = Object.keys(saved()).join(",");
    await copy(url.href, "Link copied; who opens it is offered these papers.");
  } else {
    const { convert } = await import("./cite.js");
    const made = convert(await bibliography(), format);
    download(`reading-list.${made.suffix}`, made.type, made.text);
  }
});

// our own BibTeX names each paper by its id
async function fromBibliography(text) {
  const { parse } = await import("./cite.js");
  const headline = /^Abstract without title; headline by sitegen: /;
  return Object.fromEntries(
    parse(text)
      .filter(({ key }) => key.startsWith("sitegen-"))
      .map(({ key, title, note }) => [key.slice(8), { title: title ?? note?.replace(headline, ""), note: "" }]),
  );
}

file.addEventListener("change", async () => {
  try {
    const text = await file.files[0].text();
    take(text.trimStart().startsWith("@") ? await fromBibliography(text) : JSON.parse(text), "from the file");
  } catch {
    say("That file is no reading list.");
  }
  file.value = "";
});

async function shared() {
  const ids = location.hash.slice(1).split(",").filter((id) => ID.test(id)).slice(0, 200);
  offer.hidden = ids.length === 0;
  if (!ids.length) return;
  offer.querySelector("[data-offer-count]").textContent = ids.length === 1 ? "one paper" : `${ids.length} papers`;
  offer.querySelector("button").onclick = async () => {
    const found = await Promise.allSettled(ids.map(page));
    const papers = {};
    found.forEach(({ value }, index) => {
      if (value) papers[ids[index]] = { title: value.querySelector("h1")?.textContent ?? "" };
    });
    take(papers, "from the link");
    history.replaceState(null, "", location.pathname);
    offer.hidden = true;
  };
}

addEventListener("hashchange", shared);
show();
shared();
