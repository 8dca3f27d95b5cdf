// Pages that were read open again without a network, and so does search where its pieces were
// loaded. Pages come from the network first; only files whose names change with their content come
// from the cache first, so that an old page keeps its own style sheet and scripts.
// Several digests may stand on one host, whose caches they share: names begin with the place.
const PLACE = new URL(self.registration.scope).pathname;
const PAGES = `${PLACE} pages`;
const ASSETS = `${PLACE} assets`;
const SEARCH = `${PLACE} search @version@`;
const KEPT = 500; // files in a cache; the oldest go first
// named by content: whatever the version of the digest, they are what they were
const HASHED = [
  [/\/assets\/.*\.[0-9a-f]{8}\.\w+$/, ASSETS, 100],
  [/\/pagefind\/.*\.pf_fragment$/, `${PLACE} found`, KEPT],
  [/\/pagefind\/.*\.pf_(?:meta|index|filter)$/, `${PLACE} pieces`, KEPT],
];
const OFFLINE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Offline</title>
<link rel="stylesheet" href="${PLACE}@style@"></head>
<body><main class="wrap"><div class="hero"><h1>Offline</h1>
<p class="lead">There is no network, and this page was not read before. What you have read opens as ever.</p>
<p class="facts"><a href="${PLACE}">Home</a> · <a href="${PLACE}saved/">Reading list</a></p></div></main></body></html>`;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      // another version of the digest: what names the pieces of its index names others now
      for (const name of await caches.keys()) {
        if (name.startsWith(`${PLACE} search`) && name !== SEARCH) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  if (!url.pathname.startsWith(scope.pathname)) return;
  const hashed = HASHED.find(([pattern]) => pattern.test(url.pathname));
  event.respondWith(hashed ? cacheFirst(request, ...hashed) : networkFirst(request, url));
});

// the query does not change what a page is
const keyOf = (url) => url.origin + url.pathname;

async function cacheFirst(request, _, name, most) {
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    await trim(cache, most);
  }
  return answer;
}

async function networkFirst(request, url) {
  const cache = await caches.open(url.pathname.includes("/pagefind/") ? SEARCH : PAGES);
  try {
    const answer = await fetch(request);
    if (answer.ok && request.method === "GET") {
      await cache.delete(keyOf(url)); // put again, so that it is the newest
      await cache.put(keyOf(url), answer.clone());
      await trim(cache, KEPT);
    }
    return answer;
  } catch (error) {
    const kept = await cache.match(keyOf(url));
    if (kept) return kept;
    if (request.mode !== "navigate") throw error;
    return new Response(OFFLINE, { headers: { "content-type": "text/html; charset=utf-8" } });
  }
}

async function trim(cache, most) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}
