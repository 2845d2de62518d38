/** Whether the server answers, and whether it still serves the build that this page is of. */
import { create } from "zustand";

interface ServerState {
  away: boolean;
  /** It serves a newer page than this one. */
  outdated: boolean;
}

export const useServer = create<ServerState>()(() => ({ away: false, outdated: false }));

const CHECK_MS = 30_000;
const AWAY_MS = 2000;
const WITHIN_MS = 8000;
const BUILD = /<meta name="build" content="([^"]*)"/;

let checking: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Ask the server for its page; resolves to whether it answered. */
export function checkServer(): Promise<boolean> {
  checking ??= check().finally(() => {
    checking = null;
  });
  return checking;
}

async function check(): Promise<boolean> {
  clearTimeout(timer);
  const served = await servedBuild();
  const own = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
  const away = served === null;
  useServer.setState(away ? { away } : { away, outdated: Boolean(own && served && own !== served) });
  if (!document.hidden) timer = setTimeout(checkServer, away ? AWAY_MS : CHECK_MS);
  return !away;
}

/** The build of the page that the server would serve now; null where it cannot be reached, "" where it does not tell. */
async function servedBuild(): Promise<string | null> {
  try {
    const response = await fetch("/index.html", {
      cache: "no-cache",
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (response.status === 502 || response.status === 504) return null;
    return BUILD.exec(await response.text())?.[1] ?? "";
  } catch {
    return null;
  }
}

/** Check now and then while the page is looked at. */
export function watchServer(): void {
  document.addEventListener("visibilitychange", () => !document.hidden && checkServer());
  timer = setTimeout(checkServer, CHECK_MS);
}

const RELOADED = "parley.reloaded";
const AGAIN_MS = 60_000;

/** Reload the page, unless that was done a moment ago; returns whether it is being reloaded. */
export function reloadOnce(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < AGAIN_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    return false; // Without a memory it might never end.
  }
  location.reload();
  return true;
}
