/** A row of the grid with a cell for each column: few elements, drawn again only where something of it changes. */

import { LoaderCircle, TriangleAlert } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Cell, ColumnFigures, GridRow } from "@/features/lab/lab-api";

interface GridLineProps {
  row: GridRow;
  columns: readonly ColumnFigures[];
  height: number;
  /** The widths of the columns. */
  spread: string;
  running: boolean;
  /** The place of the cell that is open; -1 for none. */
  lit: number;
}

export const GridLine = memo(function GridLine(props: GridLineProps) {
  const { row, columns, height, spread, running, lit } = props;
  return (
    <div
      role="row"
      tabIndex={-1}
      data-row={row.place}
      style={{ gridTemplateColumns: spread, height }}
      className="grid border-b border-line text-sm [contain:content]"
    >
      <span
        role="rowheader"
        tabIndex={-1}
        className="sticky left-0 z-1 flex items-center gap-2.5 truncate bg-surface px-3"
      >
        <span className="num w-6 shrink-0 text-right text-xs text-ink-3">{row.place}</span>
        <span className="truncate">{row.title}</span>
      </span>
      {columns.map(({ version, model }, at) => (
        <span key={`${version} ${model}`} role="cell" className="border-l border-line">
          <button
            type="button"
            data-column={at}
            aria-label={`Row ${row.place}, v${version}, ${model}: ${wordsOf(row.cells[at])}`}
            className={`num flex h-full w-full items-center px-2.5 text-left text-xs whitespace-nowrap hover:bg-raised${
              isLow(row.cells[at]) ? " bg-bad/8" : ""
            }${lit === at ? " outline-2 -outline-offset-2 outline-accent" : ""}`}
          >
            {contentOf(row.cells[at], running)}
          </button>
        </span>
      ))}
    </div>
  );
});

const isLow = (cell: Cell | undefined) => cell?.[0] === "completed" && cell[1] !== null && cell[1] < 0.999;

function wordsOf(cell: Cell | undefined): string {
  if (!cell || cell[0] === "missing") return "not asked yet";
  if (cell[0] === "failed") return "failed";
  return cell[1] === null ? "no score" : `score ${Math.round(cell[1] * 100)}`;
}

function contentOf(cell: Cell | undefined, running: boolean): ReactNode {
  if (!cell || cell[0] === "missing") return running ? RUNNING : MISSING;
  if (cell[0] === "failed") return FAILED;
  return (
    <>
      {cell[2].length > 0 && marksOf(cell[2])}
      <span className="ml-auto">{cell[1] === null ? "✓" : Math.round(cell[1] * 100)}</span>
    </>
  );
}

const RUNNING = <LoaderCircle aria-hidden="true" className="size-3.5 text-ink-3 motion-safe:animate-spin" />;
const MISSING = <i aria-hidden="true" className="block h-1.5 w-9 rounded-full bg-raised" />;
const FAILED = (
  <span className="flex items-center gap-1 text-bad">
    <TriangleAlert aria-hidden="true" className="size-3.5" />
    failed
  </span>
);

const MOST_MARKS = 8;
const [STEP, WIDTH] = [10, 80];
const known = new Map<string, ReactNode>();

/** A mark for each check: a square passed, a circle failed, a broken one is open. The same ones are drawn once. */
function marksOf(verdicts: readonly (boolean | null)[]): ReactNode {
  const key = verdicts.slice(0, MOST_MARKS).join();
  let marks = known.get(key);
  if (marks === undefined) {
    marks = <Marks verdicts={verdicts.slice(0, MOST_MARKS)} />;
    known.set(key, marks);
  }
  return marks;
}

const Marks = memo(function Marks({ verdicts }: { verdicts: readonly (boolean | null)[] }) {
  const pathOf = (wanted: boolean | null, draw: (x: number) => string) =>
    verdicts.map((verdict, at) => (verdict === wanted ? draw(at * STEP) : "")).join("");
  const circle = (x: number) => `M${x + 0.5} 3.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`;
  const open = pathOf(null, circle);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 7`} className="mr-2 h-[7px] w-[72px] shrink-0" fill="none">
      <path d={pathOf(true, (x) => `M${x} .5h6v6h-6Z`)} className="fill-good" />
      <path d={pathOf(false, circle)} className="stroke-bad" />
      {open && <path d={open} className="stroke-ink-3" strokeDasharray="1.6 1.4" />}
    </svg>
  );
});
