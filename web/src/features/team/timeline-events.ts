/** All that happened about a question, in its order: what the timeline shows, as a picture, a list or a table. Pure. */

import { interjectionAnchor, synthesisAnchor } from "@/features/rounds/anchors";
import {
  type PersonSaid,
  type Round,
  type Statement,
  type Synthesis,
  stepsOf,
  type TeamView,
} from "@/features/team/read-team";

interface Anchored {
  /** Where it stands on the page. */
  anchor: string;
  /** Whose it is; null for the person. */
  seat: string | null;
  /** Null for what no round has heard. */
  round: number | null;
}

export type TimelineEvent = Anchored &
  (
    | { kind: "person"; said: PersonSaid }
    | { kind: "choice"; choice: NonNullable<Round["choice"]> }
    | { kind: "statement"; statement: Statement }
    | { kind: "synthesis"; synthesis: Synthesis }
  );

/** Where a moderator’s choice stands. */
export const choiceAnchor = (number: number) => `choice-${number}`;

const wordOf = (said: PersonSaid, round: number | null): TimelineEvent => ({
  kind: "person",
  said,
  anchor: interjectionAnchor(said.id),
  seat: null,
  round,
});

/** A round from moment to moment; what happens in one happens at once. */
export function momentsOf({ heard, choice, statements, synthesis, number: round }: Round): TimelineEvent[][] {
  const moments: TimelineEvent[][] = heard.map((said) => [wordOf(said, round)]);
  if (choice)
    moments.push([{ kind: "choice", choice, anchor: choiceAnchor(round), seat: choice.expert.seat, round }]);
  for (const step of stepsOf(statements))
    moments.push(
      step.map((statement) => ({
        kind: "statement",
        statement,
        anchor: statement.ref,
        seat: statement.expert.seat,
        round,
      })),
    );
  if (synthesis)
    moments.push([
      { kind: "synthesis", synthesis, anchor: synthesisAnchor(round), seat: synthesis.expert.seat, round },
    ]);
  return moments;
}

export const waitingOf = (view: TeamView): TimelineEvent[] => view.waiting.map((said) => wordOf(said, null));

export const eventsOf = (view: TeamView): TimelineEvent[] => [
  ...view.rounds.flatMap((round) => momentsOf(round).flat()),
  ...waitingOf(view),
];
