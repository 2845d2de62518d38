/** Scores with their intervals on one axis; one that goes beyond it has no cap there. Pointing at a model shades its interval over all the others. */

import { useMemo, useState } from "react";
import type { LeaderboardLine, Method } from "@/api/standings-types";
import { ModelName } from "@/features/standings/model-name";
import { cn } from "@/lib/cn";
import { counted, formatMargin, formatRating } from "@/lib/format";
import { type Scale, ticks } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";

interface ConfidencePlotProps {
  lines: readonly LeaderboardLine[];
  method: Method;
  scale: Scale;
}

const share = (part: number) => `${(part * 100).toFixed(2)}%`;
const ROW =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 max-sm:[&>:nth-child(2)]:order-last max-sm:[&>:nth-child(2)]:col-span-2 max-sm:[&>:nth-child(2)]:mx-2 max-sm:[&>:nth-child(2)]:h-5 sm:grid-cols-[220px_minmax(0,1fr)_auto]";

export function ConfidencePlot({ lines, method, scale }: ConfidencePlotProps) {
  const [held, setHeld] = useState<string | null>(null);
  const marks = useMemo(() => ticks(scale, 6), [scale]);
  const against = lines.find((line) => line.model.id === held) ?? null;
  return (
    <section
      aria-label="Scores with 95% intervals"
      className="overflow-clip rounded-lg border border-line bg-surface"
      onPointerLeave={() => setHeld(null)}
    >
      <div
        className={cn(
          ROW,
          "sticky top-0 z-10 min-h-9 border-b max-sm:pt-1.5 border-line bg-surface text-xs text-ink-3",
        )}
      >
        <span className="truncate">
          {against ? overlapText(against, lines) : method === "elo" ? "Elo has no intervals" : "Model"}
        </span>
        <Axis scale={scale} marks={marks} />
        <span className="w-24 pr-10 text-right">Score</span>
      </div>
      <ol className="py-1.5">
        {lines.map((line) => {
          const clear = against !== null && apart(line, against);
          return (
            <li
              key={line.model.id}
              className={cn(ROW, "hover:bg-raised/60 max-sm:py-1 sm:h-8", clear && "text-ink-3")}
              onPointerEnter={() => setHeld(line.model.id)}
              onFocus={() => setHeld(line.model.id)}
              onBlur={() => setHeld(null)}
            >
              <ModelName model={line.model} className={cn("text-sm", clear && "opacity-70")} />
              <Whisker line={line} scale={scale} marks={marks} against={against} />
              <span className="num w-24 text-right text-sm whitespace-nowrap">
                <b className="font-semibold">{formatRating(line.rating)}</b>{" "}
                <span className="inline-block w-10 text-left text-ink-3">
                  {formatMargin(line.ci_lower, line.ci_upper)}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Axis({ scale, marks }: { scale: Scale; marks: readonly number[] }) {
  return (
    <span aria-hidden="true" className="num relative h-full">
      {marks.map((mark) => (
        <span key={mark} className="absolute top-1/2 -translate-1/2" style={{ left: share(scale.at(mark)) }}>
          {mark}
        </span>
      ))}
    </span>
  );
}

interface WhiskerProps {
  line: LeaderboardLine;
  scale: Scale;
  marks: readonly number[];
  against: LeaderboardLine | null;
}

function Whisker({ line, scale, marks, against }: WhiskerProps) {
  const color = colorOfModel(line.model);
  const [from, to] = [scale.at(line.ci_lower ?? line.rating), scale.at(line.ci_upper ?? line.rating)];
  return (
    <span aria-hidden="true" className="relative h-full">
      {marks.map((mark) => (
        <i
          key={mark}
          className="absolute inset-y-0 w-px bg-line/70"
          style={{ left: share(scale.at(mark)) }}
        />
      ))}
      {against && against.ci_lower !== null && against.ci_upper !== null && (
        <i
          className="absolute inset-y-0 bg-accent/12"
          style={{
            left: share(scale.at(against.ci_lower)),
            width: share(scale.at(against.ci_upper) - scale.at(against.ci_lower)),
          }}
        />
      )}
      <i
        className="absolute top-1/2 h-[3px] -translate-y-1/2 rounded-full opacity-60"
        style={{ left: share(from), width: share(to - from), background: color }}
      />
      {[line.ci_lower, line.ci_upper]
        .filter((end) => end !== null && end >= scale.min && end <= scale.max)
        .map((end) => (
          <i
            key={end}
            className="absolute top-1/2 -ml-px h-2.5 w-0.5 -translate-y-1/2 rounded-full opacity-60"
            style={{ left: share(scale.at(end ?? line.rating)), background: color }}
          />
        ))}
      <i
        className="absolute top-1/2 size-[9px] -translate-1/2 rounded-full ring-2 ring-surface"
        style={{ left: share(scale.at(line.rating)), background: color }}
      />
    </span>
  );
}

/** Whether two intervals have no point in common. */
const apart = (a: LeaderboardLine, b: LeaderboardLine) =>
  a.ci_lower !== null &&
  a.ci_upper !== null &&
  b.ci_lower !== null &&
  b.ci_upper !== null &&
  (a.ci_lower > b.ci_upper || b.ci_lower > a.ci_upper);

function overlapText(line: LeaderboardLine, lines: readonly LeaderboardLine[]): string {
  const near = lines.filter((each) => each !== line && !apart(each, line)).length;
  return near === 0 ? "No overlap" : `Overlaps ${counted(near, "other")}`;
}
