/** The axis that all rows share: its ticks in the head, each row's interval on it, and the leader's through all rows. */

import type { CSSProperties } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { type Scale, ticks } from "@/lib/scale";

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

const TICKS = 5;

/** A label nearer to an end of the axis would stand over the next column. */
const EDGE = 0.05;

/** What is behind every row: a line per tick, and the leader's interval. As a background it costs no element. */
export function axisGround(scale: Scale, leader: LeaderboardLine | undefined): CSSProperties {
  const layers = ticks(scale, TICKS).map(
    (tick) => `linear-gradient(var(--line), var(--line)) ${percent(scale.at(tick))} 0 / 1px 100% no-repeat`,
  );
  if (leader && leader.ci_lower !== null && leader.ci_upper !== null) {
    const from = scale.at(leader.ci_lower);
    const width = scale.at(leader.ci_upper) - from;
    const at = width < 1 ? from / (1 - width) : 0;
    layers.push(`linear-gradient(${LEADER}, ${LEADER}) ${percent(at)} 0 / ${percent(width)} 100% no-repeat`);
  }
  return { background: layers.join(", ") };
}

export const LEADER = "color-mix(in oklab, var(--accent) 16%, transparent)";

export function AxisTicks({ scale }: { scale: Scale }) {
  return (
    <span aria-hidden="true" className="num absolute inset-0 text-2xs text-ink-3">
      {ticks(scale, TICKS)
        .map((tick) => ({ tick, at: scale.at(tick) }))
        .filter(({ at }) => at > EDGE && at < 1 - EDGE)
        .map(({ tick, at }) => (
          <span
            key={tick}
            className="absolute top-1/2 -translate-1/2 @max-4xl:even:hidden"
            style={{ left: percent(at) }}
          >
            {tick}
          </span>
        ))}
    </span>
  );
}

interface OnAxisProps {
  line: Pick<LeaderboardLine, "rating" | "ci_lower" | "ci_upper">;
  scale: Scale;
  color: string;
}

/** An interval and its score; decoration, since the figures stand beside it. */
export function OnAxis({ line, scale, color }: OnAxisProps) {
  const from = scale.at(line.ci_lower ?? line.rating);
  const to = scale.at(line.ci_upper ?? line.rating);
  return (
    <>
      <i
        className="absolute top-1/2 h-2 min-w-1 -translate-y-1/2 rounded-[3px]"
        style={{
          left: percent(from),
          width: percent(to - from),
          background: `color-mix(in oklab, ${color} 42%, var(--surface))`,
        }}
      />
      <i
        className="absolute top-1/2 h-4 w-1 -translate-1/2 rounded-[3px]"
        style={{ left: percent(scale.at(line.rating)), background: color }}
      />
    </>
  );
}
