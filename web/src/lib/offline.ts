/** Whether this browser keeps the last sessions, to be read while the server is away; `public/offline.js` does it. */
import { readStored } from "@/lib/stored";

export const OFFLINE = "offline";

const SESSIONS = "parley-sessions";
const PLACES = ["parley-files", SESSIONS];

/** Whether recent sessions can be read while the server is away. */
export const keepsOffline = () => Boolean(navigator.serviceWorker?.controller) && readStored(OFFLINE, true);

/**
 * Keep the last sessions from now on where the person has not turned that off, else forget what was kept.
 * `reload` asks again for what was loaded before anything could be kept.
 */
export async function watchOffline(reload: () => void): Promise<void> {
  // Browsers have service workers only for https and for this computer.
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    if (!readStored(OFFLINE, true)) await Promise.all(PLACES.map((name) => caches.delete(name)));
    else if (await keepSessions()) reload();
  } catch {
    // A browser that refuses, as in private windows, keeps nothing.
  }
}

/** Returns whether nothing was kept before. */
async function keepSessions(): Promise<boolean> {
  const worker = navigator.serviceWorker;
  const first = !(await caches.has(SESSIONS)) || !worker.controller;
  await Promise.all(PLACES.map((name) => caches.open(name)));
  await worker.register("/offline.js");
  const { active } = await worker.ready;
  // It takes this page over in its own time.
  if (!worker.controller) {
    await new Promise((resolve) => worker.addEventListener("controllerchange", resolve, { once: true }));
  }
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  if (first) active?.postMessage(["/", ...loaded.filter((path) => path.startsWith("/assets/"))]);
  return first;
}
