/** Under the table: whether the top is decided, what is not counted, and what style is worth. */
import type { Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { StyleCard } from "@/features/leaderboard/style-card";
import { DecisionLine } from "@/features/standings/decision-line";
import { counted, formatCount } from "@/lib/format";
import { fewNotCounted } from "@/lib/not-counted";

interface CardsProps {
  board: Leaderboard;
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

export function Cards({ board, search, onChange }: CardsProps) {
  const nameOf = (id: string) => board.lines.find((line) => line.model.id === id)?.model.name ?? id;
  return (
    <div className="grid gap-3.5 lg:grid-cols-[1.2fr_1fr]">
      <Panel title="Can you decide already?">
        <p className="text-ink-2">
          {board.decision ? <DecisionLine decision={board.decision} nameOf={nameOf} /> : undecided(board)}
        </p>
      </Panel>
      <NotCounted board={board} search={search} onChange={onChange} />
      {board.style.length > 0 && <StyleCard effects={board.style} />}
    </div>
  );
}

function undecided(board: Leaderboard): string {
  if (board.method === "elo") {
    return "Elo depends on the order of the votes and has no intervals, so it decides nothing. Bradley-Terry does.";
  }
  return "It takes at least two models with votes to tell.";
}

function NotCounted({ board, search, onChange }: CardsProps) {
  const all = board.uncounted.reduce((sum, each) => sum + each.votes, 0);
  const shown = search.include_uncounted ?? false;
  const most = [...board.uncounted].sort((a, b) => b.votes - a.votes);
  return (
    <Panel title="What is not counted">
      <p className="num text-ink-2">
        {all === 0 && !shown && "Every vote is counted. One that is not would stand here with its reason."}
        {all > 0 && (
          <>
            {counted(all, "vote")}:{" "}
            {most.map((each) => `${formatCount(each.votes)} ${fewNotCounted(each.reason)}`).join(", ")}. They
            are kept, and {shown ? "this table shows them too. " : "not in this table. "}
          </>
        )}
        {(all > 0 || shown) && (
          <button
            type="button"
            aria-pressed={shown}
            className="rounded-xs text-ink underline underline-offset-3 hover:text-accent"
            onClick={() => onChange({ include_uncounted: shown ? undefined : true })}
          >
            {shown ? "Show without them" : "Show with them"}
          </button>
        )}
      </p>
    </Panel>
  );
}
