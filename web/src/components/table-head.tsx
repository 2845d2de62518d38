/** The headings of a table: they sort, explain themselves, and tick all rows. */

import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Checkbox } from "@/ui/checkbox";
import { tooltip } from "@/ui/tooltip";

/** Where a table narrower than this hides a column. */
export const NARROW = {
  md: "@max-md:hidden",
  lg: "@max-lg:hidden",
  "2xl": "@max-2xl:hidden",
  "4xl": "@max-4xl:hidden",
  "6xl": "@max-6xl:hidden",
};

export interface Sorting<Sort> {
  by: Sort;
  order: "asc" | "desc";
  onSort: (by: Sort) => void;
}

interface HeadProps<Sort extends string> {
  header: string;
  silent?: boolean;
  heading?: ReactNode;
  hint?: string;
  figures?: boolean;
  width?: string;
  pinned?: boolean;
  narrow?: keyof typeof NARROW;
  sort?: Sort;
  sorting?: Sorting<Sort> | undefined;
}

export function Head<Sort extends string>({ header, sort, sorting, figures, ...column }: HeadProps<Sort>) {
  const order = sort && sorting?.by === sort ? sorting.order : undefined;
  const Arrow = order === "desc" ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={order && (order === "asc" ? "ascending" : "descending")}
      className={cn(
        "sticky top-0 border-b border-line bg-surface py-0! text-xs font-medium text-ink-3",
        column.pinned ? "left-0 z-20" : "z-10",
        figures && "text-right whitespace-nowrap",
        column.width,
        column.narrow && NARROW[column.narrow],
      )}
    >
      {sort && sorting ? (
        <button
          type="button"
          onClick={() => sorting.onSort(sort)}
          {...(column.hint && tooltip(column.hint))}
          className={cn(
            "focus-inset -mx-1.5 inline-flex h-9 items-center gap-1 rounded-sm px-1.5 whitespace-nowrap transition-colors after:absolute after:inset-0 hover:text-ink",
            figures && "flex-row-reverse",
            order && "text-ink",
          )}
        >
          <span className={cn(column.hint && HINTED)}>{header}</span>
          <Arrow aria-hidden="true" className={cn("size-3 shrink-0", !order && "opacity-0")} />
        </button>
      ) : (
        <span
          className={cn((column.silent || column.heading) && "sr-only", column.hint && HINTED)}
          // Its words are for the keyboard too.
          {...(column.hint && { ...tooltip(column.hint), tabIndex: 0 })}
        >
          {header}
        </span>
      )}
      {column.heading}
    </th>
  );
}

const HINTED = "underline decoration-line-strong decoration-dotted underline-offset-4";

interface PickAllProps<Row> {
  header: string;
  picked: readonly string[];
  onPickAll: () => void;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

export function PickAll<Row>({ header, picked, onPickAll, rows, rowKey }: PickAllProps<Row>) {
  const ticked = rows.filter((row) => picked.includes(rowKey(row))).length;
  return (
    <th scope="col" className="sticky top-0 z-10 w-10 border-b border-line bg-surface p-0!">
      <label className="flex size-10 touch:size-11 cursor-pointer items-center justify-center">
        <Checkbox
          aria-label={header}
          checked={ticked > 0 && ticked === rows.length}
          ref={(box) => {
            if (box) box.indeterminate = ticked > 0 && ticked < rows.length;
          }}
          onChange={onPickAll}
        />
      </label>
    </th>
  );
}
