/** The arbiter's confidence over the rounds, against the threshold that ends them. */

import type { ReactNode } from "react";
import type { ConsortiumView } from "@/features/consortium/read-consortium";
import { formatConfidence, formatShare } from "@/features/consortium/words";
import { useWidth } from "@/lib/use-width";

const HEIGHT = 104;
const TOP = 18;
const BOTTOM = HEIGHT - 36;
const LEFT = 22;

interface Point {
  number: number;
  confidence: number | null;
  x: number;
  y: number;
}

export function ConfidenceLine({ view, aside }: { view: ConsortiumView; aside?: ReactNode }) {
  const [box, width] = useWidth();
  const judged = view.iterations.filter(({ judgement }) => judgement.verdict);
  const now = view.running ? view.iterations.at(-1) : undefined;
  const rounds = Math.max(view.most, view.iterations.length);
  // The threshold's label has a margin of its own, so that it can never meet a point.
  const right = width - 100;
  const values = judged.map(({ judgement }) => judgement.verdict?.confidence ?? view.threshold);
  const low = Math.max(0, Math.floor((Math.min(view.threshold, ...values) - 0.08) * 10) / 10);
  const x = (number: number) =>
    rounds === 1 ? (LEFT + right) / 2 : LEFT + ((number - 1) / (rounds - 1)) * (right - LEFT);
  const y = (value: number) => BOTTOM - ((value - low) / Math.max(0.05, 1 - low)) * (BOTTOM - TOP);
  const limit = y(view.threshold);
  const points: Point[] = judged.map(({ number, judgement }) => {
    const confidence = judgement.verdict?.confidence ?? null;
    return { number, confidence, x: x(number), y: confidence === null ? BOTTOM : y(confidence) };
  });
  const summary = judged
    .map(({ number, judgement }) => `round ${number}: ${formatConfidence(judgement.verdict?.confidence)}`)
    .join(", ");
  return (
    <div
      role="group"
      aria-label="Arbiter confidence"
      className="min-w-0 rounded-lg border border-line bg-surface px-4 pt-3 pb-1"
    >
      <div className="flex items-start justify-between gap-2">
        <h3 className="truncate text-sm text-ink-3">Arbiter confidence vs. threshold</h3>
        {aside}
      </div>
      <div ref={box} className="min-w-0">
        {width > 0 && (
          <svg
            role="img"
            aria-label={`Arbiter confidence, threshold ${formatShare(view.threshold)}. ${summary || "No rounds judged yet"}`}
            width={width}
            height={HEIGHT}
            className="num block text-2xs"
          >
            <line
              x1={LEFT - 12}
              x2={right + 10}
              y1={limit}
              y2={limit}
              stroke="var(--ink-3)"
              strokeDasharray="4 4"
            />
            <text x={right + 16} y={limit + 4} fill="var(--ink-2)">
              threshold {formatShare(view.threshold)}
            </text>
            {Array.from({ length: rounds }, (_, index) => index + 1).map((number) => (
              <text
                key={number}
                x={x(number)}
                y={HEIGHT - 4}
                textAnchor="middle"
                fill={number > view.iterations.length ? "var(--line-strong)" : "var(--ink-3)"}
              >
                {number === 1 ? "round 1" : number}
              </text>
            ))}
            <Line points={points} />
            {now && !now.judgement.verdict && (
              <line
                x1={x(now.number)}
                x2={x(now.number)}
                y1={TOP}
                y2={BOTTOM + 14}
                stroke="var(--accent)"
                strokeDasharray="2 3"
              />
            )}
            {points.map((point) => (
              <Value key={point.number} point={point} threshold={view.threshold} />
            ))}
          </svg>
        )}
      </div>
    </div>
  );
}

function Line({ points }: { points: readonly Point[] }) {
  const given = points.filter((point) => point.confidence !== null);
  return (
    <polyline
      points={given.map((point) => `${point.x},${point.y}`).join(" ")}
      fill="none"
      stroke="var(--accent)"
      strokeWidth={2}
    />
  );
}

/** The value stands on the side of its point that is away from the threshold. */
function Value({ point, threshold }: { point: Point; threshold: number }) {
  const given = point.confidence !== null;
  const above = given && (point.confidence ?? 0) >= threshold;
  return (
    <g>
      <circle
        cx={point.x}
        cy={point.y}
        r={4}
        fill={given ? "var(--accent)" : "var(--surface)"}
        stroke={given ? "var(--accent)" : "var(--ink-3)"}
        strokeDasharray={given ? undefined : "2 2"}
      />
      <text
        x={point.x}
        y={above ? point.y - 8 : point.y + 16}
        textAnchor="middle"
        fill="var(--ink)"
        stroke="var(--surface)"
        strokeWidth={3}
        paintOrder="stroke"
      >
        {formatConfidence(point.confidence, threshold)}
      </text>
    </g>
  );
}
