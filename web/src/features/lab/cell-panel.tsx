/** One cell of a run: the row, each answer with its verdicts, what was sent, and the difference to another column. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useState } from "react";
import { answerOf, api } from "@/api/client";
import { modelsQuery } from "@/api/queries";
import { CopyButton } from "@/components/copy-button";
import { VerdictMark } from "@/features/lab/check-marks";
import { type CellDetail, type CellPlace, cellQuery, type Run, reportQuery } from "@/features/lab/lab-api";
import { LineDiff } from "@/features/lab/line-diff";
import { showProblem } from "@/features/prompts/prompts-api";
import { formatCost, formatCount, formatMs } from "@/lib/format";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";

type View = "answer" | "diff" | "prompt";

interface CellPanelProps {
  run: Run;
  place: CellPlace;
  onStep: (by: number) => void;
  onClose: () => void;
}

export function CellPanel({ run, place, onStep, onClose }: CellPanelProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const client = useQueryClient();
  const { data: cell } = useQuery(cellQuery(run.id, place));
  const [view, setView] = useState<View>("answer");
  const name = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const done = run.progress.completed + run.progress.failed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer may be this cell's
  useEffect(() => {
    client.invalidateQueries({ queryKey: ["lab", "cell", run.id] });
  }, [client, run.id, done]);
  return (
    <aside
      aria-label="Cell"
      className="flex w-[390px] shrink-0 flex-col border-l border-line max-xl:w-full max-xl:border-t max-xl:border-l-0"
    >
      <div className="flex items-center gap-1 border-b border-line px-4 py-2">
        <h3 className="min-w-0 flex-1 truncate text-sm font-semibold">
          Row {place.row}{" "}
          <span className="font-normal text-ink-2">
            {name(place.model)}, v{place.version}
          </span>
        </h3>
        <IconButton size="icon-sm" label="Previous row" onClick={() => onStep(-1)}>
          <ChevronLeft />
        </IconButton>
        <IconButton size="icon-sm" label="Next row" onClick={() => onStep(1)}>
          <ChevronRight />
        </IconButton>
        <IconButton size="icon-sm" label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className="flex flex-col gap-3 px-4 py-3 xl:min-h-0 xl:overflow-y-auto">
        {!cell && <Skeleton className="h-40 rounded-md" />}
        {cell && (
          <>
            <Segmented
              label="Shown"
              className="self-start"
              value={view}
              options={[
                { value: "answer", label: "Answer" },
                { value: "diff", label: "Diff" },
                { value: "prompt", label: "Prompt sent" },
              ]}
              onChange={setView}
            />
            {view === "prompt" && <Sent cell={cell} />}
            {view === "diff" && <CellDiff run={run} place={place} cell={cell} name={name} />}
            {view === "answer" && <Answers run={run} place={place} cell={cell} />}
          </>
        )}
      </div>
    </aside>
  );
}

const BOX =
  "max-h-80 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2.5 text-sm whitespace-pre-wrap";

function Answers({ run, place, cell }: { run: Run; place: CellPlace; cell: CellDetail }) {
  const client = useQueryClient();
  const grade = async (check: number, repeat: number, passed: boolean | null) => {
    try {
      const next = await answerOf(
        api.POST("/api/lab/runs/{run_id}/grade", {
          params: { path: { run_id: run.id } },
          body: { check, repeat, passed, ...place },
        }),
      );
      client.setQueryData(cellQuery(run.id, place).queryKey, next);
      client.invalidateQueries({ queryKey: reportQuery(run.id).queryKey });
    } catch (error) {
      showProblem(error);
    }
  };
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
              <div tabIndex={0} className={BOX}>
                {trial.text}
              </div>
              <span className="absolute top-1.5 right-1.5 rounded-sm bg-surface">
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
                    <span className="flex gap-1">
                      {([true, false] as const).map((passed) => (
                        <Button
                          key={String(passed)}
                          size="sm"
                          aria-pressed={check.passed === passed}
                          className={check.passed === passed ? "border-gold-line! text-gold" : ""}
                          onClick={() => grade(at, trial.repeat, check.passed === passed ? null : passed)}
                        >
                          {passed ? "Passes" : "Fails"}
                        </Button>
                      ))}
                    </span>
                  )}
                  <VerdictMark passed={check.passed} />
                </li>
              ))}
          </ul>
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

function Sent({ cell }: { cell: CellDetail }) {
  return (
    <>
      {cell.prompt.map(({ role, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids
        <div key={at}>
          <h4 className="pb-1 text-xs font-medium text-ink-3">{role}</h4>
          <div tabIndex={0} className={BOX}>
            {text}
          </div>
        </div>
      ))}
    </>
  );
}

interface CellDiffProps {
  run: Run;
  place: CellPlace;
  cell: CellDetail;
  name: (id: string) => string;
}

function CellDiff({ run: { id, plan }, place, cell, name }: CellDiffProps) {
  const columns = plan.models
    .flatMap((model) => plan.versions.map((version) => ({ model, version })))
    .filter(({ model, version }) => model !== place.model || version !== place.version);
  const usual = columns.findIndex(({ model }) => model === place.model);
  const [at, setAt] = useState(Math.max(0, usual));
  const base = columns[at];
  const { data: other } = useQuery({
    ...cellQuery(id, { ...place, ...base }),
    enabled: base !== undefined,
  });
  if (!base)
    return <p className="text-sm text-ink-2">The run has one column, so there is nothing to compare.</p>;
  return (
    <>
      <Select
        aria-label="Compare with"
        value={String(at)}
        options={columns.map(({ model, version }, value) => ({
          value: String(value),
          label: `${name(model)}, v${version}`,
        }))}
        onChange={(value) => setAt(Number(value))}
      />
      <LineDiff
        label="Difference of the answers"
        before={other?.trials[0]?.text ?? ""}
        after={cell.trials[0]?.text ?? ""}
      />
    </>
  );
}
