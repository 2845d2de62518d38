import { useEffect, useReducer } from "react";
import { ProgressBar } from "@/components/progress-bar";
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

const ofTotal = (total: number | null) => (total === null ? "" : ` of ${formatCount(total)}`);

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
      <ProgressBar label="Import" done={progress?.done ?? null} />
      <p className="num text-sm text-ink-2">
        {!progress && "Uploading file…"}
        {progress &&
          `Reading ${formatCount(progress.read) + ofTotal(progress.total)} rows, ${formatCount(progress.bad)} invalid. Nothing counts yet.`}
      </p>
      <div className="flex items-center gap-3">
        <p className="num flex-1 text-xs text-ink-3">
          {seconds(elapsed)} elapsed
          {left !== null && `, about ${seconds(left)} left`}
        </p>
        <Button variant="quiet" onClick={onHide}>
          Run in background
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </>
  );
}
