// Keeps the page and the last sessions in this browser, so that they can be read while the server is away.
// Nothing blind is kept: a battle waits for its vote first. Where `lib/offline.ts` made no place, nothing is.
const FILES = "parley-files";
const SESSIONS = "parley-sessions";
const LAST = 20;
const BESIDE = new Set(["/api/about", "/api/modes", "/api/models", "/theme.js", "/favicon.svg"]);
const SESSION = /^\/api\/sessions\/[0-9a-f]{32}$/;
const KEPT = "x-kept";
const UPDATED = "x-updated-at";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// What the page loaded before this worker was there.
addEventListener("message", (event) =>
  event.waitUntil(caches.open(FILES).then((files) => files.addAll(event.data))),
);

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.destination === "document") answer(event, keepPage, new Request("/"));
  else if (pathname.startsWith("/assets/")) event.respondWith(fileOf(event));
  else if (BESIDE.has(pathname)) answer(event, (key, found) => keep(SESSIONS, key, found));
  else if (SESSION.test(pathname)) answer(event, keepSession);
  else if (pathname === "/api/sessions" && !searchParams.get("search") && !searchParams.has("cursor"))
    answer(event, keepList);
});

/** Answer with what the server says, and keep it; where the server is away, with what was kept. */
function answer(event, keepFound, key = event.request) {
  const found = fetch(event.request).catch(() => null);
  const there = found.then((response) => response && response.status !== 502 && response.status !== 504);
  const copy = found.then((response) => response?.clone());
  event.respondWith(
    there.then(async (is) => (is ? found : ((await caches.match(key)) ?? (await found) ?? Response.error()))),
  );
  event.waitUntil(
    Promise.all([there, copy, caches.has(SESSIONS)]).then(
      ([is, response, wanted]) => is && response.ok && wanted && keepFound(key, response),
    ),
  );
}

/** A file of the page, which is named by what is in it and so never changes. */
async function fileOf(event) {
  const kept = await caches.match(event.request);
  if (kept) return kept;
  const found = await fetch(event.request);
  const copy = found.clone();
  if (found.ok && (await caches.has(SESSIONS))) event.waitUntil(keep(FILES, event.request, copy));
  return found;
}

async function keep(place, key, response, more = {}) {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries({ [KEPT]: "1", ...more })) headers.set(name, value);
  await (await caches.open(place)).put(key, new Response(await response.blob(), { headers }));
}

/** Keep the page and the files it begins with; those of an older build go. */
async function keepPage(key, response) {
  const text = await response.clone().text();
  if (!text.includes('<meta name="build"')) return;
  const before = await (await caches.match(key))?.text();
  if (before === text) return;
  if (before !== undefined) await caches.delete(FILES);
  await keep(FILES, key, response);
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  await (await caches.open(FILES)).addAll(files);
}

/** Keep a session as it is now, unless it is blind or still being answered. */
async function keepSession(key, response) {
  const { session, matches } = await response.clone().json();
  const open = ({ match, turns }) => match.blind || turns.some(({ status }) => status === "running");
  if (!matches.some(open)) await keep(SESSIONS, key, response, { [UPDATED]: session.updated_at });
}

/** Keep a list and its latest sessions; a session that is no longer among the latest of any list goes. */
async function keepList(key, response) {
  const { sessions } = await response.clone().json();
  await keep(SESSIONS, key, response);
  const place = await caches.open(SESSIONS);
  const latest = new Set();
  const kept = await place.keys();
  for (const { url } of kept) {
    if (new URL(url).pathname !== "/api/sessions") continue;
    const list = await (await place.match(url))?.json();
    for (const { id } of list?.sessions.slice(0, LAST) ?? []) latest.add(addressOf(id));
  }
  for (const { url } of kept)
    if (SESSION.test(new URL(url).pathname) && !latest.has(url)) await place.delete(url);
  for (const { id, updated_at, unvoted } of sessions.slice(0, LAST)) {
    const address = addressOf(id);
    const current = (await place.match(address))?.headers.get(UPDATED) === updated_at;
    const found = unvoted || current ? null : await fetch(address).catch(() => null);
    if (found?.ok) await keepSession(address, found);
  }
}

const addressOf = (id) => new URL(`/api/sessions/${id}`, location.origin).href;
