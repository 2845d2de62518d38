/** The answers of a cell with their verdicts, and a person's grades. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Library as LibraryIcon } from "lucide-react";
import { libraryKey } from "@/api/library";
import { useMayWrite } from "@/api/permissions";
import { CopyButton } from "@/components/copy-button";
import { VerdictMark } from "@/features/lab/check-marks";
import { gradeAnswer, keepAnswer, proposalsQuery } from "@/features/lab/grades-api";
import { type CellDetail, type CellPlace, cellQuery, type Run, reportQuery } from "@/features/lab/lab-api";
import { showProblem } from "@/features/prompts/prompts-api";
import { formatCost, formatCount, formatMs } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

interface Grade {
  /** The place of the check; null for the answer as a whole. */
  check: number | null;
  repeat: number;
  passed: boolean | null;
}

export const ANSWER_BOX =
  "max-h-80 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2.5 text-sm whitespace-pre-wrap";

export function CellAnswers({ run, place, cell }: { run: Run; place: CellPlace; cell: CellDetail }) {
  const client = useQueryClient();
  const mayWrite = useMayWrite();
  const grade = useMutation({
    mutationFn: (given: Grade) => gradeAnswer(run.id, { ...given, ...place }),
    onSuccess: (next, { check }) => {
      client.setQueryData(cellQuery(run.id, place).queryKey, next);
      if (check === null) client.invalidateQueries({ queryKey: proposalsQuery(run.id).queryKey });
      else client.invalidateQueries({ queryKey: reportQuery(run.id).queryKey });
    },
    onError: showProblem,
  });
  const keep = useMutation({
    mutationFn: (repeat: number) => keepAnswer(run.id, { ...place, repeat }),
    onSuccess: () => {
      showToast("Kept in the library.");
      client.invalidateQueries({ queryKey: libraryKey });
    },
    onError: showProblem,
  });
  return (
    <>
      {cell.expected && (
        <p className="text-sm">
          <span className="text-xs text-ink-3">Expected </span>
          {cell.expected}
        </p>
      )}
      {cell.trials.map((trial) => (
        <article key={trial.key} aria-label={`Repeat ${trial.repeat}`} className="flex flex-col gap-2">
          {cell.trials.length > 1 && (
            <h4 className="text-xs font-medium text-ink-3">Repeat {trial.repeat}</h4>
          )}
          {trial.state === "missing" && <p className="text-sm text-ink-3">Not asked yet.</p>}
          {trial.error && (
            <p className="text-sm text-bad">
              {trial.error.title} <span className="text-ink-2">{trial.error.detail}</span>
            </p>
          )}
          {trial.text && (
            <div className="relative">
              <div tabIndex={0} className={`${ANSWER_BOX} pr-18 touch:pr-25`}>
                {trial.text}
              </div>
              <span className="absolute top-1.5 right-1.5 flex rounded-sm bg-surface">
                {trial.state === "completed" && mayWrite && (
                  <IconButton
                    size="icon-sm"
                    label="Keep in library"
                    disabled={keep.isPending}
                    onClick={() => keep.mutate(trial.repeat)}
                  >
                    <LibraryIcon />
                  </IconButton>
                )}
                <CopyButton text={trial.text} />
              </span>
            </div>
          )}
          <ul aria-label="Verdicts" className="flex flex-col gap-1 text-sm">
            {trial.state !== "missing" &&
              trial.checks.map((check, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: checks have no ids
                <li key={at} className="flex items-start gap-2">
                  <span className="min-w-0 flex-1">
                    {check.label}
                    {check.reason && <span className="block text-xs text-ink-3">{check.reason}</span>}
                  </span>
                  {check.by_hand && trial.state === "completed" && (
                    <GradeButtons
                      words={["Passes", "Fails"]}
                      value={check.passed}
                      onGrade={(passed) => grade.mutate({ check: at, repeat: trial.repeat, passed })}
                    />
                  )}
                  <VerdictMark passed={check.passed} />
                </li>
              ))}
          </ul>
          {trial.state === "completed" && (
            <div className="flex items-center gap-2 text-sm">
              <span className="min-w-0 flex-1">
                Your grade
                <span className="block text-xs text-ink-3">Grade a few answers to get checks proposed.</span>
              </span>
              <GradeButtons
                words={["Good", "Bad"]}
                value={trial.good}
                onGrade={(passed) => grade.mutate({ check: null, repeat: trial.repeat, passed })}
              />
            </div>
          )}
          {trial.state !== "missing" && (
            <p className="num flex flex-wrap gap-x-3 border-t border-line pt-2 text-xs text-ink-3">
              {trial.score !== null && (
                <span className="text-ink">score {Math.round(trial.score * 100)}</span>
              )}
              <span>{formatMs(trial.latency_ms)}</span>
              <span>{formatCount(trial.output_tokens)} tokens</span>
              {trial.cost_usd !== null && <span>{formatCost(trial.cost_usd * 1e6)}</span>}
              {trial.finish_reason === "length" && <span>reached the token limit</span>}
              {trial.attempt > 1 && <span>attempt {trial.attempt}</span>}
            </p>
          )}
        </article>
      ))}
    </>
  );
}

interface GradeButtonsProps {
  words: readonly [string, string];
  value: boolean | null;
  onGrade: (value: boolean | null) => void;
}

/** A second press takes the grade back. */
const GradeButtons = ({ words, value, onGrade }: GradeButtonsProps) => (
  <span className="flex gap-1">
    {([true, false] as const).map((side) => (
      <Button
        key={String(side)}
        size="sm"
        aria-pressed={value === side}
        className={value === side ? "border-gold-line! text-gold" : ""}
        onClick={() => onGrade(value === side ? null : side)}
      >
        {words[side ? 0 : 1]}
      </Button>
    ))}
  </span>
);
