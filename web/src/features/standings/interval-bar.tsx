import type { Scale } from "@/lib/scale";

interface IntervalBarProps {
  rating: number;
  lower: number | null;
  upper: number | null;
  scale: Scale;
  color: string;
}

/** A mixed colour paints faster than a see-through one, and there are hundreds. */
const faint = (color: string) => `color-mix(in oklab, ${color} 45%, var(--surface))`;

const share = (part: number) => `${(part * 100).toFixed(2)}%`;

/** A rating and its interval on an axis that all rows share. Decoration: the figures stand beside it. */
export function IntervalBar({ rating, lower, upper, scale, color }: IntervalBarProps) {
  const from = scale.at(lower ?? rating);
  const to = scale.at(upper ?? rating);
  return (
    <div aria-hidden="true" className="relative h-3.5">
      <i className="absolute inset-x-0 top-[6.5px] h-px bg-line" />
      <i
        className="absolute top-[5px] h-1 min-w-1 rounded-full"
        style={{ left: share(from), width: share(to - from), background: faint(color) }}
      />
      <i
        className="absolute top-1 -ml-[3px] size-1.5 rounded-full"
        style={{ left: share(scale.at(rating)), background: color }}
      />
    </div>
  );
}
