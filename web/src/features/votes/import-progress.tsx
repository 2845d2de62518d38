import { useEffect, useReducer } from "react";
import { ProgressBar } from "@/components/progress-bar";
import { type ImportState, remainingMs } from "@/features/votes/import-state";
import { STRINGS } from "@/features/votes/strings";
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
      <ProgressBar label="Import" done={progress?.done ?? null} />
      <p className="num text-sm text-ink-2">
        {!progress && STRINGS.uploadingFile}
        {progress?.phase === "reading" && (
          <>
            Checking {formatCount(progress.read)}
            {progress.total !== null && STRINGS.ofTotal(formatCount(progress.total))} rows,{" "}
            {formatCount(progress.duplicates)} already imported, {formatCount(progress.bad)} invalid. Nothing
            is saved yet.
          </>
        )}
        {progress?.phase === "storing" && (
          <>
            Saving {formatCount(progress.imported)}
            {progress.total !== null && STRINGS.ofTotal(formatCount(progress.total))} votes. You can leave
            this page.
          </>
        )}
      </p>
      <div className="flex items-center gap-3">
        <p className="num flex-1 text-xs text-ink-3">
          {seconds(elapsed)} elapsed{left !== null && STRINGS.aboutLeft(seconds(left))}
        </p>
        <Button variant="quiet" onClick={onHide}>
          Run in background
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </>
  );
}
