/** Lines over time with their names at their ends; pointing at a time tells every line's value then. */
import { useMemo, useState } from "react";
import { type ChartSeries, layOut, nearestAt, spread, valueAt } from "@/components/charts/lay-out";
import { useWidth } from "@/components/charts/use-width";
import { exactTime } from "@/lib/time";

interface LineChartProps {
  label: string;
  series: readonly ChartSeries[];
  height?: number;
  format: (value: number) => string;
}

const GAP = 14;

export function LineChart({ label, series, height = 340, format }: LineChartProps) {
  const [box, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const named = width >= 620 && series.some((each) => each.label !== "");
  const frame = useMemo(
    () => layOut(series, width, height, named ? 150 : 12),
    [series, width, height, named],
  );
  const ends = useMemo(
    () =>
      spread(
        series.map((each) => frame.y(each.points.at(-1)?.y ?? 0)),
        GAP,
        8,
        height - 28,
      ),
    [series, frame, height],
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
                    {short(each.label)}
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

const short = (name: string) => (name.length > 22 ? `${name.slice(0, 21)}…` : name);

interface ToldProps {
  time: number;
  series: readonly ChartSeries[];
  format: (value: number) => string;
  style: { left?: number; right?: number };
}

function Told({ time, series, format, style }: ToldProps) {
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
      <p className="pb-1 whitespace-nowrap text-ink-3">{exactTime(new Date(time).toISOString())}</p>
      {values.map((each) => (
        <p key={each.id} className="flex items-center gap-2 whitespace-nowrap">
          <i className="size-2 rounded-full" style={{ background: each.color }} />
          <span className="flex-1 pr-3 text-ink-2 normal-nums">{short(each.label)}</span>
          <b className="font-semibold">{format(each.value ?? 0)}</b>
        </p>
      ))}
    </div>
  );
}
