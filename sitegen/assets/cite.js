// Our own BibTeX to RIS and CSL-JSON, in the reader's browser: one file a list is enough.

export function parse(bibtex) {
  const entries = [];
  let entry;
  for (const line of bibtex.split("\n")) {
    const head = line.match(/^@(\w+)\{([^,]+),/);
    const field = line.match(/^ {2}(\w+) = \{(.*)\},$/);
    if (head) entries.push((entry = { type: head[1], key: head[2] }));
    else if (field && entry) entry[field[1]] = field[1] === "author" ? names(field[2]) : plain(field[2]);
  }
  return entries;
}

const WORDS = {
  textbackslash: "\\", textasciitilde: "~", textasciicircum: "^", textbraceleft: "{", textbraceright: "}",
};

function plain(value) {
  return value
    .replace(/\\(text\w+)\{\}/g, (_, word) => `\u0001${WORDS[word] ?? ""}`)
    .replace(/(?<![\u0001\\])[{}]/g, "")
    .replace(/\\([{}&%$#_])/g, "$1")
    .replaceAll("\u0001", "");
}

// Braces keep the " and " of a group's name; "others" are nobody.
function names(value) {
  const found = [];
  let open = 0;
  for (const part of value.split(" and ")) {
    if (open) found[found.length - 1] += ` and ${part}`;
    else found.push(part);
    for (const [brace] of part.matchAll(/(?<!\\)[{}]/g)) open += brace === "{" ? 1 : -1;
  }
  return found.map(plain).filter((name) => name !== "others");
}

const people = (entry) => entry.author ?? [];
const dateOf = (entry) => [entry.year, entry.month].filter(Boolean);

function ris(entry) {
  const lines = [["TY", entry.type === "article" ? "JOUR" : "UNPB"]];
  if (entry.title) lines.push(["TI", entry.title]);
  for (const name of people(entry)) lines.push(["AU", name]);
  if (entry.year) lines.push(["PY", entry.year]);
  if (entry.journal) lines.push(["T2", entry.journal]);
  if (entry.doi) lines.push(["DO", entry.doi]);
  if (entry.eprint) lines.push(["AN", `arXiv:${entry.eprint}`]);
  if (entry.note) lines.push(["N1", entry.note]);
  const words = entry.keywords ?? "";
  for (const word of words.split(words.includes("; ") ? "; " : ", ").filter(Boolean)) lines.push(["KW", word]);
  lines.push(["UR", entry.url], ["ID", entry.key], ["ER", ""]);
  return lines.map(([tag, value]) => `${tag}  - ${value}\r\n`).join("");
}

function csl(entry) {
  const item = { id: entry.key, type: entry.type === "article" ? "article-journal" : "article" };
  if (entry.title) item.title = entry.title;
  const authors = people(entry).map((name) => {
    const [family, given] = name.split(", ");
    return given ? { family, given } : { literal: name };
  });
  if (authors.length) item.author = authors;
  if (entry.year) item.issued = { "date-parts": [dateOf(entry).map(Number)] };
  if (entry.journal ?? entry.howpublished) item["container-title"] = entry.journal ?? entry.howpublished;
  if (entry.doi) item.DOI = entry.doi;
  if (entry.eprint) item.number = `arXiv:${entry.eprint}`;
  if (entry.note) item.note = entry.note;
  if (entry.keywords) item.keyword = entry.keywords;
  item.URL = entry.url;
  return item;
}

export function convert(bibtex, format) {
  const entries = parse(bibtex);
  if (format === "ris") {
    const text = entries.map(ris).join("\r\n");
    return { text, suffix: "ris", type: "application/x-research-info-systems" };
  }
  if (format === "csl") {
    const text = `${JSON.stringify(entries.map(csl), null, 1)}\n`;
    return { text, suffix: "json", type: "application/vnd.citationstyles.csl+json" };
  }
  return { text: bibtex, suffix: "bib", type: "application/x-bibtex" };
}
