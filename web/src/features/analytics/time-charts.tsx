/** Charts over time: stacked bars of what adds up, lines of what does not. */

import { ChartFrame, Legend } from "@/features/analytics/chart-frame";
import type { Plot } from "@/features/analytics/plot";

export function StackedChart({ label, plot }: { label: string; plot: Plot }) {
  const totals = plot.times.map((_, at) =>
    plot.groups.reduce<number>((sum, group) => sum + (group.values[at] ?? 0), 0),
  );
  return (
    <>
      <ChartFrame label={label} plot={plot} top={Math.max(...totals, 0) * 1.05}>
        {({ x, y, slot, bottom }) =>
          plot.times.map((time, at) => {
            let below = 0;
            return plot.groups.map((group) => {
              const value = group.values[at] ?? 0;
              const high = y(below + value);
              const low = below === 0 ? bottom : y(below);
              below += value;
              return value > 0 ? (
                <rect
                  key={`${time} ${group.id}`}
                  x={x(at) + slot * 0.12}
                  width={Math.max(1, slot * 0.76)}
                  y={high}
                  height={Math.max(0.5, low - high - 0.75)}
                  fill={group.color}
                />
              ) : null;
            });
          })
        }
      </ChartFrame>
      <Legend plot={plot} sums />
    </>
  );
}

export function LinePlot({ label, plot }: { label: string; plot: Plot }) {
  const top = Math.max(0, ...plot.groups.flatMap((group) => group.values.map((value) => value ?? 0))) * 1.1;
  return (
    <>
      <ChartFrame label={label} plot={plot} top={top}>
        {({ x, y, slot }) =>
          plot.groups.map((group, index) => {
            const points = group.values.flatMap((value, at) =>
              value === null ? [] : [{ at, place: `${x(at) + slot / 2} ${y(value)}` }],
            );
            return (
              <g key={group.id}>
                <path
                  d={points.map(({ place }, nth) => `${nth === 0 ? "M" : "L"}${place}`).join("")}
                  fill="none"
                  stroke={group.color}
                  strokeWidth={2}
                  strokeLinejoin="round"
                  strokeDasharray={index > 0 ? "5 4" : undefined}
                />
                {points.length <= 12 &&
                  points.map(({ at }) => (
                    <circle
                      key={at}
                      cx={x(at) + slot / 2}
                      cy={y(group.values[at] ?? 0)}
                      r={2.5}
                      fill={group.color}
                    />
                  ))}
              </g>
            );
          })
        }
      </ChartFrame>
      <Legend plot={plot} sums={false} dashed />
    </>
  );
}

/** A line without axes, beside a figure. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const top = Math.max(...values.map((value) => value ?? 0));
  if (!(top > 0) || values.length < 2) return null;
  const points = values.map(
    (value, at) => `${(at * 64) / (values.length - 1)} ${22 - ((value ?? 0) / top) * 20}`,
  );
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 64 24"
      preserveAspectRatio="none"
      className="h-6 w-16 min-w-0 text-ink-3 max-sm:hidden"
    >
      <path
        d={`M${points.join("L")}`}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
