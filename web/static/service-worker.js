// Keeps the page's shell, so that without the box a phone shows the page, which reconnects by itself, not the browser's error
// page. It keeps nothing else: the state is always requested, and only GET requests are handled. Served as /sw.js with two
// lines before this: BUILD, and SHELL, the addresses to keep.

const NAME = `perudo-${BUILD}`;
const STATIC = `/static/${BUILD}/`;
const PAGES = SHELL.filter((address) => !address.startsWith("/static/"));
const PATIENCE = 4000; // ms to wait for a page: a box that is off may not answer at all

self.addEventListener("install", (event) => {
  self.skipWaiting(); // an open page reloads as soon as it finds a newer box
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && PAGES.includes(pathname)) event.respondWith(page(request, pathname));
  else if (pathname.startsWith(STATIC)) event.respondWith(file(request));
});

// Delete what older builds kept.
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("perudo-") && name !== NAME).map((name) => caches.delete(name)));
}

// The box's answer, whatever it is; without one, the page that was kept.
async function page(request, pathname) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    return await fetch(request, { signal: abort.signal });
  } catch (silence) {
    const kept = await caches.match(pathname, { cacheName: NAME });
    if (!kept) throw silence;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

// A file of this build never changes.
async function file(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
