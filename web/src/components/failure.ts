/** What to say of a part of the page that failed. */

import { useEffect, useState } from "react";
import { checkServer, reloadOnce, useServer } from "@/lib/server";

/** A part of the page could not be loaded: the server is away, or serves another build by now. */
export class MissingPart extends Error {
  override name = "MissingPart";

  constructor() {
    super("Couldn’t load part of the page.");
  }
}

/** Turn the failure to load into MissingPart. */
export const orMissing = <T>(loading: Promise<T>): Promise<T> =>
  loading.catch(() => {
    throw new MissingPart();
  });

/** Say what failed. For a missing part, reload the page once, as soon as the server answers. */
export function useFailure(error: unknown): { title: string; text: string } {
  const missing = error instanceof MissingPart;
  const away = useServer((state) => state.away);
  const spent = useReloadWhenBack(missing);
  if (!missing) {
    return {
      title: "Something went wrong on this page.",
      text: `Your text is saved. Retry or reload the page. (${String(error).slice(0, 200)})`,
    };
  }
  return {
    title: "Couldn’t load this part of the page.",
    text: spent
      ? "Reloading didn’t help. Try again later, or rebuild the page with make."
      : away
        ? "Can’t reach Parley’s server. The page reloads when it’s back. Your text is saved."
        : "Reloading the page… Your text is saved.",
  };
}

/** Reload the page when the server answers. Returns true where that was done already. */
function useReloadWhenBack(missing: boolean): boolean {
  const [spent, setSpent] = useState(false);
  useEffect(() => {
    if (!missing) return;
    let left = false;
    const attempt = async () => {
      if (!(await checkServer())) return void setTimeout(() => !left && attempt(), 1000);
      if (!left && !reloadOnce()) setSpent(true);
    };
    attempt();
    return () => {
      left = true;
    };
  }, [missing]);
  return spent;
}
