/** The rows of a data set: written by hand, from a file, divided into splits. */

import { Pencil, Plus, Shuffle, Swords, Trash2, Upload } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { answerOf, api } from "@/api/client";
import { widthsOf } from "@/features/lab/column-widths";
import { type DatasetDetail, type LabRow, useChangeDataset, type WriteRow } from "@/features/lab/lab-api";
import { LostDialog } from "@/features/lab/lost-dialog";
import { RowDialog } from "@/features/lab/row-dialog";
import { SplitDialog } from "@/features/lab/split-dialog";
import { showToast } from "@/lib/toast-store";
import { useWindow } from "@/lib/use-window";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

const ROW_PX = 37;
const NONE: readonly string[] = [];
/** The rows by which the widths of the columns are chosen. */
const LOOKED_AT = 200;
const [PLACE_PX, SPLIT_PX, ACTIONS_PX] = [56, 96, 76];

interface RowsTableProps {
  detail: DatasetDetail;
  /** Variables that have a column, although no row has a value yet. */
  columns?: readonly string[];
}

export function RowsTable({ detail, columns: needed = NONE }: RowsTableProps) {
  const { dataset, rows } = detail;
  const [editing, setEditing] = useState<LabRow | "new" | null>(null);
  const [splitting, setSplitting] = useState(false);
  const [losing, setLosing] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const columns = useMemo(() => [...new Set([...needed, ...detail.columns])], [needed, detail.columns]);
  const path = { dataset_id: dataset.id };
  const upload = useChangeDataset(async (chosen: File) => {
    const text = await chosen.text();
    const format = /\.(jsonl|ndjson|json)$/i.test(chosen.name) ? "jsonl" : "csv";
    return answerOf(
      api.POST("/api/lab/datasets/{dataset_id}/file", {
        params: { path },
        body: { format, text, split: "validation" },
      }),
    );
  });
  const save = useChangeDataset((row: WriteRow) =>
    editing && editing !== "new"
      ? answerOf(
          api.PUT("/api/lab/datasets/{dataset_id}/rows/{row_id}", {
            params: { path: { ...path, row_id: editing.id } },
            body: row,
          }),
        )
      : answerOf(
          api.POST("/api/lab/datasets/{dataset_id}/rows", { params: { path }, body: { rows: [row] } }),
        ),
  );
  const remove = useChangeDataset((row: LabRow) =>
    answerOf(
      api.DELETE("/api/lab/datasets/{dataset_id}/rows/{row_id}", {
        params: { path: { ...path, row_id: row.id } },
      }),
    ),
  );
  const box = useRef<HTMLDivElement>(null);
  const { first, last } = useWindow(box, rows.length, ROW_PX, ROW_PX);
  const { tracks, least } = useMemo(() => {
    const looked = rows.slice(0, LOOKED_AT);
    return widthsOf([
      ...columns.map((name) => [name, ...looked.map(({ fields }) => plain(fields[name]))]),
      ["Expected", ...looked.map(({ expected }) => expected ?? "")],
    ]);
  }, [rows, columns]);
  const spread = { gridTemplateColumns: `${PLACE_PX}px ${tracks} ${SPLIT_PX}px ${ACTIONS_PX}px` };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => setEditing("new")}>
          <Plus aria-hidden="true" />
          Add row
        </Button>
        <Button onClick={() => file.current?.click()} disabled={upload.isPending}>
          <Upload aria-hidden="true" />
          Import CSV or JSON Lines
        </Button>
        <Button variant="quiet" onClick={() => setLosing(true)}>
          <Swords aria-hidden="true" />
          Add lost battles
        </Button>
        {rows.length > 1 && (
          <Button variant="quiet" onClick={() => setSplitting(true)}>
            <Shuffle aria-hidden="true" />
            Split
          </Button>
        )}
        <span className="num text-xs text-ink-3">
          {rows.length === 1 ? "1 row" : `${rows.length.toLocaleString("en-US")} rows`} ·{" "}
          {dataset.sha256.slice(0, 7)}
        </span>
        <input
          ref={file}
          type="file"
          accept=".csv,.tsv,.jsonl,.ndjson"
          aria-label="File with rows"
          className="hidden"
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            target.value = "";
            if (chosen)
              upload.mutate(chosen, {
                onSuccess: ({ dataset: { rows: count } }) =>
                  showToast(`Imported. ${dataset.name} has ${count.toLocaleString("en-US")} rows now.`),
              });
          }}
        />
      </div>
      {rows.length === 0 ? (
        <p className="text-sm text-ink-2">
          No rows yet. Add one, or import a file with a column for each variable. The columns “expected” and
          “split” are what they say.
        </p>
      ) : (
        <div
          ref={box}
          tabIndex={0}
          role="region"
          aria-label="Rows"
          className="min-h-0 flex-1 overflow-auto rounded-lg border border-line"
        >
          <div
            role="table"
            aria-label={dataset.name}
            aria-rowcount={rows.length + 1}
            style={{ minWidth: least + PLACE_PX + SPLIT_PX + ACTIONS_PX }}
            className="text-sm"
          >
            <div
              role="row"
              tabIndex={-1}
              style={spread}
              className="sticky top-0 z-1 grid border-b border-line bg-surface text-xs text-ink-3"
            >
              {["Row", ...columns, "Expected", "Split", "Actions"].map((name) => (
                <span key={name} role="columnheader" tabIndex={-1} className="truncate px-3 py-2">
                  {name}
                </span>
              ))}
            </div>
            <div aria-hidden="true" style={{ height: first * ROW_PX }} />
            {rows.slice(first, last).map((row, at) => (
              <div
                key={row.id}
                role="row"
                tabIndex={-1}
                style={spread}
                className="grid h-[37px] grid-rows-[100%] items-center border-b border-line last:border-0 hover:bg-raised"
              >
                <span role="cell" className="num px-3 text-ink-3">
                  {first + at + 1}
                </span>
                {columns.map((name) => (
                  <span key={name} role="cell" className="truncate px-3" title={plain(row.fields[name])}>
                    {plain(row.fields[name]) || <span className="text-ink-3">–</span>}
                  </span>
                ))}
                <span role="cell" className="truncate px-3 text-ink-2">
                  {row.expected ?? <span className="text-ink-3">–</span>}
                </span>
                <span role="cell" className="truncate px-3 text-ink-2">
                  {row.split === "holdout" ? "hold-out" : row.split}
                </span>
                <span role="cell" className="flex px-1">
                  <IconButton
                    size="icon-sm"
                    label={`Edit row ${first + at + 1}`}
                    onClick={() => setEditing(row)}
                  >
                    <Pencil />
                  </IconButton>
                  <IconButton
                    size="icon-sm"
                    label={`Remove row ${first + at + 1}`}
                    onClick={() =>
                      remove.mutate(row, {
                        onSuccess: () =>
                          showToast("Row removed.", {
                            action: {
                              label: "Undo",
                              run: () =>
                                save.mutate({
                                  fields: row.fields,
                                  expected: row.expected,
                                  split: row.split as WriteRow["split"],
                                }),
                            },
                          }),
                      })
                    }
                  >
                    <Trash2 />
                  </IconButton>
                </span>
              </div>
            ))}
            <div aria-hidden="true" style={{ height: (rows.length - last) * ROW_PX }} />
          </div>
        </div>
      )}
      {editing && (
        <RowDialog
          row={editing === "new" ? null : editing}
          columns={columns.length ? columns : ["question"]}
          pending={save.isPending}
          onSave={(row) => save.mutate(row, { onSuccess: () => setEditing(null) })}
          onClose={() => setEditing(null)}
        />
      )}
      {losing && <LostDialog dataset={dataset} variables={columns} onClose={() => setLosing(false)} />}
      {splitting && <SplitDialog dataset={dataset} onClose={() => setSplitting(false)} />}
    </div>
  );
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.replaceAll("\n", " ");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object") return String((value as { name?: string }).name ?? JSON.stringify(value));
  return String(value);
}
