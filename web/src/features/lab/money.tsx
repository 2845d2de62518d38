/** What an experiment has spent and holds, against its cap. */

import { formatCost } from "@/lib/format";

interface MoneyProps {
  of: { spent_usd: number; cap_usd: number | null; progress: { held_usd: number } };
}

export function Money({ of: { spent_usd, cap_usd, progress } }: MoneyProps) {
  if (cap_usd === null)
    return (
      <p className="num text-xs text-ink-2">
        <strong className="font-medium text-ink">{formatCost(spent_usd * 1e6)} spent</strong>
        {progress.held_usd > 0 && `, ${formatCost(progress.held_usd * 1e6)} held`}
        <span className="text-ink-3"> · no cap</span>
      </p>
    );
  const width = (usd: number) => `${Math.min(100, (usd / cap_usd) * 100)}%`;
  return (
    <div className="w-56">
      <p className="num flex gap-x-3 pb-1.5 text-xs text-ink-2">
        <strong className="font-medium text-ink">{formatCost(spent_usd * 1e6)} spent</strong>
        {progress.held_usd > 0 && <span>{formatCost(progress.held_usd * 1e6)} held</span>}
        <span className="flex-1" />
        <span>cap {formatCost(cap_usd * 1e6)}</span>
      </p>
      <div aria-hidden="true" className="flex h-1.5 overflow-clip rounded-full bg-raised">
        <i className="bg-ink-2" style={{ width: width(spent_usd) }} />
        <i className="border border-dashed border-ink-3" style={{ width: width(progress.held_usd) }} />
      </div>
    </div>
  );
}
