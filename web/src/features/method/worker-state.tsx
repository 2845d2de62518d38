import type { Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { cn } from "@/lib/cn";
import { counted, formatMs } from "@/lib/format";

const WORDS: Record<Leaderboard["worker"]["status"], string> = {
  idle: "Up to date",
  running: "Counting",
  failed: "Failed",
  never: "Has not run yet",
};

/** How the one fares who counts the votes. */
export function WorkerState({ board: { worker, votes, version } }: { board: Leaderboard }) {
  const failed = worker.status === "failed";
  return (
    <Panel
      title="Right now"
      aside={
        <span className="flex items-center gap-2 text-sm text-ink-2">
          <i aria-hidden="true" className={cn("size-2 rounded-full", failed ? "bg-bad" : "bg-good")} />
          {worker.pending > 0 && !failed ? "Counting" : WORDS[worker.status]}
        </span>
      }
    >
      <p className="num text-ink-2">
        {counted(votes, "vote")} in the overall table,{" "}
        {worker.pending === 0 ? "none" : counted(worker.pending, "vote")} waiting. Counting runs soon after
        each vote and once an hour.
        {worker.last_run_at && (
          <>
            {" "}
            It last ran <RelativeTime at={worker.last_run_at} live />
            {worker.duration_ms !== null && `, for ${formatMs(worker.duration_ms)}`}; this is version{" "}
            {version} of the standings.
          </>
        )}
      </p>
      {worker.error && (
        <p role="alert" className="mt-2 text-bad">
          {worker.error} The votes are kept and the table is that of the last good run; it is tried again by
          itself.
        </p>
      )}
    </Panel>
  );
}
