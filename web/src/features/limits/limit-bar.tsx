/** The bar of a limit: what is spent, what running calls hold, what is left, and from where people are warned. */
import type { Limit } from "@/api/limits";
import { amountWords, widthsOf } from "@/features/limits/amounts";
import { cn } from "@/lib/cn";

/** Stripes for what is held: seen without colour too. */
const STRIPES =
  "bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_5px)] bg-clip-padding";

export function LimitBar({ limit }: { limit: Limit }) {
  const { spent, held, raised } = widthsOf(limit);
  const tone = limit.left === 0 ? "text-bad" : "text-accent";
  const words = `${amountWords(limit.meter, limit.spent)} spent and ${amountWords(limit.meter, limit.held)} held of ${amountWords(limit.meter, limit.cap)}`;
  return (
    <div
      role="img"
      aria-label={words}
      title={words}
      className={cn("relative h-2.5 min-w-0 rounded-xs bg-raised ring-1 ring-line ring-inset", tone)}
    >
      <div className="absolute inset-y-0 left-0 rounded-l-xs bg-current" style={{ width: `${spent}%` }} />
      <div className={cn("absolute inset-y-0", STRIPES)} style={{ left: `${spent}%`, width: `${held}%` }} />
      {raised > 0 && (
        <div
          className="absolute inset-y-0 right-0 rounded-r-xs border border-accent border-dashed"
          style={{ width: `${Math.min(raised, 100 - spent - held)}%` }}
        />
      )}
      <div
        className="absolute -inset-y-0.5 w-0.5 bg-ink"
        style={{ left: `calc(${limit.warn_percent}% - 1px)` }}
      />
    </div>
  );
}

/** What the parts of a bar mean. */
export const BarLegend = () => (
  <p aria-hidden="true" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
    <span className="flex items-center gap-1.5">
      <i className="h-2.5 w-3.5 rounded-xs bg-accent" />
      spent
    </span>
    <span className="flex items-center gap-1.5">
      <i className={cn("h-2.5 w-3.5 rounded-xs text-accent", STRIPES)} />
      held for running calls
    </span>
    <span className="flex items-center gap-1.5">
      <i className="h-2.5 w-3.5 rounded-xs bg-raised ring-1 ring-line ring-inset" />
      left
    </span>
    <span className="flex items-center gap-1.5">
      <i className="h-3 w-0.5 bg-ink" />
      warns here
    </span>
  </p>
);
