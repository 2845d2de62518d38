import type { Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { cn } from "@/lib/cn";
import { counted, formatMs } from "@/lib/format";

const WORDS: Record<Leaderboard["worker"]["status"], string> = {
  idle: "Up to date",
  running: "Updating",
  failed: "Failed",
  never: "Not run yet",
};

/** How the one fares who counts the votes. */
export function WorkerState({ board: { worker, votes, version } }: { board: Leaderboard }) {
  const failed = worker.status === "failed";
  return (
    <Panel
      title="Status"
      aside={
        <span className="flex items-center gap-2 text-sm text-ink-2">
          <i aria-hidden="true" className={cn("size-2 rounded-full", failed ? "bg-bad" : "bg-good")} />
          {worker.pending > 0 && !failed ? "Updating" : WORDS[worker.status]}
        </span>
      }
    >
      <p className="num text-ink-2">
        {counted(votes, "vote")} in the overall table,{" "}
        {worker.pending === 0 ? "none" : counted(worker.pending, "vote")} waiting. The leaderboard updates
        shortly after each vote and once an hour.
        {worker.last_run_at && (
          <>
            {" "}
            Last update <RelativeTime at={worker.last_run_at} live />
            {worker.duration_ms !== null && `, took ${formatMs(worker.duration_ms)}`}. Version {version}.
          </>
        )}
      </p>
      {worker.error && (
        <p role="alert" className="mt-2 text-bad">
          {worker.error} All votes are saved. The table shows the last successful update. Retrying
          automatically.
        </p>
      )}
    </Panel>
  );
}
