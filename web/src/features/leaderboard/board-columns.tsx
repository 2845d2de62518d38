/** The columns of the leaderboard. */

import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { ModelMark } from "@/components/model-mark";
import { type Column, figureColumn } from "@/components/table";
import { priceOf } from "@/features/leaderboard/arrange-lines";
import { AxisTicks, OnAxis } from "@/features/leaderboard/board-axis";
import type { SortKey } from "@/features/leaderboard/board-search";
import { LineMarks } from "@/features/leaderboard/line-marks";
import { rankText } from "@/features/leaderboard/rank-text";
import { cn } from "@/lib/cn";
import { formatBlend, formatCount, formatMargin, formatMs, formatPercent, formatRating } from "@/lib/format";
import type { Scale } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";

interface BoardAxis {
  scale: Scale;
  ground: CSSProperties;
}

export const boardColumns = (
  { scale, ground }: BoardAxis,
  grouped: boolean,
): Column<LeaderboardLine, SortKey>[] => [
  {
    header: "Rank",
    cell: (line) => <span className={cn(line.rank_ub === 1 && "font-semibold")}>{rankText(line)}</span>,
    hint: "A range where intervals overlap: it may have any of these places",
    sort: "rank",
    width: "w-19",
    className: "num whitespace-nowrap text-ink-2",
  },
  {
    header: "Model",
    cell: (line) => <NameCell line={line} grouped={grouped} />,
    hint: "The model and who made it",
    sort: "name",
    names: true,
  },
  figureColumn("Score", (line) => formatRating(line.rating), {
    hint: "From all votes at once. The mean is 1000, and 400 points are odds of ten to one",
    sort: "rating",
    width: "w-16",
    className: "text-md font-semibold",
  }),
  {
    header: "95% interval",
    cell: intervalText,
    hint: "With 95% probability it contains the true score, however often you look. “parley rate” prints the interval for a single look, which is narrower",
    blank: (line) => line.ci_lower === null,
    width: "w-24",
    quiet: true,
    className: "num whitespace-nowrap",
  },
  {
    header: "Score and interval on a common axis",
    heading: <AxisTicks scale={scale} />,
    cell: (line) => (
      <span aria-hidden="true" className="absolute inset-0" style={ground}>
        <OnAxis line={line} scale={scale} color={colorOfModel(line.model)} />
      </span>
    ),
    width: "w-[14%] @4xl:w-[22%]",
    narrow: "2xl",
    className: "relative p-0!",
  },
  figureColumn("Won", (line) => formatPercent(line.win_rate), {
    hint: "Wins plus half of ties. Depends on the opponents",
    sort: "win_rate",
    width: "w-16",
    quiet: true,
  }),
  figureColumn("Votes", (line) => formatCount(line.votes), {
    hint: "Votes on battles of this model",
    sort: "votes",
    width: "w-18",
    quiet: true,
  }),
  figureColumn("Price / M", priceText, {
    hint: "US dollars per million tokens, three parts input to one part output",
    blank: (line) => priceOf(line) === null,
    sort: "price",
    width: "w-24",
    narrow: "4xl",
    quiet: true,
  }),
  figureColumn("First word", (line) => (line.ttft_p50_ms === null ? "" : formatMs(line.ttft_p50_ms)), {
    hint: "Median time to the first word of voted answers",
    blank: (line) => line.ttft_p50_ms === null,
    sort: "latency",
    width: "w-26",
    narrow: "4xl",
    quiet: true,
  }),
  {
    header: "Licence",
    cell: (line) => <span className="block truncate">{line.model.license}</span>,
    cellTitle: (line) => line.model.license || undefined,
    hint: "The licence of the model’s weights",
    blank: (line) => line.model.license === "",
    sort: "license",
    width: "w-30",
    narrow: "6xl",
    className: "text-ink-2",
  },
];

/** The name, and below it whose it is: one height, whatever the name is. Where the maker is unknown, a name has both lines. */
function NameCell({ line: { model }, line, grouped }: { line: LeaderboardLine; grouped: boolean }) {
  const maker = model.organization;
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ModelMark organization={model.organization} name={model.name} size="md" />
      <span className="flex min-w-0 items-center gap-1.5">
        <span className="min-w-0 leading-tight">
          <Link
            to="/models/$model"
            params={{ model: model.id }}
            title={model.name}
            data-row-link
            className={cn(
              "rounded-xs text-base leading-tight font-medium hover:underline",
              maker ? "block truncate" : "line-clamp-2 [overflow-wrap:anywhere]",
            )}
          >
            {model.name}
          </Link>
          {maker && <span className="block truncate text-xs text-ink-3">{maker}</span>}
        </span>
        <LineMarks line={line} grouped={grouped} />
      </span>
    </span>
  );
}

const intervalText = ({ ci_lower, ci_upper }: LeaderboardLine) =>
  ci_lower === null ? "" : formatMargin(ci_lower, ci_upper);

function priceText(line: LeaderboardLine) {
  const price = priceOf(line);
  if (price === null) return "";
  return price === 0 ? <span className="font-medium text-good">free</span> : formatBlend(price);
}
