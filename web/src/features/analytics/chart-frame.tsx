/** The frame of a chart over time: lines for round values, days below, and a readout where the pointer is. */

import { type ReactNode, useState } from "react";
import { type Plot, sumOf } from "@/features/analytics/plot";
import { formatPeriod, formatValue } from "@/features/analytics/words";
import { scaleFrom, ticks } from "@/lib/scale";
import { useWidth } from "@/lib/use-width";

export const HEIGHT = 190;
const LEFT = 52;
const BOTTOM = 22;
const TOP = 8;

export interface Place {
  /** The left end of a time's slot, and its width. */
  x: (at: number) => number;
  slot: number;
  y: (value: number) => number;
  bottom: number;
}

interface ChartFrameProps {
  label: string;
  plot: Plot;
  top: number;
  children: (place: Place) => ReactNode;
}

export function ChartFrame({ label, plot, top, children }: ChartFrameProps) {
  const [box, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const { times, unit, period } = plot;
  const scale = scaleFrom(0, top > 0 ? top : 1);
  const bottom = HEIGHT - BOTTOM;
  const slot = Math.max(1, width - LEFT) / Math.max(1, times.length);
  const place: Place = {
    x: (index) => LEFT + index * slot,
    slot,
    y: (value) => bottom - scale.at(value) * (bottom - TOP),
    bottom,
  };
  const shown = period === "hour" ? 3 : 4;
  const labels = [
    ...new Set(Array.from({ length: shown }, (_, n) => Math.round((n * (times.length - 1)) / (shown - 1)))),
  ];
  return (
    <div ref={box} className="relative min-w-0">
      {width > 0 && (
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={HEIGHT}
          className="num block overflow-visible text-2xs"
          onPointerMove={(event) => {
            const left = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
            const index = Math.floor(left / slot);
            setAt(index >= 0 && index < times.length ? index : null);
          }}
          onPointerLeave={() => setAt(null)}
        >
          {ticks(scale, 3).map((tick) => (
            <g key={tick}>
              <line x1={LEFT} x2={width} y1={place.y(tick)} y2={place.y(tick)} stroke="var(--line)" />
              <text x={LEFT - 8} y={place.y(tick) + 4} textAnchor="end" fill="var(--ink-3)">
                {formatValue(tick, unit)}
              </text>
            </g>
          ))}
          {labels.map((index) => (
            <text
              key={index}
              x={index === labels.at(-1) ? width : place.x(index) + (index === 0 ? 0 : slot / 2)}
              y={HEIGHT - 4}
              textAnchor={index === 0 ? "start" : index === labels.at(-1) ? "end" : "middle"}
              fill="var(--ink-3)"
            >
              {formatPeriod(times[index] ?? "", period)}
            </text>
          ))}
          {at !== null && (
            <rect x={place.x(at)} y={TOP} width={slot} height={bottom - TOP} fill="var(--raised)" />
          )}
          {children(place)}
        </svg>
      )}
      {at !== null && <Readout plot={plot} at={at} right={at > times.length / 2} />}
    </div>
  );
}

function Readout({ plot, at, right }: { plot: Plot; at: number; right: boolean }) {
  const groups = plot.groups.filter((group) => group.values[at] !== null);
  return (
    <div
      aria-hidden="true"
      className="num pointer-events-none absolute top-1 z-10 rounded-md border border-line-strong bg-raised px-3 py-2 text-xs shadow-lift"
      style={right ? { left: LEFT + 6 } : { right: 6 }}
    >
      <p className="pb-1 whitespace-nowrap text-ink-3">{formatPeriod(plot.times[at] ?? "", plot.period)}</p>
      {groups.length === 0 && <p className="text-ink-2">Nothing</p>}
      {groups.map((group) => (
        <p key={group.id} className="flex items-center gap-2 whitespace-nowrap">
          <i className="size-2 rounded-full" style={{ background: group.color }} />
          <span className="flex-1 pr-3 text-ink-2 normal-nums">{group.label}</span>
          <b className="font-semibold">{formatValue(group.values[at], plot.unit)}</b>
        </p>
      ))}
    </div>
  );
}

/** The groups with their colours, and what each sums up to where that says something. */
export function Legend({ plot, sums, dashed = false }: { plot: Plot; sums: boolean; dashed?: boolean }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 pt-2.5 text-xs text-ink-2">
      {plot.groups.map((group, index) => (
        <li key={group.id} className="flex items-center gap-1.5">
          <svg aria-hidden="true" width={14} height={8}>
            {dashed ? (
              <line
                x1={0}
                x2={14}
                y1={4}
                y2={4}
                stroke={group.color}
                strokeWidth={2}
                strokeDasharray={index > 0 ? "4 3" : undefined}
              />
            ) : (
              <rect x={3} width={8} height={8} rx={2} fill={group.color} />
            )}
          </svg>
          {group.label}
          {sums && <span className="num">{formatValue(sumOf(group), plot.unit)}</span>}
        </li>
      ))}
    </ul>
  );
}
