/** A match of any mode: its turns from above. */
import { useMemo } from "react";
import type { MatchProps } from "@/features/arena/mode-feature";
import { GeneralTurn } from "@/features/general/general-turn";
import { goesByRounds } from "@/features/general/rounds";

export function GeneralMatch({ record, active, firstTurn }: MatchProps) {
  const numbered = useMemo(() => goesByRounds(record.turns), [record.turns]);
  return (
    <div className="shrink-0 pb-5!">
      {record.turns.map((turn, index) => (
        <GeneralTurn
          key={turn.id}
          match={record.match}
          turn={turn}
          number={firstTurn + index}
          last={active && index === record.turns.length - 1}
          numbered={numbered}
        />
      ))}
    </div>
  );
}
