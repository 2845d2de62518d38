/** Long conversations are laid out from their end: a screenful at once, earlier turns whenever the page is at rest. */
import { startTransition, useEffect, useState } from "react";
import type { TurnView } from "@/api/types";

/** Characters that fill a tall screen, and those that the name, buttons and space around a turn stand for. */
const SCREENFUL = 3000;
const AROUND = 300;
const MORE = 4;

/** The index of the first turn that is laid out; 0 at once where the address names a turn. */
export function useFirstRenderedTurn(turns: readonly TurnView[]): number {
  const count = turns.length;
  const [shown, setShown] = useState(() =>
    location.hash === "" ? screenful(turns) : Number.POSITIVE_INFINITY,
  );
  const whole = shown >= count;
  useEffect(() => {
    // Once whole it stays so: a new turn hides no old one.
    if (whole) setShown(Number.POSITIVE_INFINITY);
    else return atRest(() => startTransition(() => setShown(shown + MORE)));
  }, [whole, shown]);
  return Math.max(0, count - shown);
}

/** How many of the last turns fill a screen. */
export function screenful(turns: readonly TurnView[]): number {
  let left = SCREENFUL;
  let filled = 0;
  while (left > 0 && filled < turns.length) {
    filled += 1;
    left -= AROUND + (turns.at(-filled)?.replies.reduce((sum, reply) => sum + reply.text.length, 0) ?? 0);
  }
  return filled;
}

function atRest(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 30);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: 500 });
  return () => cancelIdleCallback(asked);
}
