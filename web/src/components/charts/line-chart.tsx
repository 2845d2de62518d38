/** Lines over time with their names at their ends; pointing at a time tells every line's value then. */

import { useMemo, useState } from "react";
import { LINE_HEIGHT, linesOf, nameWidth } from "@/components/charts/label-lines";
import { type Along, type ChartSeries, layOut, nearestAt, spread, valueAt } from "@/components/charts/layout";
import { counted } from "@/lib/format";
import { exactTime } from "@/lib/time";
import { useWidth } from "@/lib/use-width";

interface LineChartProps {
  label: string;
  series: readonly ChartSeries[];
  height?: number;
  along?: Along;
  format: (value: number) => string;
}

export function LineChart({ label, series, height = 340, along = "time", format }: LineChartProps) {
  const [box, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const named = width >= 620 && series.some((each) => each.label !== "");
  const right = useMemo(
    () =>
      nameWidth(
        series.map((each) => each.label),
        width,
      ),
    [series, width],
  );
  const names = useMemo(() => series.map((each) => linesOf(each.label, right)), [series, right]);
  const gap = LINE_HEIGHT * Math.max(1, ...names.map((lines) => lines.length)) + 1;
  const frame = useMemo(
    () => layOut(series, width, height, named ? right : 12, along),
    [series, width, height, named, right, along],
  );
  const ends = useMemo(
    () =>
      spread(
        series.map((each) => frame.y(each.points.at(-1)?.y ?? 0)),
        gap,
        8,
        height - 28,
      ),
    [series, frame, height, gap],
  );
  const time = at === null ? null : nearestAt(series, frame.timeAt(at));
  return (
    <div ref={box} className="relative min-w-0">
      {width > 0 && (
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={height}
          className="num block overflow-visible text-2xs"
          onPointerMove={(event) => setAt(event.clientX - event.currentTarget.getBoundingClientRect().left)}
          onPointerLeave={() => setAt(null)}
        >
          {frame.yTicks.map((tick) => (
            <g key={tick}>
              <line
                x1={frame.left}
                x2={frame.right}
                y1={frame.y(tick)}
                y2={frame.y(tick)}
                stroke="var(--line)"
              />
              <text x={frame.left - 8} y={frame.y(tick) + 4} textAnchor="end" fill="var(--ink-3)">
                {format(tick)}
              </text>
            </g>
          ))}
          {along === "votes" && (
            <text x={frame.right} y={height - 20} textAnchor="end" fill="var(--ink-3)">
              votes per model
            </text>
          )}
          {frame.xTicks.map((tick) => (
            <text key={tick} x={frame.x(tick)} y={height - 6} textAnchor="middle" fill="var(--ink-3)">
              {frame.timeLabel(tick)}
            </text>
          ))}
          {series.map((each, index) => (
            <g key={each.id}>
              <path
                d={frame.path(each)}
                fill="none"
                stroke={each.color}
                strokeWidth={2}
                strokeLinejoin="round"
                strokeLinecap="round"
                strokeDasharray={each.dashed ? "5 4" : undefined}
              />
              {each.points.length === 1 && (
                <circle
                  cx={frame.x(each.points[0]?.x ?? 0)}
                  cy={frame.y(each.points[0]?.y ?? 0)}
                  r={3.5}
                  fill={each.color}
                />
              )}
              {named && (
                <>
                  <path
                    d={`M${frame.x(each.points.at(-1)?.x ?? 0) + 3} ${frame.y(each.points.at(-1)?.y ?? 0)}L${frame.right + 3} ${frame.y(each.points.at(-1)?.y ?? 0)}`}
                    stroke={each.color}
                    strokeDasharray="1 3"
                    fill="none"
                  />
                  <path
                    d={`M${frame.right + 3} ${frame.y(each.points.at(-1)?.y ?? 0)}L${frame.right + 12} ${ends[index]}`}
                    stroke={each.color}
                    fill="none"
                  />
                  <text
                    x={frame.right + 16}
                    y={(ends[index] ?? 0) + 4}
                    fill="var(--ink-2)"
                    className="normal-nums"
                  >
                    {names[index]?.map((line, place, { length }) => (
                      <tspan
                        key={line}
                        x={frame.right + 16}
                        dy={place === 0 ? (-(length - 1) * LINE_HEIGHT) / 2 : LINE_HEIGHT}
                      >
                        {line}
                      </tspan>
                    ))}
                  </text>
                </>
              )}
            </g>
          ))}
          {time !== null && (
            <line
              x1={frame.x(time)}
              x2={frame.x(time)}
              y1={frame.top}
              y2={frame.bottom}
              stroke="var(--line-strong)"
            />
          )}
          {time !== null &&
            series.map((each) => {
              const value = valueAt(each, time);
              return (
                value !== null && (
                  <circle
                    key={each.id}
                    cx={frame.x(time)}
                    cy={frame.y(value)}
                    r={3.5}
                    fill={each.color}
                    stroke="var(--surface)"
                    strokeWidth={1.5}
                  />
                )
              );
            })}
        </svg>
      )}
      {time !== null && (
        <Told
          at={along === "votes" ? counted(time, "vote") : exactTime(new Date(time).toISOString())}
          time={time}
          series={series}
          format={format}
          style={
            frame.x(time) > width / 2 ? { right: width - frame.x(time) + 12 } : { left: frame.x(time) + 12 }
          }
        />
      )}
    </div>
  );
}

interface ReadoutProps {
  /** In words. */
  at: string;
  time: number;
  series: readonly ChartSeries[];
  format: (value: number) => string;
  style: { left?: number; right?: number };
}

function Told({ at, time, series, format, style }: ReadoutProps) {
  const values = series
    .map((each) => ({ ...each, value: valueAt(each, time) }))
    .filter((each) => each.value !== null)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  return (
    <div
      aria-hidden="true"
      className="num pointer-events-none absolute top-2 z-10 rounded-md border border-line-strong bg-raised px-3 py-2 text-xs shadow-lift"
      style={style}
    >
      <p className="pb-1 whitespace-nowrap text-ink-3">{at}</p>
      {values.map((each) => (
        <p key={each.id} className="flex items-center gap-2 whitespace-nowrap">
          <i className="size-2 rounded-full" style={{ background: each.color }} />
          <span className="flex-1 pr-3 text-ink-2 normal-nums">{each.label}</span>
          <b className="font-semibold">{format(each.value ?? 0)}</b>
        </p>
      ))}
    </div>
  );
}
