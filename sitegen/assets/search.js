// Search as you type over the Pagefind index. The state lives in the URL; the page is a plain list
// of topics until the index is there.
import { EVERY, openIndex } from "./index.js";

const form = document.querySelector("[data-search]");
const box = form.querySelector("input");
const facets = document.querySelector("[data-facets]");
const live = document.querySelector("[data-live]");
const status = document.querySelector("[data-status]");
const list = document.querySelector("[data-results]");
const more = document.querySelector("[data-more]");
const nothing = document.querySelector("[data-nothing]");
const sortLabel = document.querySelector("[data-sort]");
const sorting = sortLabel.querySelector("select");
const root = new URL(form.dataset.root, location.href);

const PAGE = 20; // results shown at once
const small = matchMedia("(max-width: 56rem)");
const WORDS = small.matches ? 20 : 30; // words in an excerpt
const FACETS = ["topic", "edition", "code"];
const topics = new Map(); // slug to title and hue
for (const label of facets.querySelectorAll("[data-hue]")) {
  topics.set(label.querySelector("input").value, {
    title: label.querySelector("span").textContent,
    hue: label.dataset.hue,
  });
}

let opened; // promise of the index
let turn = 0; // number of the newest search; older ones are dropped
let hits = [];
let shown = 0;
let total = 0; // papers found; the list of all papers begins before all are loaded

function load() {
  opened ??= openIndex(new URL(form.dataset.index, location.href).href);
  return opened;
}

// ---- state ----
function readUrl() {
  const params = new URLSearchParams(location.search);
  box.value = params.get("q") ?? "";
  sorting.value = params.get("sort") ?? "";
  params.getAll("edition").forEach(offer);
  for (const input of facets.elements) {
    if (input.type === "checkbox") input.checked = params.getAll(input.name).includes(input.value);
  }
}

// Only the newest editions are listed: one that an address asks for is put behind them.
function offer(edition) {
  const listed = [...facets.querySelectorAll('[name="edition"]')];
  if (!listed.length || listed.some((input) => input.value === edition)) return;
  const label = listed.at(-1).parentElement.cloneNode(true);
  label.querySelector("input").value = edition;
  label.querySelector("span").textContent = edition;
  listed.at(-1).parentElement.after(label);
}

function chosen() {
  const filters = {};
  for (const input of facets.elements) {
    if (input.type === "checkbox" && input.checked) (filters[input.name] ??= []).push(input.value);
  }
  return filters;
}

function writeUrl(push) {
  const params = new URLSearchParams();
  if (box.value.trim()) params.set("q", box.value.trim());
  for (const [name, values] of Object.entries(chosen())) {
    for (const value of values) params.append(name, value);
  }
  if (sorting.value) params.set("sort", sorting.value);
  const query = params.toString();
  const url = query ? `?${query}` : location.pathname;
  if (url === (location.search || location.pathname)) return;
  history[push ? "pushState" : "replaceState"](null, "", url);
}

function toPagefind(filters) {
  return Object.fromEntries(Object.entries(filters).map(([name, any]) => [name, { any }]));
}

// ---- searching ----
async function run() {
  const mine = ++turn;
  const query = box.value.trim();
  const filters = chosen();
  const narrowed = Object.keys(filters).length > 0;
  document.title = document.title.replace(/^.*?(?= · )/, query ? `${query} – Search` : "Search");
  let index;
  const slow = setTimeout(() => mine === turn && say("Loading the index …"), 400);
  try {
    index = await load();
    // the newest of all papers are in the part that is there
    if (query || narrowed) await index.load(tell);
  } catch (error) {
    fail(error);
    return;
  } finally {
    clearTimeout(slow);
  }
  if (mine !== turn) return;
  const options = { filters: toPagefind(filters) };
  if (sorting.value === "newest" || !query) options.sort = { date: "desc" };
  const term = paired(query) || EVERY;
  const [found, ...others] = await Promise.all([
    ranked(index, query, options),
    // counts of a facet with a choice: as if nothing were chosen in it
    ...FACETS.map((name) => {
      if (!filters[name]) return null;
      const rest = { ...filters };
      delete rest[name];
      return index.search(term, { filters: toPagefind(rest) });
    }),
  ]);
  if (mine !== turn) return;
  const all = !query && !narrowed;
  const counts = (name, at) => (all ? index.counts : (others[at] ?? found).filters)[name] ?? {};
  FACETS.forEach((name, at) => count(name, counts(name, at)));
  const words = split(query);
  const unknown = words.length < 2 ? [] : await index.unknown(words.map(paired));
  const missing = words.filter((word) => unknown.includes(paired(word)));
  if (mine !== turn) return;
  hits = found.results;
  total = all ? index.papers : hits.length;
  shown = 0;
  const fresh = document.createDocumentFragment();
  await append(fresh, mine, query);
  if (mine !== turn) return;
  list.replaceChildren(fresh);
  live.classList.remove("waiting");
  sortLabel.classList.toggle("idle", total < 2);
  nothing.hidden = total > 0;
  if (total) {
    const papers = total === 1 ? "1 paper" : `${total.toLocaleString("en")} papers`;
    const without = missing.length ? `; no paper has ${missing.map((w) => `“${w}”`).join(" or ")}` : "";
    say((query ? `${papers} for “${query}”${without}` : narrowed ? papers : `${papers} in all`) + lacking(index));
  } else {
    say(`Nothing found for “${query}”${lacking(index)}`);
    await explain(index, query, narrowed, mine);
  }
}

// How far loading is, where it takes long enough to read.
let told = 0;
function tell(done, parts) {
  if (performance.now() - told < 400) return;
  told = performance.now();
  if (live.classList.contains("waiting")) say(`Loading the index: part ${done} of ${parts} …`);
}

// What could not be searched; without a network, pieces of the index that were never loaded.
function lacking(index) {
  if (index.missing) return `; ${index.missing.toLocaleString("en")} papers could not be searched`;
  return navigator.onLine ? "" : "; without a network, only what was loaded before is searched";
}

const squash = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}+#]/gu, "");
const spoken = (text) => text.toLowerCase().split(/[^\p{L}\p{N}+#^]+/u).filter(Boolean).join(" ");
// scripts without spaces between words are indexed by pairs of letters
const paired = (text) =>
  text.replace(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{3,}/gu, (run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)).join(" "));
const unraised = (text) => text.normalize("NFKC").replace(/[\^_{}$\\]/g, "");

// The engine's order, but for those who look for something by its name. First the papers that bear
// the name as it was typed, then those with the words as they stand in the headline, then those
// that bear it in another spelling (D^2O, D2O), then those with the words next to each other.
async function ranked(index, query, options) {
  const found = await index.search(paired(query) || EVERY, options);
  if (!query || options.sort || query.includes('"')) return found;
  const look = (text, known) =>
    text && text !== query ? index.search(text, options, known) : { results: [] };
  const [phrase, joined, plain] = await Promise.all([
    look(/\s/.test(query) ? `"${unraised(query)}"` : ""),
    look(squash(query), true),
    look(unraised(query)),
  ]);
  const near = [found, phrase, joined, plain].flatMap(({ results }) => results.slice(0, 10));
  const papers = await Promise.all(near.map((hit) => hit.data()));
  const [typed, squashed] = [spoken(query), squash(query)];
  const place = papers.map(({ meta }, index) => {
    const names = [...(meta.names ?? "").split(", "), meta.title.split(": ")[0]];
    if (names.some((name) => spoken(name) === typed)) return 0;
    if (` ${spoken(meta.title)} `.includes(` ${typed} `) && /\s/.test(typed)) return 1;
    if (names.some((name) => squash(name) === squashed)) return 2;
    return phrase.results.includes(near[index]) ? 3 : 4;
  });
  const first = [0, 1, 2, 3].flatMap((rank) => near.filter((_, index) => place[index] === rank));
  const all = [...first, ...phrase.results, ...found.results, ...plain.results];
  return { ...found, results: [...new Map(all.map((hit) => [hit.id, hit])).values()] };
}

function split(query) {
  return [...new Set(query.replaceAll('"', " ").split(/\s+/).filter(Boolean))].slice(0, 8);
}

async function append(target, mine, query) {
  if (shown + PAGE > hits.length && hits.length < total) {
    const index = await load();
    await index.load();
    hits = (await index.search(EVERY, { sort: { date: "desc" } })).results;
    total = hits.length;
  }
  const next = hits.slice(shown, shown + PAGE);
  const data = await Promise.all(next.map((hit) => hit.data()));
  if (mine !== turn) return;
  shown += next.length;
  target.append(...data.map((paper) => row(paper, query)));
  more.hidden = shown >= total;
}

function count(name, counts) {
  for (const input of facets.querySelectorAll(`[name="${name}"]`)) {
    const number = counts[input.value] ?? 0;
    input.parentElement.querySelector("[data-count]").textContent = number.toLocaleString("en");
    input.parentElement.classList.toggle("none", number === 0);
    input.parentElement.hidden = name === "topic" && number === 0 && !input.checked;
  }
}

// ---- showing ----
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function row(paper, query) {
  const words = paper.content.split(/\s+/);
  const title = paper.meta.title.split(/\s+/);
  const marked = new Set(paper.locations);
  const link = make("a", "", ...highlight(title, 0, title.length, marked));
  link.href = query ? `${paper.url}?q=${encodeURIComponent(query)}` : paper.url;
  const stop = words.findIndex((word) => word.startsWith(EVERY)); // what follows is hidden
  const end = stop < 0 ? words.length : stop;
  const item = make("li", "", make("h3", "", link));
  const [from, to] = densest(title.length, end, marked);
  const excerpt = make("p", "gist excerpt", ...highlight(words, from, to, marked));
  if (from > title.length) excerpt.prepend("… ");
  if (to < end) excerpt.append(" …");
  excerpt.dir = "auto";
  item.append(excerpt);
  const meta = make("p", "meta");
  for (const slug of paper.filters.topic ?? []) {
    const topic = topics.get(slug);
    if (!topic) continue;
    const mark = make("a", `topic h${topic.hue}`, topic.title);
    mark.href = new URL(`topics/${slug}/`, root).href;
    meta.append(mark);
  }
  if (paper.filters.code) meta.append(make("span", "has-code", "Code"));
  if (meta.childNodes.length) item.append(meta);
  return item;
}

function densest(start, end, marked) {
  let best = start;
  let most = -1;
  let sum = 0;
  for (let at = start; at < end; at++) {
    sum += marked.has(at) ? 1 : 0;
    if (at - start >= WORDS) sum -= marked.has(at - WORDS) ? 1 : 0;
    if (sum > most) {
      most = sum;
      best = Math.max(start, at - WORDS + 1);
    }
  }
  // a few words before the first mark, so that it can be understood
  let first = best;
  while (first < end && !marked.has(first)) first++;
  if (first < end && most > 0) best = Math.max(start, Math.min(best, first - 6));
  if (best - start < 4) best = start;
  return [best, Math.min(end, best + WORDS)];
}

function highlight(words, from, to, marked) {
  const parts = [];
  for (let at = from; at < to; at++) {
    if (at > from) parts.push(" ");
    parts.push(marked.has(at) ? make("mark", "", words[at]) : words[at]);
  }
  return parts;
}

function say(text) {
  status.textContent = text;
}

async function explain(index, query, narrowed, mine) {
  const words = split(query);
  const lines = [];
  const near = new Map();
  if (narrowed) {
    const free = await index.search(query || EVERY, {});
    if (free.results.length) {
      const button = make("button", "plain", `${free.results.length} without the filters`);
      button.type = "button";
      button.addEventListener("click", () => {
        for (const input of facets.elements) input.checked = false;
        changed(true);
      });
      lines.push(make("p", "", button));
    }
  }
  for (const word of words) {
    const found = await index.search(word, {});
    for (const [slug, number] of Object.entries(found.filters.topic ?? {})) {
      near.set(slug, (near.get(slug) ?? 0) + number);
    }
    if (words.length > 1 && found.results.length) {
      const link = make("a", "", `“${word}”`);
      link.href = `?q=${encodeURIComponent(word)}`;
      lines.push(make("p", "", link, ` alone: ${found.results.length}`));
    }
  }
  if (mine !== turn) return;
  const ranked = [...near].filter(([, number]) => number).sort((a, b) => b[1] - a[1]).slice(0, 4);
  if (ranked.length) {
    const links = ranked.map(([slug]) => {
      const link = make("a", `topic h${topics.get(slug)?.hue ?? 0}`, topics.get(slug)?.title ?? slug);
      link.href = new URL(`topics/${slug}/`, root).href;
      return link;
    });
    lines.push(make("p", "meta", "Near: ", ...links));
  }
  const ways = ["topics", "names", "tags"].map((name) => {
    const link = make("a", "", name);
    link.href = new URL(`${name}/`, root).href;
    return link;
  });
  lines.push(make("p", "", "Try a shorter word, or go by ", ways[0], ", ", ways[1], " or ", ways[2], "."));
  nothing.replaceChildren(...lines);
}

function fail(error) {
  const why = document.querySelector("[data-why]");
  document.documentElement.classList.add("no-index");
  const reason = document.createElement("strong");
  if (typeof WebAssembly !== "object") {
    reason.textContent = "WebAssembly is switched off in this browser. ";
  } else {
    reason.textContent = "The search index could not be loaded. ";
    console.warn(error);
  }
  why.querySelector("strong")?.remove();
  why.prepend(reason);
}

// ---- a pasted identifier ----
async function identified(text) {
  const plain = text.trim();
  const local = plain.match(/^(?:.*\/papers\/)?([0-9a-hjkmnp-tv-z]{8,16})\/?$/);
  if (local && /\d/.test(local[1])) {
    const url = new URL(`papers/${local[1]}/`, root);
    const answer = await fetch(url, { method: "HEAD" }).catch(() => null);
    if (answer?.ok) return url.href;
  }
  const arxiv = plain.match(/(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/)?.[1];
  const doi = plain.match(/10\.\d{4,9}\/\S+$/)?.[0].toLowerCase();
  if (!arxiv && !doi) return null;
  const answer = await fetch(new URL("data/identifiers.json", root)).catch(() => null);
  if (!answer?.ok) return null;
  const known = await answer.json();
  const id = known[`arxiv:${arxiv}`] ?? known[`doi:${doi}`];
  return id ? new URL(`papers/${id}/`, root).href : null;
}

// ---- events ----
let timer;
function changed(push) {
  clearTimeout(timer);
  writeUrl(push);
  run();
}

box.addEventListener("focus", () => load().catch(() => {}), { once: true });
box.addEventListener("input", () => {
  load().then((index) => index.load()).catch(() => {}); // while the reader types
  clearTimeout(timer);
  timer = setTimeout(() => changed(false), 120);
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const url = await identified(box.value);
  if (url) location.href = url;
  else changed(true);
});
facets.addEventListener("change", () => changed(true));
facets.addEventListener("submit", (event) => event.preventDefault());
sorting.addEventListener("change", () => changed(true));
more.addEventListener("click", async () => {
  const first = list.children.length;
  await append(list, turn, box.value.trim());
  list.children[first]?.querySelector("a").focus();
});
box.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && box.value) {
    event.preventDefault();
    box.value = "";
    changed(true);
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    list.querySelector("h3 a")?.focus();
  }
});
addEventListener("popstate", () => {
  readUrl();
  run();
});

// beside the results there is room for the filters; where there is not, they fold above them
const narrowing = document.querySelector("[data-narrowing]");
function fold() {
  narrowing.open = !small.matches;
  live[small.matches ? "prepend" : "append"](narrowing);
}
small.addEventListener("change", fold);
fold();

readUrl();
run();
if (!matchMedia("(pointer: coarse)").matches) box.focus();
