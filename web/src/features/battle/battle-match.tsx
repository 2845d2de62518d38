/** A battle: its turns from above, the last one as tall as the page. */
import { useCallback, useState } from "react";
import type { MatchProps } from "@/features/arena/mode-feature";
import { Duel } from "@/features/battle/duel";

export function BattleMatch({ record, active, firstTurn }: MatchProps) {
  const voted = record.match.vote != null;
  // Chosen before the vote or after it: the reveal shows both panels again.
  const [focus, setFocus] = useState<{ seat: string | null; voted: boolean }>({ seat: null, voted });
  const focused = focus.voted === voted ? focus.seat : null;
  const onFocus = useCallback((seat: string | null) => setFocus({ seat, voted }), [voted]);
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
      onFocus={onFocus}
      synced={synced}
      onSync={setSynced}
    />
  ));
}
