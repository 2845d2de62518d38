/** Under the table: whether the top is decided, what is not counted, and what style is worth. */

import type { Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { FlaggedVoters } from "@/features/leaderboard/flagged-voters";
import { PositionCard } from "@/features/leaderboard/position-card";
import { PriorCard } from "@/features/leaderboard/prior-card";
import { StyleCard } from "@/features/leaderboard/style-card";
import { WeightedCard } from "@/features/leaderboard/weighted-card";
import { DecisionLine } from "@/features/standings/decision-line";
import { counted, formatCount } from "@/lib/format";
import { fewNotCounted } from "@/lib/not-counted";

interface CardsProps {
  board: Leaderboard;
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
  onEditPrior: () => void;
}

export function Cards({ board, search, onChange, onEditPrior }: CardsProps) {
  const nameOf = (id: string) => board.lines.find((line) => line.model.id === id)?.model.name ?? id;
  return (
    <div className="flex flex-wrap gap-3.5">
      <Panel title="Is the result clear?" className="flex-[1_1_28rem]">
        <p className="text-ink-2">
          {board.decision ? <DecisionLine decision={board.decision} nameOf={nameOf} /> : undecided(board)}
        </p>
      </Panel>
      <NotCounted board={board} search={search} onChange={onChange} />
      {!search.votes && <PriorCard board={board} onEdit={onEditPrior} />}
      {board.position && <PositionCard effect={board.position} votes={board.votes} nameOf={nameOf} />}
      {board.style.length > 0 && <StyleCard effects={board.style} />}
      {board.weighted && <WeightedCard weighted={board.weighted} nameOf={nameOf} />}
      {!search.votes && <FlaggedVoters nameOf={nameOf} />}
    </div>
  );
}

function undecided(board: Leaderboard): string {
  if (board.method === "elo") {
    return "Elo has no intervals, so it can’t tell. Switch to Bradley-Terry.";
  }
  return "Needs at least two models with a score that isn’t provisional.";
}

function NotCounted({ board, search, onChange }: Omit<CardsProps, "onEditPrior">) {
  const all = board.uncounted.reduce((sum, each) => sum + each.votes, 0);
  const shown = search.include_uncounted ?? false;
  const most = [...board.uncounted].sort((a, b) => b.votes - a.votes);
  return (
    <Panel title="Votes not counted" className="flex-[1_1_28rem]">
      <p className="num text-ink-2">
        {all === 0 && !shown && "All votes are counted."}
        {all > 0 && (
          <>
            {counted(all, "vote")}:{" "}
            {most.map((each) => `${formatCount(each.votes)} ${fewNotCounted(each.reason)}`).join(", ")}.{" "}
            {shown ? "Included in this table. " : "Saved, but not in this table. "}
          </>
        )}
        {(all > 0 || shown) && !search.votes && (
          <button
            type="button"
            aria-pressed={shown}
            className="rounded-xs touch:min-h-11 touch:min-w-11 text-ink underline underline-offset-3 hover:text-accent"
            onClick={() => onChange({ include_uncounted: shown ? undefined : true })}
          >
            {shown ? "Exclude them" : "Include them"}
          </button>
        )}
      </p>
    </Panel>
  );
}
