import { type KeyboardEvent, memo, useRef, useState } from "react";
import type { PairCell } from "@/api/standings-types";
import type { ModelCard } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";

interface HeatMapProps {
  models: readonly ModelCard[];
  cells: ReadonlyMap<string, PairCell>;
  onAt: (at: { row: string; column: string } | null) => void;
  onOpen: (row: string, column: string) => void;
}

/** A table of shares with colours; one of its cells can be focused, and the arrow keys move it. */
export const HeatMap = memo(function HeatMap({ models, cells, onAt, onOpen }: HeatMapProps) {
  const [focus, setFocus] = useState({ row: 0, column: models.length > 1 ? 1 : 0 });
  const body = useRef<HTMLTableSectionElement>(null);
  const place = (target: EventTarget) => {
    const cell = (target as Element).closest<HTMLElement>("td[data-column]");
    return cell && { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
  };
  const show = (target: EventTarget) => {
    const at = place(target);
    const [row, column] = [models[at?.row ?? -1], models[at?.column ?? -1]];
    onAt(row && column && row !== column ? { row: row.id, column: column.id } : null);
    return at;
  };
  const open = (target: EventTarget) => {
    const at = place(target);
    const [row, column] = [models[at?.row ?? -1], models[at?.column ?? -1]];
    if (row && column && row !== column) onOpen(row.id, column.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = place(event.target);
    if (!at) return;
    if (event.key === "Enter") return open(event.target);
    const next = step(event.key, at, models.length);
    if (!next) return;
    event.preventDefault();
    body.current
      ?.querySelector<HTMLElement>(`[data-row="${next.row}"][data-column="${next.column}"]`)
      ?.focus();
  };
  return (
    <div className="min-h-0 flex-1 overflow-auto" data-scroll-area>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that the arrow keys walk is a grid
        role="grid"
        aria-label="Win rates, row vs. column"
        className="num w-full border-separate border-spacing-0 text-xs"
      >
        <thead>
          <tr>
            <th scope="col" className="sticky top-0 left-0 z-20 border-r border-b border-line bg-surface">
              <span className="sr-only">Model</span>
            </th>
            {models.map((model) => (
              <th
                key={model.id}
                scope="col"
                title={model.name}
                className="sticky top-0 z-10 min-w-13 border-b border-line bg-surface px-0 pt-2 pb-2.5 text-center align-bottom font-medium normal-nums text-ink-2"
              >
                <span className="inline-block max-h-48 rotate-180 leading-[14px] [overflow-wrap:anywhere] [writing-mode:vertical-rl]">
                  {model.name}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          onKeyDown={onKeyDown}
          onClick={(event) => open(event.target)}
          onPointerOver={(event) => show(event.target)}
          onPointerLeave={() => onAt(null)}
          onFocus={(event) => {
            const at = show(event.target);
            if (at) setFocus(at);
          }}
        >
          {models.map((model, row) => (
            <tr key={model.id}>
              <th
                scope="row"
                className="sticky left-0 z-10 w-56 min-w-36 border-r border-b border-line bg-surface py-1 pr-3 pl-3 text-left font-medium normal-nums"
              >
                <span className="flex items-center gap-2">
                  <ModelMark organization={model.organization} name={model.name} />
                  <span className="leading-tight [overflow-wrap:anywhere]">{model.name}</span>
                </span>
              </th>
              {models.map((other, column) => (
                <Cell
                  key={other.id}
                  row={row}
                  column={column}
                  cell={row === column ? undefined : cells.get(`${model.id} ${other.id}`)}
                  focusable={focus.row === row && focus.column === column}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

interface CellProps {
  row: number;
  column: number;
  cell: PairCell | undefined;
  focusable: boolean;
}

const Cell = memo(function Cell({ row, column, cell, focusable }: CellProps) {
  const rate = cell?.win_rate ?? null;
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: see the table
      role="gridcell"
      data-row={row}
      data-column={column}
      tabIndex={focusable ? 0 : -1}
      className={cn(
        "focus-inset h-11 min-w-13 border-r border-b border-page/60 p-0 text-center leading-tight",
        row === column ? "bg-raised" : "cursor-pointer",
        rate === null ? "text-ink-3" : "text-ink",
      )}
      style={rate === null ? undefined : { background: heat(rate, cell?.votes ?? 0) }}
    >
      {row === column ? (
        <span className="sr-only">itself</span>
      ) : rate === null ? (
        <span title="No battles">·</span>
      ) : (
        <>
          <b className="block text-sm font-semibold">{Math.round(rate * 100)}%</b>
          <span className="block text-[10px]">{formatCount(cell?.votes ?? 0)}</span>
        </>
      )}
    </td>
  );
});

/** Half is the surface; towards 0 and 1 the colour grows, and with the votes that say so. */
export function heat(rate: number, votes: number): string {
  const trust = votes / (votes + 2);
  const strength = Math.round(Math.min(1, Math.abs(rate - 0.5) * 2.8) * trust * 100);
  return `color-mix(in oklab, var(--heat-${rate >= 0.5 ? "high" : "low"}) ${strength}%, var(--surface))`;
}

function step(key: string, { row, column }: { row: number; column: number }, size: number) {
  const last = size - 1;
  const next = {
    ArrowUp: { row: Math.max(0, row - 1), column },
    ArrowDown: { row: Math.min(last, row + 1), column },
    ArrowLeft: { row, column: Math.max(0, column - 1) },
    ArrowRight: { row, column: Math.min(last, column + 1) },
    Home: { row, column: 0 },
    End: { row, column: last },
  }[key];
  return next ?? null;
}
