/** How the evidence about a voter came to be: a small line, with the level of a flag. */

import type { EvidencePoint } from "@/api/standings-types";
import { formatOdds } from "@/features/standings/voter";
import { counted } from "@/lib/format";

const courseText = (votes: string, begin: string, end: string, from: string, to: string) =>
  `Evidence over ${votes}, ${begin} to ${end}: from ${from}, now ${to}. The dashed line is 100 to 1.`;

const WIDTH = 112;
const HEIGHT = 30;
const PAD = 3;
/** Powers of ten: a flag's level, and what is always in view around it. */
const FLAGGED = 2;
const LOWEST = -2;
const LEAST_HIGHEST = 3;

/** Evidence as odds; the power of ten comes from the server. */
const oddsOf = (evidence: number): string => (evidence < 0 ? "none" : `${formatOdds(10 ** evidence)} to 1`);

export function Sparkline({ course, pending }: { course: readonly EvidencePoint[]; pending: boolean }) {
  const known = course.flatMap((point) =>
    point.evidence === null ? [] : [{ ...point, evidence: point.evidence }],
  );
  const [first, last] = [known[0], known.at(-1)];
  if (pending) return <span className="text-xs text-ink-3">computing…</span>;
  if (!first || !last) {
    return (
      <span
        className="text-xs text-ink-3"
        title="Evidence needs ten distinct prompts on models that others have ranked."
      >
        too few prompts
      </span>
    );
  }
  const highest = Math.max(LEAST_HIGHEST, ...known.map((point) => point.evidence));
  const x = (votes: number) => PAD + (votes / last.votes) * (WIDTH - 2 * PAD);
  const y = (evidence: number) =>
    PAD + ((highest - Math.max(LOWEST, evidence)) / (highest - LOWEST)) * (HEIGHT - 2 * PAD);
  const high = last.evidence > FLAGGED;
  const color = high ? "var(--bad)" : "var(--ink-2)";
  return (
    <span className="inline-flex items-center gap-2">
      <svg
        role="img"
        aria-label={courseText(
          counted(last.votes, "vote"),
          day(first.at),
          day(last.at),
          oddsOf(first.evidence),
          oddsOf(last.evidence),
        )}
        width={WIDTH}
        height={HEIGHT}
        className="shrink-0"
      >
        <line
          x1={PAD}
          x2={WIDTH - PAD}
          y1={y(FLAGGED)}
          y2={y(FLAGGED)}
          stroke="var(--line-strong)"
          strokeDasharray="3 3"
        />
        <polyline
          fill="none"
          stroke={color}
          strokeWidth={1.5}
          strokeLinejoin="round"
          points={known.map((point) => `${x(point.votes)},${y(point.evidence)}`).join(" ")}
        />
        <circle cx={x(last.votes)} cy={y(last.evidence)} r={2} fill={color} />
      </svg>
      <span className="num text-xs whitespace-nowrap text-ink-2">{oddsOf(last.evidence)}</span>
    </span>
  );
}

const day = (moment: string) => new Date(moment).toLocaleDateString("en-US", { dateStyle: "medium" });
