/** Do what can wait, one after the other, once the page has been at rest for a while. */
const REST_MS = 4000;

type Connection = { saveData?: boolean };

export function whenIdle(works: readonly (() => Promise<unknown>)[]): void {
  const { connection } = navigator as Navigator & { connection?: Connection };
  if (connection?.saveData) return;
  const next = async (index: number) => {
    // What fails here is loaded again, and reported, when it is needed.
    await works[index]?.().catch(() => undefined);
    if (index + 1 < works.length) idle(() => next(index + 1));
  };
  setTimeout(() => idle(() => next(0)), REST_MS);
}

const idle = (work: () => void) =>
  "requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work, 200);
