/** A query: its SQL, which can be edited and run again, its rows, a chart where that helps, and a CSV file. */
import { useMutation } from "@tanstack/react-query";
import { Download, Pencil, Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { BarChart } from "@/features/tools/bar-chart";
import { LineChart } from "@/features/tools/line-chart";
import { chartOf, csvOf, type QueryTable, shown } from "@/features/tools/query-result";
import { type QueryResult, runQuery } from "@/features/tools/tools-api";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";

const MOST_ROWS = 100;

interface QueryViewProps {
  session: string;
  sql: string;
  table: QueryTable;
}

export function QueryView({ session, sql, table }: QueryViewProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const run = useMutation({ mutationFn: (text: string) => runQuery(session, text) });
  const fresh = run.data && tableIn(run.data);
  const now = fresh ?? table;
  const text = draft ?? sql;
  const chart = chartOf(now);
  const save = async () => {
    const rows =
      fresh ?? (table.rows.length < table.rowCount ? tableIn(await runQuery(session, text)) : table);
    download(csvOf(rows));
  };
  return (
    <div className="-mx-3 -my-2.5">
      <div className="flex flex-wrap items-center justify-end gap-1 border-b border-line px-2 py-1">
        <Button variant="quiet" size="sm" onClick={() => setDraft(draft === null ? sql : null)}>
          <Pencil aria-hidden="true" />
          {draft === null ? "Edit SQL" : "Undo edit"}
        </Button>
        <Button variant="quiet" size="sm" disabled={run.isPending} onClick={() => run.mutate(text)}>
          {draft === null ? <RotateCcw aria-hidden="true" /> : <Play aria-hidden="true" />}
          {draft === null ? "Run again" : "Run"}
        </Button>
        <Button variant="quiet" size="sm" onClick={() => void save()}>
          <Download aria-hidden="true" />
          CSV
        </Button>
      </div>
      {draft === null ? (
        <pre className="m-0 bg-page px-3 py-2.5 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
          {sql}
        </pre>
      ) : (
        <textarea
          aria-label="SQL"
          value={draft}
          spellCheck={false}
          rows={Math.min(12, draft.split("\n").length + 1)}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) run.mutate(draft);
          }}
          className="focus-inset block w-full resize-y bg-page px-3 py-2.5 font-mono text-xs leading-relaxed"
        />
      )}
      {run.error && <Problem error={run.error} />}
      <div className={cn("grid border-t border-line", chart && "lg:grid-cols-[3fr_2fr]")}>
        <Rows table={now} />
        {chart && (chart.kind === "line" ? <LineChart {...chart} /> : <BarChart {...chart} />)}
      </div>
      {now.rows.length < now.rowCount || now.rows.length > MOST_ROWS ? (
        <p className="m-0 border-t border-line px-3 py-1.5 text-xs text-ink-3">
          {Math.min(now.rows.length, MOST_ROWS).toLocaleString("en-US")} of{" "}
          {now.rowCount.toLocaleString("en-US")} rows are shown. The CSV file has all of them.
        </p>
      ) : null}
    </div>
  );
}

function Problem({ error }: { error: unknown }) {
  const { message, detail } = asApiError(error);
  return (
    <p role="alert" className="m-0 border-t border-line px-3 py-2 text-xs text-bad">
      {message} {detail}
    </p>
  );
}

function Rows({ table: { columns, numeric, rows } }: { table: QueryTable }) {
  return (
    <div role="group" aria-label="Rows" tabIndex={0} className="max-h-96 min-w-0 overflow-auto">
      <table className="num w-full border-collapse text-xs">
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th
                key={`${name} ${String(at)}`}
                scope="col"
                className={cn(
                  "sticky top-0 border-b border-line bg-surface px-3 py-1.5 font-medium text-ink-2",
                  numeric[at] ? "text-right" : "text-left",
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, number) => (
            <tr key={String(number)} className="border-b border-line last:border-0">
              {row.map((cell, at) => (
                <td
                  key={String(at)}
                  className={cn("px-3 py-1.5 [overflow-wrap:anywhere]", numeric[at] && "text-right")}
                >
                  {shown(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="m-0 px-3 py-2 text-xs text-ink-3">No rows.</p>}
    </div>
  );
}

const tableIn = ({ columns, rows }: QueryResult): QueryTable => ({
  columns: columns.map(({ name }) => name),
  numeric: columns.map(({ numeric }) => numeric),
  rows: rows as QueryTable["rows"],
  rowCount: rows.length,
});

function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "query.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
