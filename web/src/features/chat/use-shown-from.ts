/** Long conversations are laid out from their end: the last turns at once, earlier ones whenever the page is at rest. */
import { startTransition, useEffect, useState } from "react";

const FIRST = 4;
const MORE = 4;

/** The index of the first turn that is laid out; 0 at once where the address names a turn. */
export function useShownFrom(count: number): number {
  const [shown, setShown] = useState(() => (location.hash === "" ? FIRST : Number.POSITIVE_INFINITY));
  const whole = shown >= count;
  useEffect(() => {
    // Once whole it stays so: a new turn hides no old one.
    if (whole) setShown(Number.POSITIVE_INFINITY);
    else return atRest(() => startTransition(() => setShown(shown + MORE)));
  }, [whole, shown]);
  return Math.max(0, count - shown);
}

function atRest(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 30);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: 500 });
  return () => cancelIdleCallback(asked);
}
