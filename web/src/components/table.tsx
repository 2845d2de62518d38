/** The table of every page: its columns say what stands in them, where they have room and how they sort. */

import { type ComponentProps, memo, type ReactNode, useMemo } from "react";
import { Head, NARROW, PickAll, type Sorting } from "@/components/table-head";
import { cn } from "@/lib/cn";
import { Checkbox } from "@/ui/checkbox";
import { Skeleton } from "@/ui/skeleton";

export interface Column<Row, Sort extends string = string> {
  /** Tells columns of the same header apart. */
  id?: string;
  header: string;
  /** Only screen readers get the header. */
  silent?: boolean;
  /** Drawn in place of the header, which only screen readers get. */
  heading?: ReactNode;
  /** The header's tooltip. */
  hint?: string;
  cell: (row: Row) => ReactNode;
  cellTitle?: (row: Row) => string | undefined;
  /** The cell names its row. */
  names?: boolean;
  /** Figures stand at the right, each on one line. */
  figures?: boolean;
  /** The cells are less important than others. */
  quiet?: boolean;
  /** A class for the width. */
  width?: string;
  /** Classes for the cells. */
  className?: string;
  sort?: Sort;
  /** The column hides where the table, a fixed one, is narrower than this. */
  narrow?: keyof typeof NARROW;
  /** The cell has nothing to show; a column of such cells hides, and is named below the table. */
  blank?: (row: Row) => boolean;
  /** Stays in sight while the table scrolls sideways. */
  pinned?: boolean;
}

/** A column of figures. */
export const figureColumn = <Row, Sort extends string>(
  header: string,
  cell: Column<Row, Sort>["cell"],
  rest?: Omit<Column<Row, Sort>, "header" | "cell">,
): Column<Row, Sort> => ({ header, cell, figures: true, ...rest });

export interface TableProps<Row, Sort extends string> {
  label: string;
  columns: readonly Column<Row, Sort>[];
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Stands in place of a table without rows. */
  empty?: ReactNode;
  rowProps?: (row: Row) => ComponentProps<"tr">;
  body?: ComponentProps<"tbody">;
  sort?: Sorting<Sort>;
  /** Adds a box to tick to each row. */
  selection?: {
    header: string;
    labelOf: (row: Row) => string;
    picked: readonly string[];
    onPick: OnPick;
    /** Adds a box to the header that ticks every row. */
    onPickAll?: () => void;
  };
  /** Low rows, for figures beside other content. */
  dense?: boolean;
  /** Without margins at the sides, where the place has its own. */
  flat?: boolean;
  /** Columns have the widths that they name, and the table never outgrows its place. */
  fixed?: boolean;
  /** Says below the table what its signs mean. */
  legend?: ReactNode;
  /** A class for the greatest height: the table scrolls within it, by the keyboard too. */
  scroll?: string;
}

type OnPick = (key: string) => void;

export function Table<Row, Sort extends string = never>(props: TableProps<Row, Sort>) {
  const { label, columns, rows, rowKey, rowProps, body, sort, selection, dense, flat, fixed } = props;
  const blank = columns.filter((column) => column.blank && rows?.[0] && rows.every(column.blank));
  const names = blank.map((column) => column.header).join(", ");
  // The columns stay the same objects while the same ones hide, for the rows' sake.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the hidden columns
  const shown = useMemo(() => columns.filter((column) => !blank.includes(column)), [columns, names]);
  if (!rows) return <Skeleton className={cn("h-64 rounded-md", !flat && "mx-4 mb-4")} />;
  if (rows.length === 0 && props.empty) {
    return <div className={cn("text-ink-2", !flat && "px-4 pb-4")}>{props.empty}</div>;
  }
  return (
    <Frame {...props}>
      <table
        aria-label={label}
        className={cn(
          "w-full border-separate border-spacing-0 text-left [&_tr+tr>*]:border-t [&_tr+tr>*]:border-line",
          dense ? DENSE : ROOMY,
          flat
            ? "[&_:is(td,th):first-child]:pl-0 [&_:is(td,th):last-child]:pr-0"
            : "[&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4",
          fixed && "table-fixed",
          props.scroll && "[&>tbody>tr]:align-top",
        )}
      >
        <thead>
          <tr>
            {selection &&
              (selection.onPickAll ? (
                <PickAll {...selection} rows={rows} rowKey={rowKey} onPickAll={selection.onPickAll} />
              ) : (
                <Head header={selection.header} silent width="w-10" />
              ))}
            {shown.map(({ cell: _, ...column }) => (
              <Head key={column.id ?? column.header} {...column} sorting={sort} />
            ))}
          </tr>
        </thead>
        <tbody {...body}>
          {rows.map((row) => (
            <Line
              key={rowKey(row)}
              id={rowKey(row)}
              row={row}
              columns={shown}
              rowProps={rowProps}
              labelOf={selection?.labelOf}
              picked={selection?.picked.includes(rowKey(row))}
              onPick={selection?.onPick}
            />
          ))}
        </tbody>
      </table>
      {(names || props.legend) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-ink-3">
          {props.legend}
          {names && <p className={cn(props.legend && "ml-auto")}>No values yet: {names}</p>}
        </div>
      )}
    </Frame>
  );
}

const DENSE = "text-sm [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-1.5 [&_thead_th]:h-7.5";
const ROOMY = "text-[13.5px] [&_:is(td,th)]:px-2.5 [&_:is(td,th)]:py-2 [&_thead_th]:h-9";

type FrameProps = Pick<TableProps<never, never>, "label" | "fixed" | "scroll"> & { children: ReactNode };

function Frame({ label, fixed, scroll, children }: FrameProps) {
  // A container has no width by its content, so only a table that fills its place may be in one.
  if (!scroll) return <div className={fixed ? "@container" : "overflow-x-auto"}>{children}</div>;
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      data-scroll-area
      className={cn("focus-inset overflow-auto rounded-md", scroll)}
    >
      {children}
    </div>
  );
}

interface LineProps<Row> {
  id: string;
  row: Row;
  columns: readonly Column<Row>[];
  rowProps: ((row: Row) => ComponentProps<"tr">) | undefined;
  labelOf: ((row: Row) => string) | undefined;
  picked: boolean | undefined;
  onPick: OnPick | undefined;
}

const Line = memo(function Line<Row>(props: LineProps<Row>) {
  const { id, row, columns, rowProps, labelOf, picked, onPick } = props;
  const { className, ...rest } = rowProps?.(row) ?? {};
  return (
    <tr data-row={id} {...rest} className={cn(className, picked && "bg-raised")}>
      {onPick && labelOf && (
        <td className="p-0!">
          <label className="flex size-10 touch:size-11 cursor-pointer items-center justify-center">
            <Checkbox aria-label={labelOf(row)} checked={picked} onChange={() => onPick(id)} />
          </label>
        </td>
      )}
      {columns.map((column) => {
        const Cell = column.names ? "th" : "td";
        return (
          <Cell
            key={column.id ?? column.header}
            {...(column.names && { scope: "row" })}
            title={column.cellTitle?.(row)}
            className={cn(
              column.names && "text-left font-normal",
              column.figures && "num text-right whitespace-nowrap",
              column.quiet && "text-ink-2",
              column.pinned && "sticky left-0 bg-surface",
              column.narrow && NARROW[column.narrow],
              column.className,
            )}
          >
            {column.cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}) as <Row>(props: LineProps<Row>) => ReactNode;
