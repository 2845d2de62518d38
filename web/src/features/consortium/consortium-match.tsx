/** A consortium: its turns from above. */
import "@/features/consortium/consortium.css";
import type { MatchProps } from "@/features/arena/mode-feature";
import { ConsortiumTurn } from "@/features/consortium/consortium-turn";
import { useStoredViewOptions, ViewOptionsContext } from "@/features/consortium/view-options";

export function ConsortiumMatch({ record, active, firstTurn }: MatchProps) {
  const options = useStoredViewOptions();
  return (
    <ViewOptionsContext value={options}>
      {record.turns.map((turn, index) => (
        <ConsortiumTurn
          key={turn.id}
          match={record.match}
          turn={turn}
          number={firstTurn + index}
          last={active && index === record.turns.length - 1}
        />
      ))}
    </ViewOptionsContext>
  );
}
