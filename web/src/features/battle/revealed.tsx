/** Who a side was, what the vote changed and what the answers took. */
import { Link } from "@tanstack/react-router";
import { Cloud, HardDrive } from "lucide-react";
import type { RatedSeat } from "@/api/types";
import { MetricsLine } from "@/features/arena/metrics-line";
import type { Side } from "@/features/battle/seats";
import { cn } from "@/lib/cn";
import { formatSigned } from "@/lib/format";

export function RevealedName({ side }: { side: Side }) {
  const { model } = side.seat;
  if (!model) return <h3 className="font-semibold">{side.alias}</h3>;
  const together = model.kind === "ensemble";
  const Where = model.local ? HardDrive : Cloud;
  return (
    <div className="min-w-0 animate-slide-in">
      <h3 className="flex min-w-0 items-baseline gap-2 leading-tight font-semibold">
        <Link
          to="/models/$model"
          params={{ model: model.id }}
          title={model.id}
          className="truncate rounded-xs hover:underline"
        >
          {model.name}
        </Link>
        <span className="shrink-0 text-xs font-normal text-ink-3">{side.letter}</span>
      </h3>
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-ink-3">
        {!together && <Where aria-hidden="true" className="size-3 shrink-0" />}
        <span className="truncate">
          {[
            together ? null : (model.provider ?? (model.local ? "local" : null)),
            model.organization,
            model.license,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </p>
    </div>
  );
}

export function Revealed({ rated }: { rated: RatedSeat }) {
  // Of the figures that are shown, so that the sum on the screen is right.
  const [before, after] = [Math.round(rated.elo_before ?? 0), Math.round(rated.elo_after ?? 0)];
  const change = after - before;
  const tone = change > 0 ? "text-good" : change < 0 ? "text-bad" : "text-ink-2";
  return (
    <footer className="flex animate-slide-in flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 [animation-delay:120ms]">
      <p className="num text-sm">
        <span className="text-ink-3" title="Vote by vote, from 1500; the leaderboard’s score is another one">
          Elo{" "}
        </span>
        <span className="text-ink-2">{before}</span>
        <span className="text-ink-3"> → </span>
        <span className="font-semibold">{after}</span>
        <span className={cn("ml-1.5 font-medium", tone)}>{formatSigned(change)}</span>
      </p>
      {rated.metrics && <MetricsLine metrics={rated.metrics} />}
    </footer>
  );
}
