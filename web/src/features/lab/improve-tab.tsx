/** The searches for a better prompt: one of them, or all; at the foot the plan of the next one. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RelativeTime } from "@/components/relative-time";
import { type Improvement, improvementsQuery } from "@/features/lab/improve-api";
import { ImprovePlan } from "@/features/lab/improve-plan";
import { ImproveView } from "@/features/lab/improve-view";
import type { PromptDetail } from "@/features/lab/lab-api";
import { StatusMark } from "@/features/lab/status-mark";
import { formatCost } from "@/lib/format";

const route = getRouteApi("/lab");

export function ImproveTab({ detail }: { detail: PromptDetail }) {
  const { improvement } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(improvementsQuery(detail.prompt.id));
  const open = (id: string | undefined) =>
    navigate({ search: (now: Record<string, unknown>) => ({ ...now, improvement: id }) as never });
  if (improvement) return <ImproveView key={improvement} id={improvement} onClose={() => open(undefined)} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        {data?.length === 0 && (
          <p className="max-w-xl text-sm text-ink-2">
            No searches yet. Improve lets a model rewrite this prompt: it reads which answers failed your
            checks, tries a better text, and keeps what scores higher. At the end the best text is measured
            once on rows that the search has never seen.
          </p>
        )}
        <ul aria-label="Improvements" className="flex max-w-4xl flex-col gap-2">
          {data?.map((each) => (
            <Item key={each.id} improvement={each} onOpen={() => open(each.id)} />
          ))}
        </ul>
      </div>
      <ImprovePlan detail={detail} onStarted={({ id }) => open(id)} />
    </div>
  );
}

function Item({ improvement, onOpen }: { improvement: Improvement; onOpen: () => void }) {
  const { plan, result, number, status, spent_usd, created_at } = improvement;
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line bg-surface px-3.5 py-2.5 text-left text-sm hover:border-line-strong"
      >
        <span className="font-medium">Improvement {number}</span>
        <StatusMark status={status} />
        <span className="min-w-0 text-ink-2">
          {result ? result.sentence : `v${plan.version} on ${plan.dataset_name}`}
        </span>
        <span className="flex-1" />
        <span className="num text-xs text-ink-3">{formatCost(spent_usd * 1e6)}</span>
        <span className="text-xs text-ink-3">
          <RelativeTime at={created_at} />
        </span>
      </button>
    </li>
  );
}
