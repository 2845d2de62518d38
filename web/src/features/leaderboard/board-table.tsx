/** The table: a line per model, sorted by its heads, gliding when votes come. */

import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useMemo,
  useRef,
} from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { Table } from "@/components/table";
import { axisGround, LEADER } from "@/features/leaderboard/board-axis";
import { boardColumns } from "@/features/leaderboard/board-columns";
import { type BoardSearch, firstOrder, nextSort } from "@/features/leaderboard/board-search";
import { MarkLegend } from "@/features/leaderboard/line-marks";
import { NAMED, showOnce } from "@/features/leaderboard/named-line";
import { useRowMotion } from "@/features/leaderboard/use-row-motion";
import { cn } from "@/lib/cn";
import type { Scale } from "@/lib/scale";

interface BoardTableProps {
  lines: readonly LeaderboardLine[];
  scale: Scale;
  /** Whose interval is shaded through all rows. */
  leader: LeaderboardLine | undefined;
  grouped: boolean;
  caption: string;
  search: BoardSearch;
  /** Names what the reader chose; within it, rows glide. */
  arrangement: string;
  picked: readonly string[];
  onPick: (id: string) => void;
  onSort: (change: BoardSearch) => void;
  onOpen: (id: string) => void;
}

export function BoardTable(props: BoardTableProps) {
  const { lines, scale, leader, grouped, caption, search, arrangement, picked, onPick, onSort, onOpen } =
    props;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowMotion(body, lines, arrangement);
  const columns = useMemo(
    () => boardColumns({ scale, ground: axisGround(scale, leader) }, grouped),
    [scale, leader, grouped],
  );
  const by = search.sort_by ?? "rank";
  const rowProps = useCallback(
    ({ model }: LeaderboardLine): ComponentProps<"tr"> => {
      const named = search.line === model.id;
      return {
        ref: named ? showOnce : undefined,
        "aria-current": named || undefined,
        className: cn("h-12 cursor-pointer *:py-0! hover:bg-raised/60", named && NAMED),
        onClick: (event) => !isWithinControl(event) && onOpen(model.id),
      };
    },
    [search.line, onOpen],
  );
  return (
    <div className="overflow-clip rounded-lg border border-line bg-surface">
      <Table
        fixed
        label={caption}
        columns={columns}
        rows={lines}
        rowKey={keyOf}
        rowProps={rowProps}
        body={{ ref: body, onKeyDown: walk }}
        sort={{
          by,
          order: search.order ?? firstOrder(by),
          onSort: (key) => onSort(nextSort(search, key)),
        }}
        selection={{ header: "Select", labelOf, picked, onPick }}
        legend={
          <>
            {leader && leader.ci_lower !== null && (
              <span className="inline-flex items-center gap-1.5 @max-2xl:hidden">
                <i aria-hidden="true" className="size-3.5 rounded-[3px]" style={{ background: LEADER }} />
                {leader.model.name}’s 95% interval
              </span>
            )}
            <MarkLegend lines={lines} grouped={grouped} />
          </>
        }
      />
    </div>
  );
}

const keyOf = (line: LeaderboardLine) => line.model.id;
const labelOf = (line: LeaderboardLine) => `Select ${line.model.name}`;

/** A press on a link or a box does what that does; one that ends a selection of text does nothing. */
const isWithinControl = (event: MouseEvent) =>
  event.defaultPrevented ||
  (event.target as Element).closest("a, button, input, label") !== null ||
  Boolean(getSelection()?.toString());

/** Up and Down (or k and j) go from model to model, Home and End to the first and last. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const row = (event.target as Element).closest("tr");
  const rows = [...event.currentTarget.children];
  const now = row ? rows.indexOf(row) : -1;
  const next = step ? now + step : event.key === "Home" ? 0 : event.key === "End" ? rows.length - 1 : null;
  if (now < 0 || next === null || !rows[next]) return;
  event.preventDefault();
  const ticking = (event.target as Element).matches("input");
  rows[next].querySelector<HTMLElement>(ticking ? "input" : "[data-row-link]")?.focus();
}
