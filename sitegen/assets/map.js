// The map: nearest paper under the pointer, moving and zooming, topics alone, keys.
const figure = document.querySelector("[data-map]");
const svg = figure.querySelector("svg");
const tip = figure.querySelector("[data-tip]");
const said = document.querySelector("[data-map-said]");
const root = new URL(figure.dataset.root, location.href);
const [, , WIDTH, HEIGHT] = svg.getAttribute("viewBox").split(" ").map(Number);
const CELL = 40; // of the grid that finds near papers
const MANY = 2000; // more papers are drawn on a canvas, which moves them some ten times faster
const DOT = 9; // pixels across, as in the style sheet

let view = { x: 0, y: 0, w: WIDTH, h: HEIGHT };
let grid; // "column,row" to papers
let papers = [];
let here = null;
const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
ring.setAttribute("class", "here");
ring.setAttribute("visibility", "hidden");
svg.append(ring);

let loading;
function load() {
  loading ??= fetch(new URL(figure.dataset.map, location.href))
    .then((answer) => answer.json())
    .then((data) => {
      papers = data.papers.map(([id, x, y, topic, title]) => ({ id, x, y, topic: data.topics[topic], title }));
      grid = new Map();
      for (const paper of papers) {
        const key = `${Math.floor(paper.x / CELL)},${Math.floor(paper.y / CELL)}`;
        if (!grid.has(key)) grid.set(key, []);
        grid.get(key).push(paper);
      }
      if (papers.length > MANY) useCanvas();
    })
    .catch(() => {
      loading = undefined;
    });
  return loading;
}

function nearest(x, y, within) {
  let best = null;
  let least = within * within;
  const reach = Math.ceil(within / CELL);
  const column = Math.floor(x / CELL);
  const row = Math.floor(y / CELL);
  for (let dx = -reach; dx <= reach; dx++) {
    for (let dy = -reach; dy <= reach; dy++) {
      for (const paper of grid.get(`${column + dx},${row + dy}`) ?? []) {
        const far = (paper.x - x) ** 2 + (paper.y - y) ** 2;
        if (far < least) {
          least = far;
          best = paper;
        }
      }
    }
  }
  return best;
}

// ---- view ----
// where it lies on the screen: pixels to a unit, and its corner
function place() {
  const box = svg.getBoundingClientRect();
  const scale = Math.min((box.width - 2) / view.w, (box.height - 2) / view.h);
  return { box, scale, left: box.left + (box.width - scale * view.w) / 2, top: box.top + (box.height - scale * view.h) / 2 };
}

const toMap = (event) => {
  const { scale, left, top } = place();
  return [view.x + (event.clientX - left) / scale, view.y + (event.clientY - top) / scale];
};

function look({ x, y, w }) {
  const width = Math.min(WIDTH, Math.max(WIDTH / 30, w));
  const height = (width * HEIGHT) / WIDTH;
  view = {
    x: Math.min(WIDTH - width, Math.max(0, x)),
    y: Math.min(HEIGHT - height, Math.max(0, y)),
    w: width,
    h: height,
  };
  pending ||= requestAnimationFrame(draw);
}

// however many events came, a frame is drawn once
let pending = 0;
function draw() {
  pending = 0;
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  const scale = view.w / WIDTH; // names keep their size
  for (const text of svg.querySelectorAll("text")) {
    const [tx, ty] = [text.getAttribute("x"), text.getAttribute("y")];
    text.setAttribute("transform", `translate(${tx} ${ty}) scale(${scale}) translate(${-tx} ${-ty})`);
  }
  ring.setAttribute("r", 9 * scale);
  paint();
  show(here);
}

// ---- many papers ----
let canvas;
function useCanvas() {
  canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  svg.before(canvas);
  figure.classList.add("drawn");
  new ResizeObserver(paint).observe(svg);
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
}

function paint() {
  if (!canvas) return;
  const { box, scale, left, top } = place();
  const dense = devicePixelRatio;
  const size = [Math.round(box.width * dense), Math.round(box.height * dense)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const outer = figure.getBoundingClientRect();
  Object.assign(canvas.style, {
    width: `${box.width}px`, height: `${box.height}px`,
    left: `${box.left - outer.left + figure.scrollLeft}px`, top: `${box.top - outer.top}px`,
  });
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, ...size);
  const across = Math.ceil(DOT * dense);
  const one = figure.classList.contains("one");
  const dots = new Map();
  for (const group of svg.querySelectorAll(".dots")) {
    const dot = Object.assign(document.createElement("canvas"), { width: across, height: across });
    const ink = dot.getContext("2d");
    ink.fillStyle = getComputedStyle(group).stroke;
    ink.globalAlpha = one && !group.classList.contains("on") ? 0.12 : 1;
    ink.arc(across / 2, across / 2, across / 2, 0, 7);
    ink.fill();
    dots.set(group.dataset.topic, dot);
  }
  const [right, bottom] = [view.x + view.w, view.y + view.h];
  for (const { x, y, topic } of papers) {
    if (x < view.x || x > right || y < view.y || y > bottom) continue;
    const [px, py] = [(left - box.left + (x - view.x) * scale) * dense, (top - box.top + (y - view.y) * scale) * dense];
    pen.drawImage(dots.get(topic), Math.round(px - across / 2), Math.round(py - across / 2));
  }
}

function zoom(factor, [x, y] = [view.x + view.w / 2, view.y + view.h / 2]) {
  const w = Math.min(WIDTH, Math.max(WIDTH / 30, view.w * factor));
  const ratio = w / view.w;
  look({ x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, w });
}

function show(paper) {
  here = paper;
  tip.hidden = !paper;
  ring.setAttribute("visibility", paper ? "visible" : "hidden");
  if (!paper) return;
  ring.setAttribute("cx", paper.x);
  ring.setAttribute("cy", paper.y);
  tip.textContent = paper.title;
  const at = place();
  const outer = figure.getBoundingClientRect();
  const left = at.left - outer.left + (paper.x - view.x) * at.scale + 14;
  const top = at.top - outer.top + (paper.y - view.y) * at.scale + 14;
  tip.style.left = `${Math.max(4, Math.min(left, at.box.width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${Math.min(top, at.box.height - tip.offsetHeight - 4)}px`;
}

const open = (paper) => (location.href = new URL(`papers/${paper.id}/`, root).href);

// ---- pointer ----
let from = null;
let moved = false;
svg.addEventListener("pointerenter", load, { once: true });
svg.addEventListener("pointerdown", (event) => {
  if (event.target.closest("a")) return;
  from = { at: toMap(event), x: event.clientX, y: event.clientY };
  moved = false;
});
addEventListener("pointerup", () => (from = null));
svg.addEventListener("pointermove", (event) => {
  if (from && (moved || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 5)) {
    moved = true;
    const [x, y] = toMap(event);
    look({ x: view.x + from.at[0] - x, y: view.y + from.at[1] - y, w: view.w });
    return;
  }
  if (!grid) return;
  const [x, y] = toMap(event);
  const paper = nearest(x, y, 16 * (view.w / WIDTH) * (WIDTH / svg.clientWidth));
  if (paper !== here) show(paper);
});
svg.addEventListener("pointerleave", () => show(null));
svg.addEventListener("click", async (event) => {
  if (moved || event.target.closest("a")) return;
  await load();
  if (!grid) return;
  const [x, y] = toMap(event);
  const paper = nearest(x, y, 22 * (view.w / WIDTH) * (WIDTH / svg.clientWidth));
  // a finger first shows, then opens
  if (paper && (event.pointerType !== "touch" || paper === here)) open(paper);
  else show(paper);
});
svg.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // plain scrolling scrolls the page
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, toMap(event));
  },
  { passive: false },
);
for (const button of figure.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => {
    if (button.dataset.zoom === "all") look({ x: 0, y: 0, w: WIDTH });
    else zoom(button.dataset.zoom === "in" ? 0.7 : 1.4);
  });
}

// ---- one topic ----
function alone(slug) {
  figure.classList.toggle("one", Boolean(slug));
  for (const dots of svg.querySelectorAll(".dots")) dots.classList.toggle("on", dots.dataset.topic === slug);
  paint();
}
for (const link of svg.querySelectorAll("a[data-topic]")) {
  link.addEventListener("focus", () => {
    const text = link.querySelector("text");
    const [x, y] = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
    const seen = x > view.x && x < view.x + view.w && y > view.y && y < view.y + view.h;
    if (!seen) look({ x: x - view.w / 2, y: y - view.h / 2, w: view.w });
  });
  for (const type of ["pointerenter", "focus"]) link.addEventListener(type, () => alone(link.dataset.topic));
  for (const type of ["pointerleave", "blur"]) link.addEventListener(type, () => alone(null));
}

// ---- keys ----
svg.setAttribute("tabindex", "0");
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
svg.addEventListener("keydown", async (event) => {
  if (event.target !== svg || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 0.7 : 1.4, here ? [here.x, here.y] : undefined);
  else if (event.key === "Escape") show(null);
  else if (event.key === "Enter" && here) open(here);
  else if (event.key in DIRECTIONS) {
    event.preventDefault();
    await load();
    step(DIRECTIONS[event.key]);
  }
});

// the next paper in a direction: near, and not far off to the side
function step([dx, dy]) {
  const start = here ?? { x: view.x + view.w / 2, y: view.y + view.h / 2 };
  let best = null;
  let least = Infinity;
  for (const paper of papers) {
    const along = (paper.x - start.x) * dx + (paper.y - start.y) * dy;
    const aside = Math.abs((paper.x - start.x) * dy) + Math.abs((paper.y - start.y) * dx);
    const cost = along + 2 * aside;
    if (paper !== here && along > 0 && cost < least) {
      least = cost;
      best = paper;
    }
  }
  if (!best) return;
  if (best.x < view.x || best.x > view.x + view.w || best.y < view.y || best.y > view.y + view.h) {
    look({ x: best.x - view.w / 2, y: best.y - view.h / 2, w: view.w });
  }
  show(best);
  said.textContent = best.title;
}
