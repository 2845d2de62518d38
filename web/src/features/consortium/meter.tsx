/** How much the answers agree, from 0 to 1, and how that has changed. */

import { TrendingDown, TrendingUp } from "lucide-react";
import type { ConsortiumView } from "@/features/consortium/read-consortium";
import { formatShare } from "@/features/consortium/words";
import { cn } from "@/lib/cn";

export function Meter({ view }: { view: ConsortiumView }) {
  const last = view.iterations.findLast(({ agreement }) => agreement !== null);
  const consensus = last?.agreement?.consensus ?? null;
  const change = last?.change ?? null;
  const moved = change !== null && Math.abs(change) >= 0.005;
  return (
    <div
      role="group"
      aria-label="Consensus"
      className="flex flex-col gap-1.5 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <h3 className="flex items-baseline justify-between text-sm text-ink-3">
        Consensus
        {last && <span className="num text-xs">round {last.number}</span>}
      </h3>
      <p className="num flex items-baseline gap-2.5">
        <b className="text-2xl leading-none font-semibold tracking-tight">
          {consensus === null ? "–" : formatShare(consensus)}
        </b>
        {change !== null && (
          <span
            className={cn(
              "flex items-center gap-1 text-sm",
              moved ? (change > 0 ? "text-good" : "text-bad") : "text-ink-3",
            )}
          >
            {moved &&
              (change > 0 ? <TrendingUp className="size-3.5" /> : <TrendingDown className="size-3.5" />)}
            {moved ? `${change > 0 ? "+" : "−"}${formatShare(Math.abs(change))}` : "unchanged"}
          </span>
        )}
      </p>
      <div
        role="meter"
        aria-label="Consensus"
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={consensus ?? 0}
        aria-valuetext={consensus === null ? "not available yet" : formatShare(consensus)}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className="consensus-meter h-full"
          style={{ clipPath: `inset(0 ${100 - (consensus ?? 0) * 100}% 0 0)` }}
        />
      </div>
      <p className="text-xs text-ink-3">
        {remark(view, last?.agreement?.families ?? [], consensus, last !== undefined)}
      </p>
    </div>
  );
}

function remark(
  view: ConsortiumView,
  families: string[][],
  consensus: number | null,
  known: boolean,
): string {
  if (!known) return view.running ? "Available once members have answered" : "Not measured";
  if (consensus === null) return "Only one answer, nothing to compare";
  const nameOf = (seat: string) => view.members.find((member) => member.seat === seat)?.name ?? seat;
  if (families.length > 0) {
    return `${families.map((seats) => seats.map(nameOf).join(", ")).join("; ")}: one family, counted as correlated`;
  }
  return "Mean similarity across all answer pairs";
}
