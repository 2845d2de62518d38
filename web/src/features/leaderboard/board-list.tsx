/** The table on a phone: two lines per model. */

import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { type BoardSearch, firstOrder, type SortKey } from "@/features/leaderboard/board-search";
import { LineMarks } from "@/features/leaderboard/line-marks";
import { NAMED, showOnce } from "@/features/leaderboard/named-line";
import { STRINGS } from "@/features/leaderboard/strings";
import { IntervalBar } from "@/features/standings/interval-bar";
import { ModelMark } from "@/features/standings/model-name";
import { cn } from "@/lib/cn";
import { counted, formatMargin, formatPercent, formatRating } from "@/lib/format";
import type { Scale } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";
import { Checkbox } from "@/ui/checkbox";
import { Select } from "@/ui/select";

interface BoardListProps {
  lines: readonly LeaderboardLine[];
  scale: Scale;
  grouped: boolean;
  named: string | undefined;
  picked: readonly string[];
  onPick: (id: string) => void;
}

export function BoardList({ lines, scale, grouped, named, picked, onPick }: BoardListProps) {
  return (
    <ol aria-label={STRINGS.leaderboard} className="overflow-clip rounded-lg border border-line bg-surface">
      {lines.map((line) => (
        <Item
          key={line.model.id}
          line={line}
          scale={scale}
          grouped={grouped}
          picked={picked.includes(line.model.id)}
          named={named === line.model.id}
          onPick={onPick}
        />
      ))}
    </ol>
  );
}

interface ItemProps {
  line: LeaderboardLine;
  scale: Scale;
  grouped: boolean;
  picked: boolean;
  named: boolean;
  onPick: (id: string) => void;
}

const Item = memo(function Item({ line, scale, grouped, picked, named, onPick }: ItemProps) {
  const { model } = line;
  return (
    <li
      ref={named ? showOnce : undefined}
      aria-current={named || undefined}
      className={cn("flex items-center border-t border-line first:border-t-0", named && NAMED)}
    >
      <Link
        to="/models/$model"
        params={{ model: model.id }}
        className="focus-inset grid min-w-0 flex-1 grid-cols-[22px_minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 rounded-sm py-2.5 pl-3"
      >
        <span className="num pt-px text-right text-sm text-ink-3">
          <span className="sr-only">{STRINGS.rank} </span>
          {line.rank_ub}
        </span>
        <span className="flex min-w-0 items-center gap-2">
          <ModelMark model={model} />
          <span className="leading-tight font-medium [overflow-wrap:anywhere]">{model.name}</span>
        </span>
        <span className="num text-right font-semibold">
          {formatRating(line.rating)}
          <span className="ml-1.5 inline-block min-w-8 text-left text-xs font-normal text-ink-3">
            {formatMargin(line.ci_lower, line.ci_upper)}
          </span>
        </span>
        <span />
        <span className="num flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-ink-3">
          <LineMarks line={line} grouped={grouped} />
          <span>
            {counted(line.votes, "vote")} · {STRINGS.wonShare(formatPercent(line.win_rate))}
            {model.organization !== "Unknown" && ` · ${model.organization}`}
          </span>
        </span>
        <span className="w-24 self-center justify-self-end">
          <IntervalBar
            rating={line.rating}
            lower={line.ci_lower}
            upper={line.ci_upper}
            scale={scale}
            color={colorOfModel(model)}
          />
        </span>
      </Link>
      <label className="flex h-14 w-11 shrink-0 items-center justify-center">
        <Checkbox
          aria-label={STRINGS.compareModel(model.name)}
          checked={picked}
          onChange={() => onPick(model.id)}
          className="size-4.5 after:left-[5px]"
        />
      </label>
    </li>
  );
});

const SORTS: { key: SortKey; label: string }[] = [
  { key: "rank", label: STRINGS.rank },
  { key: "rating", label: STRINGS.score },
  { key: "votes", label: STRINGS.votes },
  { key: "win_rate", label: STRINGS.winRate },
  { key: "price", label: STRINGS.price },
  { key: "latency", label: STRINGS.ttft },
  { key: "name", label: STRINGS.name },
  { key: "organization", label: STRINGS.organisation },
  { key: "license", label: STRINGS.licence },
];

/** Where there are no heads to click. */
export function SortSelect({
  search,
  onSort,
}: {
  search: BoardSearch;
  onSort: (change: BoardSearch) => void;
}) {
  const key = search.sort_by ?? "rank";
  return (
    <Select
      aria-label={STRINGS.sortBy}
      value={`${key} ${search.order ?? firstOrder(key)}`}
      options={SORTS.flatMap((sort) =>
        (["asc", "desc"] as const).map((order) => ({
          value: `${sort.key} ${order}`,
          label: `${sort.label} ${order === "asc" ? "↑" : "↓"}`,
        })),
      )}
      onChange={(value) => {
        const [next, order] = value.split(" ") as [SortKey, "asc" | "desc"];
        onSort({
          sort_by: next === "rank" ? undefined : next,
          order: order === firstOrder(next) ? undefined : order,
        });
      }}
    />
  );
}
