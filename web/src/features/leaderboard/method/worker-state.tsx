import type { Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { STRINGS } from "@/features/leaderboard/method/strings";
import { cn } from "@/lib/cn";
import { filled } from "@/lib/filled";
import { counted, formatMs } from "@/lib/format";

const WORDS: Record<Leaderboard["worker"]["status"], string> = {
  idle: STRINGS.upToDate,
  running: STRINGS.updating,
  failed: STRINGS.failed,
  never: STRINGS.notRunYet,
};

/** How the one fares who counts the votes. */
export function WorkerState({ board: { worker, votes, version } }: { board: Leaderboard }) {
  const failed = worker.status === "failed";
  return (
    <Panel
      title={STRINGS.status}
      aside={
        <span className="flex items-center gap-2 text-sm text-ink-2">
          <i aria-hidden="true" className={cn("size-2 rounded-full", failed ? "bg-bad" : "bg-good")} />
          {worker.pending > 0 && !failed ? STRINGS.updating : WORDS[worker.status]}
        </span>
      }
    >
      <p className="num text-ink-2">
        {STRINGS.counted(
          counted(votes, "vote"),
          worker.pending === 0 ? STRINGS.noneWaiting : counted(worker.pending, "vote"),
        )}
        {worker.last_run_at && (
          <>
            {" "}
            {filled(STRINGS.lastUpdate, { when: <RelativeTime at={worker.last_run_at} live /> })}
            {worker.duration_ms !== null && STRINGS.took(formatMs(worker.duration_ms))}
            {STRINGS.version(version)}
          </>
        )}
      </p>
      {worker.error && (
        <p role="alert" className="mt-2 text-bad">
          {worker.error} {STRINGS.failedHint}
        </p>
      )}
    </Panel>
  );
}
