/** All that happened about a question, in its order: what the timeline shows, as a picture, a list or a table. Pure. */

import { choicePlace, synthesisPlace, wordPlace } from "@/features/team/places";
import {
  type PersonSaid,
  type Round,
  type Statement,
  type Synthesis,
  stepsOf,
  type TeamView,
} from "@/features/team/read-team";

interface Place {
  /** Where it stands on the page. */
  place: string;
  /** Whose it is; null for the person. */
  seat: string | null;
  /** Null for what no round has heard. */
  round: number | null;
}

export type Happening = Place &
  (
    | { kind: "person"; said: PersonSaid }
    | { kind: "choice"; choice: NonNullable<Round["choice"]> }
    | { kind: "statement"; statement: Statement }
    | { kind: "synthesis"; synthesis: Synthesis }
  );

const wordOf = (said: PersonSaid, round: number | null): Happening => ({
  kind: "person",
  said,
  place: wordPlace(said.id),
  seat: null,
  round,
});

/** A round from moment to moment; what happens in one happens at once. */
export function momentsOf({ heard, choice, statements, synthesis, number: round }: Round): Happening[][] {
  const moments: Happening[][] = heard.map((said) => [wordOf(said, round)]);
  if (choice)
    moments.push([{ kind: "choice", choice, place: choicePlace(round), seat: choice.expert.seat, round }]);
  for (const step of stepsOf(statements))
    moments.push(
      step.map((statement) => ({
        kind: "statement",
        statement,
        place: statement.ref,
        seat: statement.expert.seat,
        round,
      })),
    );
  if (synthesis)
    moments.push([
      { kind: "synthesis", synthesis, place: synthesisPlace(round), seat: synthesis.expert.seat, round },
    ]);
  return moments;
}

export const waitingOf = (view: TeamView): Happening[] => view.waiting.map((said) => wordOf(said, null));

export const happeningsOf = (view: TeamView): Happening[] => [
  ...view.rounds.flatMap((round) => momentsOf(round).flat()),
  ...waitingOf(view),
];
