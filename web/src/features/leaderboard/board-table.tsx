/** The table: a line per model, sorted by its heads, gliding when votes come. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, useCallback, useRef } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { BoardRow } from "@/features/leaderboard/board-row";
import { type BoardSearch, firstOrder, nextSort } from "@/features/leaderboard/board-search";
import { COLUMNS, type Column } from "@/features/leaderboard/columns";
import { STRINGS } from "@/features/leaderboard/strings";
import { useRowMotion } from "@/features/leaderboard/use-row-motion";
import { cn } from "@/lib/cn";
import type { Scale } from "@/lib/scale";

interface BoardTableProps {
  lines: readonly LeaderboardLine[];
  scale: Scale;
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
  const { lines, scale, grouped, caption, search, arrangement, picked, onPick, onSort, onOpen } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowMotion(body, lines, arrangement);
  const onKeyDown = useCallback((event: KeyboardEvent<HTMLElement>) => walk(event), []);
  return (
    <div className="@container overflow-clip rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed text-[13.5px]">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="sticky top-0 z-10 w-10 bg-surface shadow-[inset_0_-1px_0_var(--line)]">
              <span className="sr-only">{STRINGS.compare}</span>
            </th>
            {COLUMNS.map((column) => (
              <Head key={column.id} column={column} search={search} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {lines.map((line) => (
            <BoardRow
              key={line.model.id}
              line={line}
              scale={scale}
              grouped={grouped}
              picked={picked.includes(line.model.id)}
              named={search.line === line.model.id}
              onPick={onPick}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  column: Column;
  search: BoardSearch;
  onSort: (change: BoardSearch) => void;
}

function Head({ column, search, onSort }: HeadProps) {
  const sorted = column.sort === (search.sort_by ?? "rank");
  const order = sorted ? (search.order ?? firstOrder(column.sort ?? "rank")) : null;
  const Arrow = order === "desc" ? ArrowDown : ArrowUp;
  const { sort } = column;
  return (
    <th
      scope="col"
      aria-sort={order === null ? undefined : order === "asc" ? "ascending" : "descending"}
      title={column.title}
      className={cn(
        "sticky top-0 z-10 bg-surface p-0 text-xs font-medium text-ink-3 shadow-[inset_0_-1px_0_var(--line)]",
        column.className,
      )}
    >
      {sort ? (
        <button
          type="button"
          onClick={() => onSort(nextSort(search, sort))}
          className={cn(
            "focus-inset flex h-9 w-full items-center gap-1 rounded-sm px-2.5 whitespace-nowrap transition-colors hover:text-ink",
            column.figures && "flex-row-reverse",
            sorted && "text-ink",
          )}
        >
          {column.label}
          <Arrow
            aria-hidden="true"
            className={cn("size-3 shrink-0", !sorted && "opacity-0", column.figures && "-ml-0.5")}
          />
        </button>
      ) : (
        <span
          className={cn(
            "flex h-9 items-center px-2.5 whitespace-nowrap",
            column.figures && "justify-end",
            column.id === "bar" && "sr-only",
          )}
        >
          {column.label}
        </span>
      )}
    </th>
  );
}

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
