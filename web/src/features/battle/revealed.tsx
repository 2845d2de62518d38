/** Who a side was, what the vote changed and what the answers took. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cloud, HardDrive } from "lucide-react";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { ModelCard, RatedSeat } from "@/api/types";
import { MetricsLine } from "@/features/arena/metrics-line";
import type { Side } from "@/features/battle/seats";
import { STRINGS } from "@/features/battle/strings";
import { cn } from "@/lib/cn";
import { formatMargin, formatRating, formatSigned } from "@/lib/format";

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
          className="rounded-xs [overflow-wrap:anywhere] hover:underline touch:-my-3.5 touch:min-w-11 touch:py-3.5"
        >
          {model.name}
        </Link>
        <span className="shrink-0 text-xs font-normal text-ink-3">{side.letter}</span>
      </h3>
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-ink-3">
        {!together && <Where aria-hidden="true" className="size-3 shrink-0" />}
        <span className="[overflow-wrap:anywhere]">
          {[
            together ? null : (model.provider ?? (model.local ? STRINGS.local : null)),
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

/** Leads to the model's line, whose score is on another scale than Elo and says so. */
function LineLink({ model }: { model: ModelCard }) {
  const { data } = useQuery(boardQuery({ ...DEFAULT_BOARD, minVotes: 1 }));
  const line = data?.lines.find((each) => each.model.id === model.id);
  return (
    <p className="num text-sm">
      {line && (
        <>
          <span className="text-ink-3">{line.provisional ? STRINGS.provisionalScore : STRINGS.score}</span>
          <span className="font-semibold">{formatRating(line.rating)}</span>{" "}
          <span className="text-ink-3">
            {STRINGS.fromAllVotes(formatMargin(line.ci_lower, line.ci_upper))}
          </span>
        </>
      )}
      <Link
        to="/leaderboard/$category"
        params={{ category: "overall" }}
        search={{ line: model.id }}
        aria-label={STRINGS.modelOnLeaderboard(model.name)}
        className="inline-flex touch:min-h-11 touch:min-w-11 items-center rounded-xs text-ink-2 underline underline-offset-2 hover:text-ink"
      >
        {line ? STRINGS.rank(line.rank_ub) : STRINGS.onLeaderboard}
      </Link>
    </p>
  );
}

interface RevealedProps {
  rated: RatedSeat;
  model: ModelCard | null | undefined;
  className?: string;
}

export function Revealed({ rated, model, className }: RevealedProps) {
  // Of the figures that are shown, so that the sum on the screen is right.
  const [before, after] = [Math.round(rated.elo_before ?? 0), Math.round(rated.elo_after ?? 0)];
  const change = after - before;
  const tone = change > 0 ? "text-good" : change < 0 ? "text-bad" : "text-ink-2";
  return (
    <footer
      className={cn(
        "flex animate-slide-in flex-wrap items-baseline justify-between gap-x-4 gap-y-1.5 border-t border-line px-4 py-3 [animation-delay:120ms]",
        className,
      )}
    >
      <p className="num text-sm">
        <span className="text-ink-3">{STRINGS.elo}</span>
        <span className="text-ink-2">{before}</span>
        <span className="text-ink-3"> → </span>
        <span className="font-semibold">{after}</span>
        <span className={cn("ml-1.5 font-medium", tone)}>{formatSigned(change)}</span>
        <span className="text-xs text-ink-3">{STRINGS.eloHint}</span>
      </p>
      {model && <LineLink model={model} />}
      {rated.metrics && <MetricsLine metrics={rated.metrics} />}
    </footer>
  );
}
