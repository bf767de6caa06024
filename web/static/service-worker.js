// Keeps the page's shell, so that a phone shows the page's own "the box does not answer", which comes back by itself, and
// not the browser's error page. It keeps nothing else: what the table says is always asked for, and nothing but a GET is
// looked at. Served as /sw.js with two lines before this: BUILD, and SHELL, the addresses that are kept.

const NAME = `perudo-${BUILD}`;
const STATIC = `/static/${BUILD}/`;
const PAGES = SHELL.filter((address) => !address.startsWith("/static/"));
const PATIENCE = 4000; // ms for a page; a box that is off may not even refuse, and somebody is waiting

self.addEventListener("install", (event) => {
  self.skipWaiting(); // an open page loads itself anew as soon as it meets a newer box
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

// What older builds kept.
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("perudo-") && name !== NAME).map((name) => caches.delete(name)));
}

// The box's own answer, whatever it is; the page that was kept when there is none.
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
