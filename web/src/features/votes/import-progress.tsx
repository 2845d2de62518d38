import { useEffect, useReducer } from "react";
import { type ImportState, remainingMs } from "@/features/votes/import-state";
import { formatCount, formatMs } from "@/lib/format";
import { Button } from "@/ui/button";

interface ImportProgressProps {
  state: Extract<ImportState, { step: "sending" | "running" }>;
  /** Null once it can no longer be taken back. */
  onCancel: (() => void) | null;
  onHide: () => void;
}

const seconds = (ms: number) => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : formatMs(ms));

/** How far an import is, how long it took and will take, and the way out as long as there is one. */
export function ImportProgress({ state, onCancel, onHide }: ImportProgressProps) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, []);
  const progress = state.step === "running" ? state.progress : null;
  const elapsed = Date.now() - state.begunAt;
  const left = progress && remainingMs(elapsed, progress.done);
  return (
    <>
      <p className="truncate font-medium">{state.file.name}</p>
      <div
        role="progressbar"
        aria-label="Import"
        aria-valuemin={0}
        aria-valuemax={100}
        {...(progress && { "aria-valuenow": Math.round(progress.done * 100) })}
        className="h-2 overflow-clip rounded-full bg-raised"
      >
        <div
          className={
            progress
              ? "h-full rounded-full bg-accent transition-[width] duration-300"
              : "h-full animate-shimmer bg-accent/60"
          }
          style={{ width: progress ? `${(progress.done * 100).toFixed(1)}%` : "100%" }}
        />
      </div>
      <p className="num text-sm text-ink-2">
        {!progress && "Sending the file…"}
        {progress?.phase === "reading" && (
          <>
            Reading: {formatCount(progress.read)}
            {progress.total !== null && ` of ${formatCount(progress.total)}`} rows,{" "}
            {formatCount(progress.duplicates)} there already, {formatCount(progress.bad)} bad. Nothing is
            stored yet.
          </>
        )}
        {progress?.phase === "storing" && (
          <>
            Storing: {formatCount(progress.imported)}
            {progress.total !== null && ` of ${formatCount(progress.total)}`} votes. This is carried out to
            its end, even if you leave.
          </>
        )}
      </p>
      <div className="flex items-center gap-3">
        <p className="num flex-1 text-xs text-ink-3">
          {seconds(elapsed)} so far{left !== null && `, about ${seconds(left)} left`}
        </p>
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : <Button onClick={onHide}>Close</Button>}
      </div>
    </>
  );
}
