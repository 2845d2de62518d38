/** What is in a file of votes, before it is imported. */
import type { ImportReport } from "@/api/votes";
import { type Column, Table } from "@/components/table";
import { BadRows, Names } from "@/features/votes/import-result";
import type { ImportState } from "@/features/votes/import-state";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

interface ImportPreviewProps {
  state: Extract<ImportState, { step: "preview" }>;
  onImport: () => void;
  onCancel: () => void;
}

export function ImportPreview({ state, onImport, onCancel }: ImportPreviewProps) {
  const { file, report } = state;
  const { earlier } = report;
  return (
    <>
      <p className="truncate font-medium">{file.name}</p>
      {earlier && (
        <p role="alert" className="text-sm text-bad">
          This file was imported on {new Date(earlier.created_at).toLocaleDateString()} as “{earlier.name}”.
          Importing it again would add nothing.
        </p>
      )}
      <p className="num text-sm text-ink-2">
        {counted(report.imported, "vote")} in {counted(report.read, "row")}, between{" "}
        {counted(report.models.length, "model")}.
        {report.duplicates > 0 && ` ${formatCount(report.duplicates)} are there already.`}
        {report.not_counted > 0 && ` ${formatCount(report.not_counted)} will not count.`}
        {report.bad > 0 && ` ${formatCount(report.bad)} are invalid and would be skipped.`}
      </p>
      <Listed label="Columns" names={report.columns} />
      <Listed label="Ignored columns" names={report.ignored} />
      <Listed label="Categories" names={report.categories} />
      {report.first_rows.length > 0 && (
        <div className="rounded-md border border-line">
          <Table dense label="First rows" columns={COLUMNS} rows={report.first_rows} rowKey={rowKey} />
        </div>
      )}
      {report.bad_rows.length > 0 && <BadRows report={report} />}
      <Names report={report} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        {!earlier && report.imported > 0 && (
          <Button variant="primary" onClick={onImport}>
            Import {counted(report.imported, "vote")}
          </Button>
        )}
      </div>
    </>
  );
}

type FirstRow = ImportReport["first_rows"][number];

const rowKey = (row: FirstRow) => `${row.model_a} ${row.model_b} ${row.winner} ${row.voter} ${row.seconds}`;

const COLUMNS: readonly Column<FirstRow>[] = [
  { header: "model_a", cell: (row) => row.model_a },
  { header: "model_b", cell: (row) => row.model_b },
  { header: "winner", cell: (row) => row.winner },
];

function Listed({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="text-xs text-ink-3 [overflow-wrap:anywhere]">
      {label}: {names.slice(0, 30).join(", ")}
      {names.length > 30 && ` and ${formatCount(names.length - 30)} more`}.
    </p>
  );
}
