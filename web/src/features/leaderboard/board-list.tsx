/** The table on a phone: two lines per model. */
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { type BoardSearch, firstOrder, type SortKey } from "@/features/leaderboard/board-search";
import { LineMarks } from "@/features/leaderboard/line-marks";
import { IntervalBar } from "@/features/standings/interval-bar";
import { ModelDot } from "@/features/standings/model-name";
import { counted, formatMargin, formatPercent, formatRating } from "@/lib/format";
import type { Scale } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";
import { Checkbox } from "@/ui/checkbox";
import { Select } from "@/ui/select";

interface BoardListProps {
  lines: readonly LeaderboardLine[];
  scale: Scale;
  grouped: boolean;
  picked: readonly string[];
  onPick: (id: string) => void;
}

export function BoardList({ lines, scale, grouped, picked, onPick }: BoardListProps) {
  return (
    <ol aria-label="Leaderboard" className="overflow-clip rounded-lg border border-line bg-surface">
      {lines.map((line) => (
        <Item
          key={line.model.id}
          line={line}
          scale={scale}
          grouped={grouped}
          picked={picked.includes(line.model.id)}
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
  onPick: (id: string) => void;
}

const Item = memo(function Item({ line, scale, grouped, picked, onPick }: ItemProps) {
  const { model } = line;
  return (
    <li className="flex items-center border-t border-line first:border-t-0">
      <Link
        to="/models/$model"
        params={{ model: model.id }}
        className="focus-inset grid min-w-0 flex-1 grid-cols-[22px_minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 rounded-sm py-2.5 pl-3"
      >
        <span className="num pt-px text-right text-sm text-ink-3">
          <span className="sr-only">Rank </span>
          {line.rank_ub}
        </span>
        <span className="flex min-w-0 items-center gap-2">
          <ModelDot model={model} />
          <span className="truncate font-medium">{model.name}</span>
        </span>
        <span className="num text-right font-semibold">
          {formatRating(line.rating)}
          <span className="ml-1.5 inline-block min-w-8 text-left text-xs font-normal text-ink-3">
            {formatMargin(line.ci_lower, line.ci_upper)}
          </span>
        </span>
        <span />
        <span className="num flex min-w-0 items-center gap-2 text-xs text-ink-3">
          <LineMarks line={line} grouped={grouped} />
          <span className="truncate">
            {counted(line.votes, "vote")} · {formatPercent(line.win_rate)} won
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
          aria-label={`Compare ${model.name}`}
          checked={picked}
          onChange={() => onPick(model.id)}
          className="size-4.5 after:left-[5px]"
        />
      </label>
    </li>
  );
});

const SORTS: { key: SortKey; label: string }[] = [
  { key: "rank", label: "Rank" },
  { key: "rating", label: "Score" },
  { key: "votes", label: "Votes" },
  { key: "win_rate", label: "Win rate" },
  { key: "price", label: "Price" },
  { key: "latency", label: "TTFT" },
  { key: "name", label: "Name" },
  { key: "organization", label: "Organisation" },
  { key: "license", label: "Licence" },
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
      aria-label="Sort by"
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
