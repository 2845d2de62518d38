/**
 * Work that need not be done in the same frame: what is asked for gets a frame of its own, in the order of asking,
 * and asking twice counts once. So six answers that are written at once do not fill a frame together, and a single
 * one is shown as soon as it grows.
 */
type Work = () => void;

const waiting = new Set<Work>();
let scheduled = false;

function serve(): void {
  scheduled = false;
  const [next] = waiting;
  if (!next) return;
  waiting.delete(next);
  next();
  schedule();
}

function schedule(): void {
  if (scheduled || waiting.size === 0) return;
  scheduled = true;
  // After the frame: what the work before it has changed is laid out and drawn first.
  requestAnimationFrame(() => setTimeout(serve));
}

export function queueFrame(work: Work): void {
  waiting.add(work);
  schedule();
}

export function withdraw(work: Work): void {
  waiting.delete(work);
}
