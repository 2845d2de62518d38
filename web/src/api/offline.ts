/** Keeps the last sessions in this browser, so that they can be read while the server is away. */
import type { Middleware } from "openapi-fetch";
import type { components } from "@/api/__generated__/schema";
import { readStored } from "@/lib/local-storage";

type SessionCard = components["schemas"]["SessionCard"];
type SessionPage = components["schemas"]["SessionPage"];
type SessionView = components["schemas"]["SessionView"];

/** The setting; on, unless the person has turned it off. */
export const OFFLINE = "offline";

/** A header that only kept answers have. */
export const KEPT = "x-kept";

const VERSION = "x-version";
const SESSIONS = "parley-sessions";
/** The page's own files, kept by `public/offline.js`; it keeps none where this place is missing. */
const FILES = "parley-files";
const LAST = 20;
const BESIDE = new Set(["/api/about", "/api/modes", "/api/models", "/api/tags"]);

// Browsers have caches and service workers only for https and for this computer.
const isPossible = "caches" in globalThis && "serviceWorker" in navigator && !import.meta.env.DEV;
const isOn = () => isPossible && readStored(OFFLINE, true);

/** Whether the last sessions can be read while the server is away. */
export const keepsSessions = () => isOn() && navigator.serviceWorker.controller !== null;

/** Let the page be opened while the server is away where the person has not turned that off, else forget all. */
export async function applyOffline(): Promise<void> {
  if (!isPossible) return;
  try {
    if (!isOn()) return void (await Promise.all([SESSIONS, FILES].map((name) => caches.delete(name))));
    const isNew = !(await caches.has(FILES));
    await caches.open(FILES);
    await navigator.serviceWorker.register("/offline.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    if (isNew) active?.postMessage(["/", ...loaded.filter((path) => path.startsWith("/assets/"))]);
  } catch {
    // A browser that refuses, as in private windows, keeps nothing.
  }
}

/** Forget what was kept: somebody else may use this browser next. */
export async function forgetKept(): Promise<void> {
  if (isPossible) await caches.delete(SESSIONS).catch(() => false);
}

/** Keeps what is answered, and answers with what was kept while the server is away. */
export const offline: Middleware = {
  onResponse({ request, response }) {
    if (response.status === 502 || response.status === 504) return keptAnswer(request);
    if (!response.ok || !isOn()) return;
    if (request.method === "GET") keepAnswer(new URL(request.url), response.clone());
    else if (isDeletion(request)) renewLists();
  },
  onError: ({ request }) => keptAnswer(request),
};

async function keptAnswer({ method, url, signal }: Request): Promise<Response | undefined> {
  return method === "GET" && !signal.aborted && isPossible ? caches.match(url) : undefined;
}

async function keepAnswer({ pathname, searchParams, href }: URL, answer: Response): Promise<void> {
  const isList = pathname === "/api/sessions" && isFirstPage(searchParams);
  const isSession = /^\/api\/sessions\/[0-9a-f]{32}$/.test(pathname);
  if (!isList && !isSession && !BESIDE.has(pathname)) return;
  try {
    const body = await answer.json();
    if (isSession) await keepSession(href, body);
    else await keep(href, body);
    if (isList) await keepLatest(body);
  } catch {
    // A full or blocked storage only means that it is not kept.
  }
}

const isDeletion = ({ method, url }: Request) =>
  /^\/api\/(sessions\/|data$)/.test(new URL(url).pathname) &&
  (method === "DELETE" || url.endsWith("/api/sessions/changes"));

/** Forget deleted sessions at once: the server may be away before the lists are asked for again. */
export async function forgetSessions(ids: readonly string[]): Promise<void> {
  if (!isPossible) return;
  try {
    const place = await caches.open(SESSIONS);
    for (const id of ids) await place.delete(addressOf(id));
    for (const { url } of await place.keys()) {
      if (new URL(url).pathname !== "/api/sessions") continue;
      const list: SessionPage | undefined = await (await place.match(url))?.json();
      if (list?.sessions.some(({ id }) => ids.includes(id)))
        await keep(url, { ...list, sessions: list.sessions.filter(({ id }) => !ids.includes(id)) });
    }
  } catch {
    // A blocked storage keeps nothing.
  }
}

/** Ask for the kept lists again: a deleted session is forgotten even while the sidebar shows other lists. */
async function renewLists(): Promise<void> {
  try {
    for (const { url } of await (await caches.open(SESSIONS)).keys()) {
      const asked = new URL(url);
      if (asked.pathname !== "/api/sessions") continue;
      const found = await fetch(url);
      if (found.ok) await keepAnswer(asked, found);
    }
  } catch {
    // The server is away again: the lists are asked for anew when it is back.
  }
}

/** Whether a list is one that the sidebar begins with: another might name a deleted session until it is asked for again. */
function isFirstPage(asked: URLSearchParams): boolean {
  return [...asked].every(([name, value]) => name === "limit" || name === "pinned" || value === "");
}

async function keep(href: string, body: unknown, more: Record<string, string> = {}): Promise<void> {
  // It may have been turned off while this was on its way.
  if (!isOn()) return;
  await (await caches.open(SESSIONS)).put(href, Response.json(body, { headers: { [KEPT]: "1", ...more } }));
}

/** Keep a session as it is now, unless it is sealed, or something in it is blind or still being answered. */
async function keepSession(href: string, { session, matches }: SessionView): Promise<void> {
  const isOpen = matches.some(
    ({ match, turns }) => match.blind || turns.some(({ status }) => status === "running"),
  );
  if (!isOpen && !session.sealed) await keep(href, { session, matches }, { [VERSION]: versionOf(session) });
}

/** What changes with everything that a kept copy shows; a header takes nothing but ASCII. */
const versionOf = ({ updated_at, title, tags, pinned, archived }: SessionCard) =>
  encodeURIComponent(JSON.stringify([updated_at, title, tags, pinned, archived]));

/** Keep the latest sessions of a list; what is no longer among the latest of any list goes. */
async function keepLatest({ sessions }: SessionPage): Promise<void> {
  const place = await caches.open(SESSIONS);
  const latest = new Set<string>();
  const kept = (await place.keys()).map(({ url }) => new URL(url));
  for (const { href } of kept.filter(({ pathname }) => pathname === "/api/sessions")) {
    const list: SessionPage | undefined = await (await place.match(href))?.json();
    for (const { id } of list?.sessions.slice(0, LAST) ?? []) latest.add(addressOf(id));
  }
  for (const { pathname, href } of kept)
    if (pathname.startsWith("/api/sessions/") && !latest.has(href)) await place.delete(href);
  for (const card of sessions.slice(0, LAST)) {
    const href = addressOf(card.id);
    if (card.unvoted || (await place.match(href))?.headers.get(VERSION) === versionOf(card)) continue;
    const found = await fetch(href);
    if (found.ok) await keepSession(href, await found.json());
  }
}

const addressOf = (id: string) => new URL(`/api/sessions/${id}`, location.origin).href;
