import { CircleAlert, CircleCheck } from "lucide-react";
import type { ImportReport } from "@/api/votes";
import type { ImportState } from "@/features/votes/import-state";
import { STRINGS } from "@/features/votes/strings";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

interface ImportEndProps {
  state: Extract<ImportState, { step: "done" | "failed" }>;
  onSkipBad: () => void;
  onRetry: () => void;
  onAgain: () => void;
  onClose: () => void;
}

/** What came of an import: what went in, which rows did not and why, and what a name in the file stands for. */
export function ImportEnd({ state, onSkipBad, onRetry, onAgain, onClose }: ImportEndProps) {
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
              ? STRINGS.importedFrom(counted(state.report.imported, "vote"), state.file.name)
              : state.title}
          </p>
          {state.step === "failed" && state.detail && <p className="text-sm text-ink-2">{state.detail}</p>}
          {report && <Summary report={report} done={done} />}
        </div>
      </div>
      {report && report.bad_rows.length > 0 && <BadRows report={report} />}
      {done && <Names report={state.report} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onAgain}>{STRINGS.chooseAnotherFile}</Button>
        {!done && report && report.bad > 0 && good > 0 && (
          <Button variant="primary" onClick={onSkipBad}>
            {STRINGS.importValid(counted(good, "validRow"))}
          </Button>
        )}
        {!done && !report && (
          <Button variant="primary" onClick={onRetry}>
            {STRINGS.retry}
          </Button>
        )}
        {done && (
          <Button variant="primary" onClick={onClose}>
            {STRINGS.done}
          </Button>
        )}
      </div>
    </>
  );
}

function Summary({ report, done }: { report: ImportReport; done: boolean }) {
  const parts = [
    STRINGS.rowsRead(counted(report.read, "row")),
    report.duplicates > 0 && STRINGS.alreadyImported(formatCount(report.duplicates)),
    report.bad > 0 && STRINGS.invalid(formatCount(report.bad)),
    done && report.not_counted > 0 && STRINGS.savedButNotCounted(formatCount(report.not_counted)),
  ].filter(Boolean);
  return <p className="num text-sm text-ink-2">{parts.join(", ")}.</p>;
}

function BadRows({ report }: { report: ImportReport }) {
  return (
    <section aria-label={STRINGS.invalidRows} className="rounded-md border border-line">
      <div
        role="group"
        aria-label={STRINGS.invalidRows}
        tabIndex={0}
        data-scroll-area
        className="focus-inset max-h-48 overflow-y-auto rounded-md"
      >
        <table className="w-full text-sm">
          <thead className="text-xs text-ink-3">
            <tr>
              <th scope="col" className="w-16 px-3 py-1.5 text-right font-medium">
                {STRINGS.line}
              </th>
              <th scope="col" className="px-3 py-1.5 text-left font-medium">
                {STRINGS.problem}
              </th>
            </tr>
          </thead>
          <tbody>
            {report.bad_rows.map((row) => (
              <tr key={`${row.line} ${row.field}`} className="border-t border-line align-top">
                <td className="num px-3 py-1.5 text-right text-ink-2">{formatCount(row.line)}</td>
                <td className="px-3 py-1.5 [overflow-wrap:anywhere]">
                  {row.field && <span className="font-mono text-xs">{row.field}: </span>}
                  {row.why}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {report.bad > report.bad_rows.length && (
        <p className="num border-t border-line px-3 py-1.5 text-xs text-ink-3">
          {STRINGS.firstOf(formatCount(report.bad_rows.length), formatCount(report.bad))}
        </p>
      )}
    </section>
  );
}

function Names({ report }: { report: ImportReport }) {
  const fresh = report.models.filter((model) => model.new);
  if (fresh.length === 0) return null;
  const shown = fresh.slice(0, 6).map((model) => model.name);
  return (
    <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
      {STRINGS.unknownModels(counted(fresh.length, "model"), shown.join(", "))}
      {fresh.length > shown.length && STRINGS.andMore(fresh.length - shown.length)}.
    </p>
  );
}
