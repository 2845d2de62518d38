import { RelativeTime } from "@/components/relative-time";
import type { Liveness } from "@/features/standings/use-live-standings";
import { cn } from "@/lib/cn";
import { counted } from "@/lib/format";

const WORDS: Record<Liveness, string> = {
  live: "live",
  connecting: "connecting",
  off: "offline",
};

interface LiveChipProps {
  state: Liveness;
  /** When the table was made. */
  at: string | null;
  /** Votes that are not in the table yet. */
  pending: number;
}

/** Whether a table follows the votes, and when it was made. */
export function LiveChip({ state, at, pending }: LiveChipProps) {
  return (
    <>
      <span className="inline-flex shrink-0 items-center gap-1.5 rounded-full border border-line px-2.5 py-0.5 text-xs text-ink-2">
        <i
          aria-hidden="true"
          className={cn("size-2 rounded-full", state === "live" ? "bg-good" : "animate-shimmer bg-ink-3")}
        />
        {WORDS[state]}
      </span>
      {at && (
        <p className="truncate text-ink-3 max-md:hidden">
          Updated <RelativeTime at={at} live />
          {pending > 0 && <span className="num">{` · ${counted(pending, "vote")} pending`}</span>}
        </p>
      )}
    </>
  );
}
