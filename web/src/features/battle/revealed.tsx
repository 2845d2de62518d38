/** Who a side is: its seat, then its model; and what the vote changed and the answer took. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Cloud, HardDrive } from "lucide-react";
import type { ReactNode } from "react";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { Metrics, ModelCard, RatedSeat } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { MetricsLine } from "@/features/arena/metrics-line";
import { SeatMark } from "@/features/battle/seat-mark";
import type { Side } from "@/features/battle/seats";
import { rankRange } from "@/features/standings/rank-range";
import { cn } from "@/lib/cn";
import { formatCost, formatMs, formatSigned } from "@/lib/format";

interface SideNameProps {
  side: Side;
  /** The name as the headline of its panel. */
  large: boolean;
  preferred: boolean;
}

export function SideName({ side, large }: SideNameProps) {
  const { model } = side.seat;
  if (!model) {
    return (
      <h3 className="flex items-center gap-2.5 font-semibold">
        <SeatMark side={side} />
        {side.alias}
      </h3>
    );
  }
  const Where = model.local ? HardDrive : Cloud;
  const where = model.provider ?? (model.local ? "this computer" : null);
  const maker = [model.organization, model.license].filter(known).join(" · ");
  return (
    <div className={cn("flex min-w-0 items-center", large ? "gap-3.5" : "gap-2.5")}>
      <ModelMark
        organization={model.organization}
        name={model.name}
        size={large ? "lg" : "md"}
        className="animate-turn max-lg:size-[36px]! max-lg:text-[15px]!"
      />
      <div className="min-w-0 animate-slide-in">
        <h3
          className={cn(
            "flex min-w-0 items-center gap-2 leading-tight font-semibold",
            large && "text-xl tracking-[-0.02em] max-lg:text-lg",
          )}
        >
          <Link
            to="/models/$model"
            params={{ model: model.id }}
            title={model.id}
            className="rounded-xs [overflow-wrap:anywhere] hover:underline touch:-my-3.5 touch:min-w-11 touch:py-3.5"
          >
            {model.name}
          </Link>
          <SeatMark side={side} />
        </h3>
        <p className="mt-0.5 min-w-0 text-xs text-ink-2 [overflow-wrap:anywhere]">
          {maker}
          {maker && where && model.kind !== "ensemble" && " · "}
          {model.kind !== "ensemble" && where && (
            <span className="whitespace-nowrap">
              <Where aria-hidden="true" className="mr-1 inline size-3 align-[-1.5px] text-ink-3" />
              {where}
            </span>
          )}
        </p>
      </div>
    </div>
  );
}

const known = (text: string | null | undefined) => Boolean(text) && text !== "Unknown";

interface FactsProps {
  rated: RatedSeat;
  model: ModelCard | null | undefined;
  slim: boolean;
}

export function Facts({ rated, model, slim }: FactsProps) {
  // Of the figures that are shown, so that the sum on the screen is right.
  const [before, after] = [Math.round(rated.elo_before ?? 0), Math.round(rated.elo_after ?? 0)];
  const change = after - before;
  const tone = change > 0 ? "text-good" : change < 0 ? "text-bad" : "text-ink-2";
  const { metrics } = rated;
  return (
    <div className={cn("shrink-0 animate-slide-in [animation-delay:120ms]", slim && "mt-5")}>
      <dl className={cn("facts", slim && "-mx-5")}>
        <Fact name="Elo" hint="Updated after every vote. Every model starts at 1500">
          <span className="font-medium text-ink-2">{before}</span>
          <ArrowRight aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
          <span className="sr-only"> → </span>
          {after} <span className={cn("text-sm", tone)}>{formatSigned(change)}</span>
        </Fact>
        {model && <Rank model={model} />}
        {metrics && (
          <>
            <Fact name="This answer" hint={costHint(metrics, model)}>
              {costText(metrics, model)}
            </Fact>
            <Fact name="First word" hint="Time to first token">
              {formatMs(metrics.ttft_ms)}
            </Fact>
            <Fact name="Whole answer" hint="Duration">
              {formatMs(metrics.duration_ms)}
            </Fact>
          </>
        )}
      </dl>
      {metrics && (metrics.answered_by || metrics.cached) && (
        <MetricsLine metrics={metrics} className="border-t border-line px-5 py-2" />
      )}
    </div>
  );
}

function Fact({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div title={hint}>
      <dt>{name}</dt> <dd className="num">{children}</dd>
    </div>
  );
}

/** Leads to the model's line: which ranks its score and interval allow. */
function Rank({ model }: { model: ModelCard }) {
  const { data } = useQuery(boardQuery({ ...DEFAULT_BOARD, minVotes: 1 }));
  const range = rankRange(data?.lines ?? [], model.id);
  return (
    <Fact name="Rank" hint="From all votes. A range where intervals overlap.">
      <Link
        to="/leaderboard/$category"
        params={{ category: "overall" }}
        search={{ line: model.id }}
        className="inline-flex items-center rounded-xs underline decoration-line-strong underline-offset-3 hover:decoration-current touch:-my-3 touch:min-h-11 touch:min-w-11"
      >
        {range ?? "none yet"}
        <span className="sr-only"> {model.name} on the leaderboard</span>
      </Link>
    </Fact>
  );
}

function costText(metrics: Metrics, model: ModelCard | null | undefined): string {
  if (metrics.cost_micros === null) return model?.local ? "free" : "no price";
  return metrics.cost_micros === 0 ? "free" : formatCost(metrics.cost_micros);
}

function costHint({ cost_micros, output_tokens }: Metrics, model: ModelCard | null | undefined): string {
  const tokens = `${output_tokens} output tokens`;
  if (cost_micros !== null) return tokens;
  return model?.local ? `${tokens}, on this computer` : `${tokens}. No price configured for this model`;
}
