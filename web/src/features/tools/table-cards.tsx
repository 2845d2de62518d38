/** The tables among a question's files: columns with types and ranges, and the first rows. */
import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { Disclosure } from "@/components/disclosure";
import { shown } from "@/features/tools/query-result";
import { type TableCard, tablesQuery } from "@/features/tools/tools-api";
import { cn } from "@/lib/cn";

interface TableCardsProps {
  session: string;
  /** The names of the question's files. */
  files: readonly string[];
}

export function TableCards({ session, files }: TableCardsProps) {
  const { data } = useQuery(tablesQuery(session, files.join("\n")));
  const cards = data?.tables.filter(({ file }) => files.includes(file)) ?? [];
  const failures = Object.entries(data?.failures ?? {}).filter(([file]) => files.includes(file));
  if (cards.length + failures.length === 0) return null;
  return (
    <div className="ml-auto flex w-full max-w-[640px] flex-col gap-2">
      {cards.map((card) => (
        <Disclosure
          key={card.table}
          className="overflow-hidden bg-surface"
          label={
            <>
              <Table2 aria-hidden="true" className="size-3.5 shrink-0" />
              <span className="truncate font-mono text-xs font-semibold text-ink">{card.table}</span>
            </>
          }
          aside={`${card.rows.toLocaleString("en-US")} rows, ${card.columns.length} columns`}
        >
          <Card card={card} />
        </Disclosure>
      ))}
      {failures.map(([file, why]) => (
        <p key={file} className="m-0 text-xs text-bad">
          {file} can’t be read as a table: {why}
        </p>
      ))}
    </div>
  );
}

function Card({ card: { columns, sample } }: { card: TableCard }) {
  return (
    <div className="-mx-3 -my-2.5 text-xs">
      <ul className="m-0 list-none divide-y divide-line p-0">
        {columns.map((column) => (
          <li key={column.name} className="grid grid-cols-[1fr_5rem_1.4fr] gap-3 px-3 py-1.5">
            <span className="truncate font-mono text-ink">{column.name}</span>
            <span className="text-ink-3">{column.kind}</span>
            <span className="truncate text-right text-ink-2">{rangeOf(column)}</span>
          </li>
        ))}
      </ul>
      <div role="group" aria-label="First rows" tabIndex={0} className="overflow-x-auto border-t border-line">
        <table className="num border-collapse whitespace-nowrap">
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="px-3 py-1.5 text-left font-medium text-ink-3">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map((row, number) => (
              <tr key={String(number)} className="border-t border-line">
                {row.map((cell, at) => (
                  <td
                    key={String(at)}
                    className={cn("max-w-60 truncate px-3 py-1.5", typeof cell === "number" && "text-right")}
                  >
                    {shown(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function rangeOf({ kind, values, distinct, least, most, missing }: TableCard["columns"][number]): string {
  const empty = missing > 0 ? `, ${missing.toLocaleString("en-US")} missing` : "";
  if (values.length > 0 && distinct <= values.length) return `${values.join(", ")}${empty}`;
  if (kind === "text") return `${distinct.toLocaleString("en-US")} values${empty}`;
  return least === null ? `empty${empty}` : `${least} to ${most}${empty}`;
}
