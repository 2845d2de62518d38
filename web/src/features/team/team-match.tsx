/** A team's match: its questions from above, each with all the turns that it took. */
import "@/features/team/team.css";
import { useMemo } from "react";
import type { MatchProps } from "@/features/arena/mode-feature";
import { questionsOf } from "@/features/team/read-team";
import { TeamQuestion } from "@/features/team/team-question";

export function TeamMatch({ record, active, firstTurn }: MatchProps) {
  const questions = useMemo(() => questionsOf(record.turns), [record.turns]);
  return (
    <>
      {questions.map((turns, index) => (
        <TeamQuestion
          key={turns[0]?.id}
          match={record.match}
          turns={turns}
          firstTurn={firstTurn + record.turns.indexOf(turns[0] as (typeof turns)[number])}
          last={active && index === questions.length - 1}
        />
      ))}
    </>
  );
}
