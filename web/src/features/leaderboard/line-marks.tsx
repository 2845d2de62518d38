import type { LeaderboardLine } from "@/api/standings-types";
import { STRINGS } from "@/features/leaderboard/strings";
import { formatPercent } from "@/lib/format";
import { tooltip } from "@/ui/tooltip";

export const PROVISIONAL = STRINGS.provisionalHint;
export const NOT_COMPARABLE = STRINGS.groupHint;

const MARK = "shrink-0 rounded-xs border border-line px-1.5 text-2xs leading-[17px] text-ink-2";

/** From this share on, the table says that a model's score is much of one person's. */
const LARGE_SHARE = 0.1;

export const isOneVoters = (line: LeaderboardLine) =>
  (line.top_voter ?? 0) > LARGE_SHARE && line.top_voter !== 1;

/** No battle links it to the models with the most votes. */
export const isApart = (line: LeaderboardLine) => line.comparison_group > 0;

/** What keeps a line from being taken at its word. */
export function LineMarks({ line, grouped }: { line: LeaderboardLine; grouped: boolean }) {
  return (
    <>
      {line.provisional && (
        <span className={`${MARK} border-dashed`} {...tooltip(PROVISIONAL)}>
          {STRINGS.provisional}
        </span>
      )}
      {isOneVoters(line) && (
        <span className={MARK} {...tooltip(STRINGS.oneVoterHint(formatPercent(line.top_voter)))}>
          {STRINGS.oneVoter(formatPercent(line.top_voter))}
        </span>
      )}
      {grouped && isApart(line) && (
        <span className={MARK} {...tooltip(NOT_COMPARABLE)}>
          {STRINGS.group(line.comparison_group + 1)}
        </span>
      )}
    </>
  );
}
