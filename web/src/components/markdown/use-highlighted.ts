/** Code with its colours, which a worker finds; while code is written, the finished lines keep theirs. */
import { startTransition, useEffect, useRef, useState } from "react";
import type { HighlightTask } from "@/components/markdown/highlight-worker";
import type { Line } from "@/components/markdown/highlighter";
import { COLOUR_MS, MAX_COLOURED } from "@/components/markdown/limits";
import { queueFrame, withdraw } from "@/lib/frame-queue";
import { TimedWorker } from "@/lib/timed-worker";

const highlighter = new TimedWorker<HighlightTask, Line[] | null>(
  () => new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
  COLOUR_MS,
);

/** The lines of code that is whole, with their colours; null where there are none. */
export async function highlightWhole(code: string, language: string): Promise<Line[] | null> {
  if (!language || code.length > MAX_COLOURED) return null;
  return highlighter.run({ code, language }).catch(() => null);
}

const PAUSE_MS = 60;

interface Done {
  code: string;
  lines: Line[];
}

/** The highlighted lines; null where there are none, or none yet. */
export function useHighlighted(code: string, language: string, unfinished: boolean): Line[] | null {
  const [done, setDone] = useState<Done | null>(null);
  const [failed, setFailed] = useState(false);
  const found = useRef<Done | null>(null);
  const [show] = useState(() => () => {
    const { current } = found;
    if (current)
      startTransition(() => setDone((before) => ({ ...current, lines: same(before, current.lines) })));
  });
  useEffect(() => () => withdraw(show), [show]);
  useEffect(() => {
    if (!language || failed || code.length > MAX_COLOURED) return;
    const keep = (lines: Line[] | null) => {
      if (!lines) return;
      // Also colours of what was written until then are of use: the lines that were whole have them.
      found.current = { code, lines };
      queueFrame(show);
    };
    const timer = setTimeout(
      () => highlighter.run({ code, language }).then(keep, () => setFailed(true)),
      unfinished ? PAUSE_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [code, language, unfinished, failed, show]);
  if (!done || code.length > MAX_COLOURED) return null;
  if (done.code === code) return done.lines;
  if (!code.startsWith(done.code)) return null;
  const whole = done.code.split("\n").length - 1;
  const rest = code.split("\n").slice(whole);
  return [...done.lines.slice(0, whole), ...rest.map((text) => [{ text }])];
}

/** The new lines, where they are as before those of before, so that nothing draws them again. */
function same(before: Done | null, lines: Line[]): Line[] {
  if (!before) return lines;
  return lines.map((line, index) => {
    const old = before.lines[index];
    const isSame =
      old?.length === line.length &&
      line.every(({ text, dark }, at) => old[at]?.text === text && old[at]?.dark === dark);
    return isSame && old ? old : line;
  });
}
