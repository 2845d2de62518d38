import type { LeaderboardLine } from "@/api/standings-types";
import { STRINGS } from "@/features/leaderboard/strings";
import { formatPercent } from "@/lib/format";
import { Tooltip } from "@/ui/tooltip";

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
        <Tooltip label={PROVISIONAL}>
          <span className={`${MARK} border-dashed`}>{STRINGS.provisional}</span>
        </Tooltip>
      )}
      {isOneVoters(line) && (
        <Tooltip label={STRINGS.oneVoterHint(formatPercent(line.top_voter))}>
          <span className={MARK}>{STRINGS.oneVoter(formatPercent(line.top_voter))}</span>
        </Tooltip>
      )}
      {grouped && isApart(line) && (
        <Tooltip label={NOT_COMPARABLE}>
          <span className={MARK}>{STRINGS.group(line.comparison_group + 1)}</span>
        </Tooltip>
      )}
    </>
  );
}
