/** Rows × versions and models: a head with mean, interval and cost, and a cell for each answer. Only what shows is drawn. */

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type MouseEvent, memo, useMemo, useRef, useState } from "react";
import { modelsQuery } from "@/api/queries";
import { ModelMark } from "@/components/model-mark";
import { GridLine } from "@/features/lab/grid-line";
import type { CellPlace, ColumnFigures, GridRow, Report } from "@/features/lab/lab-api";
import { formatCost } from "@/lib/format";
import { useWindow } from "@/lib/use-window";
import { Segmented } from "@/ui/segmented";

const ROW_PX = 34;
const HEAD_PX = 88;
const COLUMN = 124;

type Filter = "all" | "changed" | "failed";

interface RunGridProps {
  report: Report;
  open: CellPlace | null;
  onOpen: (place: CellPlace) => void;
}

export function RunGrid({ report, open, onOpen }: RunGridProps) {
  const { columns } = report;
  const box = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState<Filter>("all");
  const rows = useMemo(() => report.rows.filter((row) => passes(row, filter)), [report.rows, filter]);
  const counts = useMemo(
    () => ({
      changed: report.rows.filter((row) => passes(row, "changed")).length,
      failed: report.rows.filter((row) => passes(row, "failed")).length,
    }),
    [report.rows],
  );
  const { first, last } = useWindow(box, rows.length, ROW_PX, HEAD_PX);
  const spread = { gridTemplateColumns: `minmax(190px, 1fr) repeat(${columns.length}, ${COLUMN}px)` };
  const isOpen = ({ version, model }: ColumnFigures) => version === open?.version && model === open.model;
  const choose = ({ target }: MouseEvent) => {
    const cell = (target as Element).closest<HTMLElement>("[data-column]");
    const column = columns[Number(cell?.dataset.column)];
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row);
    if (column && row) onOpen({ row, version: column.version, model: column.model });
  };
  return (
    <section
      aria-label="Answers"
      className="flex min-h-56 flex-1 flex-col gap-2 max-xl:h-[60vh] max-xl:flex-none"
    >
      <Segmented
        label="Rows shown"
        className="self-start"
        value={filter}
        options={[
          { value: "all", label: `All ${report.rows.length}` },
          { value: "changed", label: `Different ${counts.changed}` },
          { value: "failed", label: `Failed ${counts.failed}` },
        ]}
        onChange={setFilter}
      />
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Grid"
        className="min-h-0 flex-1 overflow-auto rounded-lg border border-line bg-surface"
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: its buttons make clicks of keys */}
        <div
          role="table"
          aria-label="Scores by row and column"
          aria-rowcount={rows.length + 1}
          style={{ minWidth: 190 + columns.length * COLUMN }}
          onClick={choose}
        >
          <div
            role="row"
            tabIndex={-1}
            style={{ ...spread, height: HEAD_PX }}
            className="sticky top-0 z-1 grid border-b border-line-strong bg-surface"
          >
            <span
              role="columnheader"
              tabIndex={-1}
              className="sticky left-0 bg-surface px-3 pt-2 text-xs text-ink-3"
            >
              {report.run.plan.dataset_name}
              {report.check_labels.length > 0 && (
                <span className="block truncate">{report.check_labels.join(", ")}</span>
              )}
            </span>
            {columns.map((column) => (
              <Head key={`${column.version} ${column.model}`} column={column} />
            ))}
          </div>
          <div aria-hidden="true" style={{ height: first * ROW_PX }} />
          {rows.slice(first, last).map((row) => (
            <GridLine
              key={row.place}
              row={row}
              columns={columns}
              height={ROW_PX}
              spread={spread.gridTemplateColumns}
              running={report.run.status === "running"}
              lit={open?.row === row.place ? columns.findIndex(isOpen) : -1}
            />
          ))}
          <div aria-hidden="true" style={{ height: (rows.length - last) * ROW_PX }} />
        </div>
      </div>
    </section>
  );
}

function passes({ cells }: GridRow, filter: Filter): boolean {
  if (filter === "failed") return cells.some(([state]) => state === "failed");
  if (filter === "changed")
    return new Set(cells.flatMap(([, score]) => (score === null ? [] : [score]))).size > 1;
  return true;
}

/** "± 4.6", or both ends where the mean is not in the middle. */
function intervalWords(mean: number, low: number, high: number): string {
  const even = Math.abs(high + low - 2 * mean) < 0.01;
  const [from, to] = [low, high].map((end) => Math.round(end * 100));
  return even ? `± ${(((high - low) / 2) * 100).toFixed(1)}` : `${from} to ${to}`;
}

/** Drawn once, not at every step of scrolling. */
const Head = memo(function Head({ column }: { column: ColumnFigures }) {
  const { data: models = [] } = useQuery(modelsQuery);
  const model = models.find(({ id }) => id === column.model);
  const { mean, low, high } = column;
  const interval = mean !== null && low !== null && high !== null ? intervalWords(mean, low, high) : null;
  return (
    <span
      role="columnheader"
      tabIndex={-1}
      className="flex min-w-0 flex-col gap-0.5 border-l border-line px-2.5 pt-2 text-xs"
    >
      <span className="flex items-center gap-1.5" title={column.model}>
        <ModelMark organization={model?.organization ?? ""} name={model?.name ?? column.model} />
        <span className="min-w-0 truncate font-medium">{model?.name ?? column.model}</span>
      </span>
      <span className="num flex justify-between text-ink-3">
        v{column.version}
        <span>{column.cost_usd === null ? "" : formatCost(column.cost_usd * 1e6)}</span>
      </span>
      <span className="num flex items-baseline gap-1.5">
        <strong className="text-sm font-semibold">{mean === null ? "–" : (mean * 100).toFixed(1)}</strong>
        {interval !== null && (
          <span className="text-ink-3" title="95% interval, clustered by row">
            {interval}
          </span>
        )}
        {column.failed > 0 && (
          <span className="ml-auto flex items-center gap-0.5 text-bad" title={`${column.failed} failed`}>
            <TriangleAlert aria-label="failed" className="size-3" />
            {column.failed}
          </span>
        )}
      </span>
    </span>
  );
});
