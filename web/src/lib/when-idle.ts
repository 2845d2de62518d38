/** Do what can wait, one after the other, once the page has been at rest for a while. */
const REST_MS = 4000;
/** Between the frames of an answer that is being written, a browser has less time than this to give away. */
const REST_LEFT_MS = 20;
/** No divisor of half a second, in which a cursor blinks: every look would meet the frame that draws it. */
const AGAIN_MS = 170;

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

/** Do the work when nothing else is going on: while the page draws, ask again later. */
function idle(work: () => void): void {
  if (!("requestIdleCallback" in window)) {
    setTimeout(work, AGAIN_MS);
    return;
  }
  requestIdleCallback((left) => {
    if (left.timeRemaining() > REST_LEFT_MS) work();
    else setTimeout(() => idle(work), AGAIN_MS);
  });
}
