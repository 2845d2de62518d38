/** Where everything stands on a team's timeline: a row for each expert and the person, time from left to right. Pure. */

import type { How } from "@/features/team/notes";
import type { Expert, Round, TeamView } from "@/features/team/read-team";
import { momentsOf, type TimelineEvent, waitingOf } from "@/features/team/timeline-events";

export const LABELS = 148;
const ROW = 36;
const HEAD = 26;
const LEAST_STEP = 64;
const MOST_STEP = 190;
/** What the person says takes less room than what experts do. */
const SHORT = 0.5;

export interface Mark {
  event: TimelineEvent;
  x: number;
  y: number;
}

export interface Arrow {
  from: Mark;
  to: Mark;
  how: How;
}

export interface Timeline {
  width: number;
  height: number;
  /** The person's row has no expert. */
  rows: { expert: Expert | null; y: number }[];
  bands: { round: Round; left: number; right: number }[];
  marks: Mark[];
  arrows: Arrow[];
}

export function layTimeline(view: TeamView, width: number): Timeline {
  const rounds = view.rounds.map((round) => ({ round, moments: momentsOf(round) }));
  const late = waitingOf(view).map((event) => [event]);
  const all = [...rounds.flatMap(({ moments }) => moments), ...late];
  const interrupted = all.some((moment) => moment.some(({ seat }) => seat === null));
  const rows = [...(interrupted ? [null] : []), ...view.experts].map((expert, index) => ({
    expert,
    y: HEAD + ROW * (index + 0.5),
  }));
  const starts = [0];
  let whole = 0;
  for (const moment of all) {
    whole += moment[0]?.kind === "person" ? SHORT : 1;
    starts.push(whole);
  }
  const step = Math.min(MOST_STEP, Math.max(LEAST_STEP, (width - LABELS) / Math.max(1, whole)));
  const xOf = (moment: number) => LABELS + (starts[moment] ?? 0) * step;
  const marks = all.flatMap((moment, index) =>
    moment.map((event) => ({
      event,
      x: (xOf(index) + xOf(index + 1)) / 2,
      y: rows.find(({ expert }) => (expert?.seat ?? null) === event.seat)?.y ?? HEAD,
    })),
  );
  let begun = 0;
  const bands = rounds.map(({ round, moments }) => {
    const left = xOf(begun);
    begun += moments.length;
    return { round, left, right: xOf(begun) };
  });
  return {
    width: Math.max(xOf(all.length), width),
    height: HEAD + ROW * rows.length + 4,
    rows,
    bands,
    marks,
    arrows: arrowsOf(marks),
  };
}

function arrowsOf(marks: readonly Mark[]): Arrow[] {
  const places = new Map(marks.map((mark) => [mark.event.anchor, mark]));
  return marks.flatMap((from) => {
    const { event } = from;
    const answers = (event.kind === "statement" && event.statement.said?.answers) || [];
    return answers.flatMap(({ ref, how }) => {
      const to = places.get(ref);
      return to ? [{ from, to, how }] : [];
    });
  });
}

/** A curve from an answer back to what it answers; `radius` is how far marks reach to the side. */
export function curveOf({ from, to }: Arrow, radius: number): string {
  const [start, end] = [from.x - radius, to.x + radius];
  const bend = Math.max(18, (start - end) / 2);
  return `M${start},${from.y} C${start - bend},${from.y} ${end + bend},${to.y} ${end},${to.y}`;
}
