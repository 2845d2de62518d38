/** A battle: its turns from above, the last one as tall as the page. */
import { useState } from "react";
import type { MatchProps } from "@/features/arena/mode-feature";
import { Duel } from "@/features/battle/duel";

export function BattleMatch({ record, active, firstTurn }: MatchProps) {
  const [focused, setFocused] = useState<string | null>(null);
  const [synced, setSynced] = useState(false);
  return record.turns.map((turn, index) => (
    <Duel
      key={turn.id}
      match={record.match}
      turn={turn}
      number={firstTurn + index}
      tall={active && index === record.turns.length - 1}
      last={index === record.turns.length - 1}
      focused={focused}
      onFocus={setFocused}
      synced={synced}
      onSync={setSynced}
    />
  ));
}
