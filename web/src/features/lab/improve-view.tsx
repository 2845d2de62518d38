/** One search: its progress and money on one bar, the result in a sentence, and its candidates as a tree. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import { EmptyPage } from "@/components/empty-page";
import { RelativeTime } from "@/components/relative-time";
import { CandidatePanel } from "@/features/lab/candidate-panel";
import { CandidateTree } from "@/features/lab/candidate-tree";
import { type Improvement, type ImprovementDetail, improvementQuery } from "@/features/lab/improve-api";
import { ImproveBar } from "@/features/lab/improve-bar";
import { StatusMark } from "@/features/lab/status-mark";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";

export function ImproveView({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, isError, error } = useQuery(improvementQuery(id));
  if (isError && !data)
    return (
      <EmptyPage
        title={asApiError(error).message}
        text={asApiError(error).detail ?? "Choose another improvement."}
      >
        <Button onClick={onClose}>All improvements</Button>
      </EmptyPage>
    );
  if (!data) return <Skeleton className="m-5 h-72 flex-1 rounded-lg" />;
  return <Search detail={data} onClose={onClose} />;
}

function Search({ detail, onClose }: { detail: ImprovementDetail; onClose: () => void }) {
  const { improvement, candidates } = detail;
  const { plan } = improvement;
  const { data: models = [] } = useQuery(modelsQuery);
  const name = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const [picked, setPicked] = useState<number | null>(null);
  const best = candidates.find(({ state }) => state === "best") ?? candidates[0];
  const shown = candidates.find(({ number }) => number === picked) ?? best;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col max-xl:overflow-y-auto">
      <div className="flex flex-wrap items-center gap-2.5 px-5 pt-3 text-sm">
        <IconButton size="icon-sm" label="All improvements" onClick={onClose}>
          <ArrowLeft />
        </IconButton>
        <h2 className="font-semibold">Improvement {improvement.number}</h2>
        <StatusMark status={improvement.status} />
        <span className="text-xs text-ink-3">
          {name(plan.model)} answers, {name(plan.reflector)} rewrites v{plan.version} on {plan.dataset_name},
          v{plan.dataset_number}, started <RelativeTime at={improvement.started_at} />
        </span>
      </div>
      <ImproveBar improvement={improvement} />
      <Result improvement={improvement} />
      <div className="flex min-h-0 flex-1 border-t border-line max-xl:flex-col max-xl:flex-none">
        <div className="w-96 shrink-0 border-line px-5 py-3 max-xl:w-full xl:overflow-y-auto xl:border-r">
          <h3 className="pb-2 text-xs text-ink-3">Mean score on the validation rows</h3>
          {candidates.length > 0 ? (
            <CandidateTree candidates={candidates} shown={shown?.number} onShow={setPicked} />
          ) : (
            <p className="text-sm text-ink-2">The first prompt is being measured.</p>
          )}
        </div>
        {shown && (
          <CandidatePanel
            key={shown.number}
            improvement={improvement}
            candidate={shown}
            candidates={candidates}
          />
        )}
      </div>
    </div>
  );
}

const percent = (share: number) => `${(share * 100).toFixed(1)}`;

function Result({ improvement: { result, progress, status } }: { improvement: Improvement }) {
  const open = result?.low == null || result.high == null || (result.low <= 0 && result.high >= 0);
  const words =
    result?.sentence ??
    (progress.best_score === null
      ? "No candidate has a score yet."
      : `Best so far: ${percent(progress.best_score)} on the validation rows. ${
          status === "running"
            ? "The result is measured at the end, on unseen rows."
            : "Nothing was measured on unseen rows."
        }`);
  return (
    <section aria-label="Result" className="mx-5 mb-3 rounded-lg border border-line bg-surface px-4 py-3">
      <p role="status" className="text-base font-semibold text-balance">
        {words}
      </p>
      {result && result.low != null && result.high != null && (
        <div className="flex items-center gap-3 pt-2">
          <Interval low={result.low} high={result.high} mean={result.difference ?? 0} open={open} />
          <span className="num text-xs text-ink-3">
            candidate {result.best} less the first prompt
            {result.p != null && `, p ${result.p < 0.001 ? "< 0.001" : `= ${result.p.toFixed(3)}`}`}
          </span>
        </div>
      )}
    </section>
  );
}

/** An interval of a difference around 0, which is in the middle. */
function Interval({ low, high, mean, open }: { low: number; high: number; mean: number; open: boolean }) {
  const reach = Math.max(0.01, Math.abs(low), Math.abs(high));
  const at = (share: number) => `${50 + (share / reach) * 48}%`;
  const look = open ? "bg-ink-3" : low > 0 ? "bg-good" : "bg-bad";
  return (
    <span aria-hidden="true" className="relative h-4 w-64 max-sm:w-40">
      <i className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
      <i
        className={`absolute top-[7px] h-0.5 ${look}`}
        style={{ left: at(low), right: `calc(100% - ${at(high)})` }}
      />
      <i
        className={`absolute top-1 -ml-1 size-2 rounded-full ${open ? "border border-ink-2 bg-surface" : look}`}
        style={{ left: at(mean) }}
      />
    </span>
  );
}
