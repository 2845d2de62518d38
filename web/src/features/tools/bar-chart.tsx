/** Bars beside a table of few rows; the table says the same, so screen readers skip them. */
import type { Point } from "@/features/tools/query-result";
import { cn } from "@/lib/cn";

export function BarChart({ title, points }: { title: string; points: readonly Point[] }) {
  const least = Math.min(0, ...points.map(({ value }) => value));
  const most = Math.max(0, ...points.map(({ value }) => value));
  const width = most - least || 1;
  const strongest = Math.max(...points.map(({ value }) => Math.abs(value)));
  const percent = (value: number) => `${((value / width) * 100).toFixed(2)}%`;
  return (
    <figure
      aria-hidden="true"
      className="m-0 min-w-0 border-line px-3 py-2 text-xs max-lg:border-t lg:border-l"
    >
      <figcaption className="mb-1.5 truncate text-ink-2">{title}</figcaption>
      <div className="grid grid-cols-[minmax(0,auto)_1fr_auto] items-center gap-x-2 gap-y-1">
        {points.map(({ label, value }, at) => (
          <div key={`${label} ${String(at)}`} className="contents">
            <span className="max-w-32 truncate text-ink-2">{label}</span>
            <span className="relative h-3.5">
              <span
                className={cn(
                  "absolute inset-y-0 min-w-px rounded-xs",
                  Math.abs(value) === strongest ? "bg-accent" : "bg-ink-3",
                )}
                style={{
                  left: percent(Math.min(value, 0) - least),
                  width: percent(Math.abs(value)),
                }}
              />
            </span>
            <span className="num text-right text-ink-2">
              {value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 })}
            </span>
          </div>
        ))}
      </div>
    </figure>
  );
}
