/** Right under the table: who is not in it. */

import { Link } from "@tanstack/react-router";
import type { Leaderboard } from "@/api/standings-types";
import { type BoardSearch, MIN_VOTES } from "@/features/leaderboard/board-search";
import { counted } from "@/lib/format";

interface LeftOutProps {
  board: Leaderboard;
  onChange: (change: BoardSearch) => void;
}

export function LeftOut({ board, onChange }: LeftOutProps) {
  const young = board.min_votes < MIN_VOTES && board.lines.some((line) => line.votes < MIN_VOTES);
  return (
    <div className="flex flex-col gap-1 px-1 text-xs text-ink-3">
      {board.left_out > 0 && (
        <p>
          {board.left_out === 1
            ? `1 model with fewer than ${counted(board.min_votes, "vote")} is not shown. `
            : `${counted(board.left_out, "model")} with fewer than ${counted(board.min_votes, "vote")} are not shown. `}
          <button
            type="button"
            className="rounded-xs touch:min-h-11 touch:min-w-11 text-ink-2 underline underline-offset-2 hover:text-ink"
            onClick={() => onChange({ min_votes: 1 })}
          >
            Show them
          </button>
        </p>
      )}
      {young && (
        <p>
          Models with fewer than {counted(MIN_VOTES, "vote")} are included. Their scores can still change a
          lot.
        </p>
      )}
      <p>
        <Link to="/leaderboard/method" className="rounded-xs underline underline-offset-2 hover:text-ink">
          How the leaderboard works
        </Link>
      </p>
    </div>
  );
}
