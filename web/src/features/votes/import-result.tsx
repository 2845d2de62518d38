import { CircleAlert, CircleCheck } from "lucide-react";
import type { ImportReport } from "@/api/votes";
import { type Column, figureColumn, Table } from "@/components/table";
import type { ImportState } from "@/features/votes/import-state";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

interface ImportResultProps {
  state: Extract<ImportState, { step: "done" | "failed" }>;
  onSkipBad: () => void;
  onRetry: () => void;
  onAgain: () => void;
  onClose: () => void;
}

/** What came of an import: what went in, which rows did not and why, and what a name in the file stands for. */
export function ImportResult({ state, onSkipBad, onRetry, onAgain, onClose }: ImportResultProps) {
  const done = state.step === "done";
  const { report } = state;
  const Icon = done ? CircleCheck : CircleAlert;
  const good = report ? report.read - report.bad - report.duplicates : 0;
  return (
    <>
      <div role={done ? undefined : "alert"} className="flex gap-3">
        <Icon
          aria-hidden="true"
          className={done ? "mt-0.5 size-4.5 shrink-0 text-good" : "mt-0.5 size-4.5 shrink-0 text-bad"}
        />
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere]">
            {done
              ? `${counted(state.report.imported, "vote")} imported from ${state.file.name}`
              : state.title}
          </p>
          {state.step === "failed" && state.detail && <p className="text-sm text-ink-2">{state.detail}</p>}
          {report && <Summary report={report} done={done} />}
        </div>
      </div>
      {report && report.bad_rows.length > 0 && <BadRows report={report} />}
      {done && <Names report={state.report} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onAgain}>Choose another file</Button>
        {!done && report && report.bad > 0 && good > 0 && (
          <Button variant="primary" onClick={onSkipBad}>
            Import {counted(good, "validRow")}
          </Button>
        )}
        {!done && !report && (
          <Button variant="primary" onClick={onRetry}>
            Retry
          </Button>
        )}
        {done && (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )}
      </div>
    </>
  );
}

function Summary({ report, done }: { report: ImportReport; done: boolean }) {
  const parts = [
    `${counted(report.read, "row")} read`,
    report.duplicates > 0 && `${formatCount(report.duplicates)} already imported`,
    report.bad > 0 && `${formatCount(report.bad)} invalid`,
    done && report.not_counted > 0 && `${formatCount(report.not_counted)} saved but not counted`,
  ].filter(Boolean);
  return <p className="num text-sm text-ink-2">{parts.join(", ")}.</p>;
}

const COLUMNS: readonly Column<ImportReport["bad_rows"][number]>[] = [
  figureColumn("Line", (row) => formatCount(row.line), {
    width: "w-16",
    quiet: true,
  }),
  {
    header: "Problem",
    cell: (row) => (
      <>
        {row.field && <span className="font-mono text-xs">{row.field}: </span>}
        {row.why}
      </>
    ),
    className: "[overflow-wrap:anywhere]",
  },
];

export function BadRows({ report }: { report: ImportReport }) {
  return (
    <div className="rounded-md border border-line">
      <Table
        dense
        scroll="max-h-48"
        label="Invalid rows"
        columns={COLUMNS}
        rows={report.bad_rows}
        rowKey={(row) => `${row.line} ${row.field}`}
      />
      {report.bad > report.bad_rows.length && (
        <p className="num border-t border-line px-3 py-1.5 text-xs text-ink-3">
          The first {formatCount(report.bad_rows.length)} of {formatCount(report.bad)}.
        </p>
      )}
    </div>
  );
}

export function Names({ report }: { report: ImportReport }) {
  const fresh = report.models.filter((model) => model.new);
  if (fresh.length === 0) return null;
  const shown = fresh.slice(0, 6).map((model) => model.name);
  return (
    <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
      {counted(fresh.length, "model")} not in your model list, saved as retired: {shown.join(", ")}
      {fresh.length > shown.length && ` and ${fresh.length - shown.length} more`}.
    </p>
  );
}
