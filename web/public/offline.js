// Answers for the page itself while the server is away, from what `api/offline.ts` gave a place.
const FILES = "parley-files";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// What the page loaded before this worker was there.
addEventListener("message", (event) =>
  event.waitUntil(caches.open(FILES).then((files) => files.addAll(event.data))),
);

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.destination === "document") event.respondWith(page(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(event));
});

/** The page as the server has it, which is kept; while it is away, as it was kept. */
async function page(event) {
  const found = await fetch(event.request).catch(() => null);
  if (found && found.status !== 502 && found.status !== 504) {
    event.waitUntil(keepPage(found.clone()));
    return found;
  }
  return (await caches.match("/")) ?? found ?? Response.error();
}

/** Files are named by what is in them, so they never change. */
async function file(event) {
  const kept = await caches.match(event.request);
  if (kept) return kept;
  const found = await fetch(event.request);
  if (found.ok) event.waitUntil(keep(event.request, found.clone()));
  return found;
}

async function keepPage(found) {
  const text = await found.clone().text();
  const before = await (await caches.match("/"))?.text();
  if (!found.ok || !text.includes('<meta name="build"') || before === text) return;
  // The files of an older build go with it.
  if (before !== undefined) await caches.delete(FILES).then(() => caches.open(FILES));
  await keep("/", found);
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  await Promise.all(files.map(async (path) => keep(path, await fetch(path))));
}

/** Keep a file where the person wants files to be kept. */
async function keep(key, found) {
  if (await caches.has(FILES)) await (await caches.open(FILES)).put(key, found);
}
