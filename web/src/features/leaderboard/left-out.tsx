/** What stands right under the table: who is not in it, and what its marks mean. */

import { Link } from "@tanstack/react-router";
import type { Leaderboard } from "@/api/standings-types";
import { type BoardSearch, MIN_VOTES } from "@/features/leaderboard/board-search";
import { isApart, isOneVoters, NOT_COMPARABLE, PROVISIONAL } from "@/features/leaderboard/line-marks";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted } from "@/lib/format";

interface LeftOutProps {
  board: Leaderboard;
  grouped: boolean;
  onChange: (change: BoardSearch) => void;
}

export function LeftOut({ board, grouped, onChange }: LeftOutProps) {
  const young = board.min_votes < MIN_VOTES && board.lines.some((line) => line.votes < MIN_VOTES);
  const provisional = board.lines.some((line) => line.provisional);
  return (
    <div className="flex flex-col gap-1 px-1 text-xs text-ink-3">
      {board.left_out > 0 && (
        <p>
          {board.left_out === 1
            ? STRINGS.leftOutOne(counted(board.min_votes, "vote"))
            : STRINGS.leftOutMany(counted(board.left_out, "model"), counted(board.min_votes, "vote"))}
          <button
            type="button"
            className="rounded-xs touch:min-h-11 touch:min-w-11 text-ink-2 underline underline-offset-2 hover:text-ink"
            onClick={() => onChange({ min_votes: 1 })}
          >
            {STRINGS.showLeftOut}
          </button>
        </p>
      )}
      {young && <p>{STRINGS.fewVotesHint(counted(MIN_VOTES, "vote"))}</p>}
      {provisional && (
        <p>
          <b className="font-medium text-ink-2">{STRINGS.provisionalMark}</b> {PROVISIONAL}{" "}
          {STRINGS.rankedBelow}
        </p>
      )}
      {board.lines.some(isOneVoters) && (
        <p>
          <b className="font-medium text-ink-2">{STRINGS.oneVoterMark}</b> {STRINGS.oneVoterNote}
        </p>
      )}
      {grouped && board.lines.some(isApart) && (
        <p>
          <b className="font-medium text-ink-2">{STRINGS.groupMark}</b> {NOT_COMPARABLE}
        </p>
      )}
      <p>
        <Link to="/leaderboard/method" className="rounded-xs underline underline-offset-2 hover:text-ink">
          {STRINGS.howTheLeaderboardWorks}
        </Link>
      </p>
    </div>
  );
}
