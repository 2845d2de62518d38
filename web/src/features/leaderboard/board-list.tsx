/** The table on a phone: two lines per model. */

import { Link } from "@tanstack/react-router";
import { type CSSProperties, memo, useMemo } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { ModelMark } from "@/components/model-mark";
import { axisGround, OnAxis } from "@/features/leaderboard/board-axis";
import { type BoardSearch, firstOrder, type SortKey } from "@/features/leaderboard/board-search";
import { LineMarks } from "@/features/leaderboard/line-marks";
import { NAMED, showOnce } from "@/features/leaderboard/named-line";
import { rankText } from "@/features/leaderboard/rank-text";
import { cn } from "@/lib/cn";
import { counted, formatMargin, formatRating } from "@/lib/format";
import type { Scale } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";
import { Checkbox } from "@/ui/checkbox";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

interface BoardListProps {
  lines: readonly LeaderboardLine[];
  scale: Scale;
  /** Whose interval is shaded through all rows. */
  leader: LeaderboardLine | undefined;
  grouped: boolean;
  named: string | undefined;
  picked: readonly string[];
  onPick: (id: string) => void;
}

export function BoardList({ lines, scale, leader, grouped, named, picked, onPick }: BoardListProps) {
  const ground = useMemo(() => axisGround(scale, leader), [scale, leader]);
  return (
    <ol aria-label="Leaderboard" className="overflow-clip rounded-lg border border-line bg-surface">
      {lines.map((line) => (
        <Item
          key={line.model.id}
          line={line}
          scale={scale}
          ground={ground}
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
  ground: CSSProperties;
  grouped: boolean;
  picked: boolean;
  named: boolean;
  onPick: (id: string) => void;
}

const Item = memo(function Item({ line, scale, ground, grouped, picked, named, onPick }: ItemProps) {
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
        className="focus-inset grid h-17 min-w-0 flex-1 grid-cols-[38px_minmax(0,1fr)_auto] items-center gap-x-2 rounded-sm pl-3"
      >
        <span className="num text-sm whitespace-nowrap text-ink-2">
          <span className="sr-only">Rank </span>
          {rankText(line)}
        </span>
        <span className="min-w-0">
          <span className="flex min-w-0 items-center gap-2">
            <ModelMark organization={model.organization} name={model.name} />
            <span className="line-clamp-2 min-w-0 leading-tight font-medium [overflow-wrap:anywhere]">
              {model.name}
            </span>
          </span>
          <span className="num mt-0.5 flex min-w-0 items-center gap-1 text-xs text-ink-3">
            <span className="min-w-0 truncate">
              {model.organization && `${model.organization} · `}
              {counted(line.votes, "vote")}
            </span>
            <LineMarks line={line} grouped={grouped} linked />
          </span>
        </span>
        <span className="w-21">
          <span className="num flex items-baseline justify-end gap-1.5 font-semibold">
            {formatRating(line.rating)}
            <span className="text-xs font-normal text-ink-3">
              {line.ci_lower !== null && formatMargin(line.ci_lower, line.ci_upper)}
            </span>
          </span>
          <span aria-hidden="true" className="relative mt-1 block h-4" style={ground}>
            <OnAxis line={line} scale={scale} color={colorOfModel(model)} />
          </span>
        </span>
      </Link>
      <label className="flex h-17 w-11 shrink-0 items-center justify-center">
        <Checkbox
          aria-label={`Select ${model.name}`}
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
  { key: "win_rate", label: "Won" },
  { key: "price", label: "Price" },
  { key: "latency", label: "First word" },
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
    <Labelled label="Sort by">
      {(id) => (
        <Select
          id={id}
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
      )}
    </Labelled>
  );
}
