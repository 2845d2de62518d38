/** A consortium: its turns from above. */
import "@/features/consortium/consortium.css";
import type { MatchProps } from "@/features/arena/mode-feature";
import { ConsortiumTurn } from "@/features/consortium/consortium-turn";
import { LooksContext, useLooks } from "@/features/consortium/lit";

export function ConsortiumMatch({ record, active, firstTurn }: MatchProps) {
  const looks = useLooks();
  return (
    <LooksContext value={looks}>
      {record.turns.map((turn, index) => (
        <ConsortiumTurn
          key={turn.id}
          match={record.match}
          turn={turn}
          number={firstTurn + index}
          last={active && index === record.turns.length - 1}
        />
      ))}
    </LooksContext>
  );
}
