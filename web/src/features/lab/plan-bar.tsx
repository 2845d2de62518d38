/** The plan of the next run, with its quote and cap on one bar. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import {
  type PromptDetail,
  type Quote,
  quoteQuery,
  type Run,
  type StartRun,
  startRun,
  useChangeRun,
} from "@/features/lab/lab-api";
import { PlanStatus } from "@/features/lab/plan-status";
import { Ticks } from "@/features/lab/ticks";
import { datasetsQuery } from "@/features/prompts/datasets-api";
import { formatCost, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

const route = getRouteApi("/lab");
const USUAL_MODELS = 3;
const DRY_ROWS = 3;

export function PlanBar({ detail, onStarted }: { detail: PromptDetail; onStarted: (run: Run) => void }) {
  const { prompt } = detail;
  const { data: preferred } = route.useSearch();
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: sets = [] } = useQuery(datasetsQuery);
  const usable = models.filter(({ kind, enabled }) => kind === "single" && enabled);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [versions, setVersions] = useState<number[] | null>(null);
  const [set, setSet] = useState<string | null>(null);
  const [split, setSplit] = useState("");
  const [repeats, setRepeats] = useState(1);
  const [cap, setCap] = useState("");
  const dataset = sets.find(({ id }) => id === (set ?? preferred)) ?? sets[0];
  const usual = [...new Set([prompt.model, ...usable.map(({ id }) => id)])]
    .filter((id): id is string => usable.some((model) => model.id === id))
    .slice(0, USUAL_MODELS);
  const picked = chosen ?? usual;
  const runs = versions ?? usualVersions(detail);
  const plan: StartRun | null =
    dataset && picked.length > 0 && runs.length > 0
      ? {
          versions: runs,
          models: picked,
          dataset: dataset.id,
          splits: split ? [split as "train"] : [],
          repeats,
          failed: "fail",
          parallel: 8,
        }
      : null;
  const quote = useQuery({ ...quoteQuery(prompt.id, plan), placeholderData: keepPreviousData });
  const start = useChangeRun((body: StartRun) => startRun(prompt.id, body));
  const begin = (more: Partial<StartRun>) =>
    plan &&
    start.mutate(
      { ...plan, cap_usd: cap && Number(cap) > 0 ? Number(cap) : null, ...more },
      { onSuccess: onStarted },
    );
  const problem = quote.error ? asApiError(quote.error) : null;
  return (
    <section aria-label="Next run" className="border-t border-line bg-surface px-5 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Ticks
          label="Versions"
          face={runs.length ? runs.map((version) => `v${version}`).join(" and ") : "No version"}
          options={detail.versions.map(({ number, note }) => ({
            value: String(number),
            label: `v${number}${note ? `: ${note}` : ""}`,
          }))}
          value={runs.map(String)}
          onChange={(next) => setVersions(next.map(Number).sort((a, b) => a - b))}
        />
        ×
        <Ticks
          label="Models"
          face={
            picked.length === 1
              ? (usable.find(({ id }) => id === picked[0])?.name ?? "1 model")
              : `${picked.length} models`
          }
          options={usable.map(({ id, name }) => ({ value: id, label: name }))}
          value={picked}
          onChange={setChosen}
        />
        ×
        <Select
          aria-label="Data set of the run"
          value={dataset?.id ?? ""}
          options={
            sets.length
              ? sets.map(({ id, name, rows }) => ({ value: id, label: `${name} (${rows} rows)` }))
              : [{ value: "", label: "No data yet" }]
          }
          onChange={setSet}
        />
        <Select
          aria-label="Rows"
          value={split}
          options={[
            { value: "", label: "all rows" },
            { value: "train", label: "training" },
            { value: "validation", label: "validation" },
            { value: "holdout", label: "hold-out" },
          ]}
          onChange={setSplit}
        />
        <span className="flex items-center gap-1.5 text-ink-2">
          Repeats
          <Field
            type="number"
            aria-label="Repeats"
            min={1}
            max={100}
            className="w-16"
            value={repeats}
            onChange={({ target }) => setRepeats(Math.max(1, Math.min(100, Number(target.value) || 1)))}
          />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-2">
        <PlanStatus
          problem={problem}
          hint="Choose versions, models and rows."
          quote={quote.data && <QuoteWords quote={quote.data} />}
        />
        <span className="flex-1" />
        <span className="flex items-center gap-1.5 text-ink-2">
          Cap $
          <Field
            type="number"
            aria-label="Cap in dollars"
            min={0}
            step="any"
            className="w-24"
            placeholder="none"
            value={cap}
            onChange={({ target }) => setCap(target.value)}
          />
        </span>
        <Button
          disabled={!plan || problem !== null || start.isPending}
          onClick={() => begin({ first_rows: DRY_ROWS })}
        >
          Dry run of {DRY_ROWS} rows
        </Button>
        <Button
          variant="primary"
          disabled={!plan || problem !== null || start.isPending}
          onClick={() => begin({})}
        >
          <Play aria-hidden="true" />
          Start run
        </Button>
      </div>
    </section>
  );
}

/** The newest version against the one of production, or against the one before. */
function usualVersions({ prompt, versions }: PromptDetail): number[] {
  const other = prompt.labels.production ?? prompt.newest;
  const first = other === prompt.newest ? (versions[1]?.number ?? prompt.newest) : other;
  return [...new Set([first, prompt.newest])].sort((a, b) => a - b);
}

export function QuoteWords({ quote }: { quote: Quote }) {
  const { calls, recorded, judge_calls, cost_usd_least: least, cost_usd_most: most, unpriced } = quote;
  const priced = unpriced.length < quote.models.length;
  return (
    <>
      <strong className="font-medium text-ink">{formatCount(calls)} calls</strong>
      {recorded > 0 && <>, {formatCount(recorded)} recorded</>}
      {judge_calls > 0 && <>, {formatCount(judge_calls)} of judges</>}
      {priced && (
        <>
          {" · "}Quote{" "}
          <strong className="font-medium text-ink">
            {formatCost(least * 1e6)}–{formatCost(most * 1e6)}
          </strong>
        </>
      )}
      {unpriced.length > 0 && <> · {priced ? `${unpriced.length} without a price` : "no prices"}</>}
      {" · "}about {timeWords(quote.seconds)}
    </>
  );
}

export function timeWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
