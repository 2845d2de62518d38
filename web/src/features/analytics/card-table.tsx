/** A card's figures as a table. */

import type { UsageTable } from "@/api/usage";
import { type Column, figureColumn, Table } from "@/components/table";
import { formatValue, nameOf } from "@/features/analytics/words";
import { titled } from "@/lib/format";

const MOST = 200;

interface CardTableProps {
  label: string;
  table: UsageTable;
  models: ReadonlyMap<string, string>;
}

type Row = UsageTable["rows"][number];

export function CardTable({ label, table, models }: CardTableProps) {
  const columns: Column<Row>[] = [
    ...table.by.map(
      (by, at): Column<Row> => ({
        id: by,
        header: by === "week" ? "Week of" : titled(by),
        names: at === 0,
        cell: (row) => nameOf(row[at] ?? null, by, table, models),
        className: "whitespace-nowrap",
      }),
    ),
    ...table.values.map((value, at) =>
      figureColumn<Row, never>(
        value.title,
        (row) => formatValue(row[table.by.length + at] as number | null, value.unit),
        { id: value.name },
      ),
    ),
  ];
  const newest = table.by[0] === "day" || table.by[0] === "hour" || table.by[0] === "week";
  const rows = newest ? [...table.rows].reverse() : table.rows;
  return (
    <div className="-mx-4">
      <Table
        label={label}
        columns={columns}
        rows={rows.slice(0, MOST)}
        rowKey={(row) => row.slice(0, table.by.length).join(" ")}
        dense
        scroll="max-h-72"
        legend={rows.length > MOST ? `${rows.length - MOST} more rows are in the CSV` : undefined}
      />
    </div>
  );
}
