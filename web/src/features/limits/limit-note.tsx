/** Below the composer, where a limit is near: what is left of it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Limit, myLimitsQuery } from "@/api/limits";
import { amountWords, waitText } from "@/features/limits/amounts";
import { cn } from "@/lib/cn";
import { currentSpace } from "@/lib/space";

export function LimitNote() {
  const { data } = useQuery({ ...myLimitsQuery, refetchInterval: 30_000 });
  const limit = nearest(data ?? [], currentSpace());
  if (!limit) return null;
  const when = limit.period === "day" ? "today" : "this month";
  return (
    <Link
      to="/settings"
      hash="limits"
      className={cn(
        "num -mt-1 self-end px-1 text-xs hover:underline",
        limit.left > 0 ? "text-ink-3" : "text-bad",
      )}
    >
      {limit.left > 0
        ? `${amountWords(limit.meter, limit.left)} left ${when}`
        : `Nothing left ${when}. Resets in ${waitText(limit.resets_at, Date.now())}.`}
    </Link>
  );
}

/** The limit with the least left of those that are near, and that a question here counts against. */
export function nearest(limits: readonly Limit[], space: string | null): Limit | undefined {
  const counts = ({ subject }: Limit) =>
    subject.kind === "workspace" ? subject.id === space : subject.kind !== "api_key";
  const share = ({ left, cap }: Limit) => (cap > 0 ? left / cap : 0);
  return limits
    .filter((limit) => limit.is_near && counts(limit))
    .reduce<Limit | undefined>((best, each) => (best && share(best) <= share(each) ? best : each), undefined);
}
