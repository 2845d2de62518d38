/** The runs of a prompt: one of them, or all; at the foot the plan of the next one. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RelativeTime } from "@/components/relative-time";
import { type PromptDetail, type Run, runsQuery } from "@/features/lab/lab-api";
import { NO_CELL } from "@/features/lab/lab-search";
import { PlanBar } from "@/features/lab/plan-bar";
import { RunView } from "@/features/lab/run-view";
import { StatusMark } from "@/features/lab/status-mark";
import { formatCost, formatCount } from "@/lib/format";

const route = getRouteApi("/lab");

export function RunsTab({ detail }: { detail: PromptDetail }) {
  const { run } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: runs } = useQuery(runsQuery(detail.prompt.id));
  const open = (id: string | undefined) =>
    navigate({ search: (now: Record<string, unknown>) => ({ ...now, run: id, ...NO_CELL }) as never });
  if (run) return <RunView key={run} id={run} detail={detail} onClose={() => open(undefined)} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        {runs?.length === 0 && (
          <p className="max-w-xl text-sm text-ink-2">
            No runs yet. A run asks each chosen model with each version for every row, and checks the answers.
            Choose models and rows below, then start it.
          </p>
        )}
        <ul aria-label="Runs" className="flex max-w-4xl flex-col gap-2">
          {runs?.map((each) => (
            <RunItem key={each.id} run={each} onOpen={() => open(each.id)} />
          ))}
        </ul>
      </div>
      <PlanBar detail={detail} onStarted={(started) => open(started.id)} />
    </div>
  );
}

function RunItem({ run, onOpen }: { run: Run; onOpen: () => void }) {
  const { plan, progress } = run;
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line bg-surface px-3.5 py-2.5 text-left text-sm hover:border-line-strong"
      >
        <span className="font-medium">Run {run.number}</span>
        <StatusMark status={run.status} />
        <span className="text-ink-2">
          {plan.versions.map((version) => `v${version}`).join(", ")} × {plan.models.length}{" "}
          {plan.models.length === 1 ? "model" : "models"} on {plan.dataset_name}
        </span>
        <span className="flex-1" />
        <span className="num text-xs text-ink-3">
          {formatCount(progress.completed)} of {formatCount(progress.cells)}
          {progress.failed > 0 && `, ${progress.failed} failed`} · {formatCost(run.spent_usd * 1e6)}
        </span>
        <span className="text-xs text-ink-3">
          <RelativeTime at={run.created_at} />
        </span>
      </button>
    </li>
  );
}
