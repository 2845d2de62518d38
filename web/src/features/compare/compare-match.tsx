/** A comparison: its turns from above, each a row of panels. */

import { useMemo, useState } from "react";
import { Column } from "@/components/column";
import type { MatchProps } from "@/features/arena/mode-feature";
import { CompareTurn } from "@/features/compare/compare-turn";
import type { ViewOptions } from "@/features/compare/view-options";

export function CompareMatch({ record, active, firstTurn }: MatchProps) {
  const [view, setView] = useState<ViewOptions>({ synced: false, raw: false, focused: null });
  const change = useMemo(() => (part: Partial<ViewOptions>) => setView((now) => ({ ...now, ...part })), []);
  return (
    <div className="shrink-0 pb-5!">
      <Column wide>
        {record.turns.map((turn, index) => (
          <CompareTurn
            key={turn.id}
            match={record.match}
            turn={turn}
            index={index}
            number={firstTurn + index}
            last={active && index === record.turns.length - 1}
            view={view}
            onView={change}
          />
        ))}
      </Column>
    </div>
  );
}
