import type { LeaderboardLine } from "@/api/standings-types";
import { Tooltip } from "@/ui/tooltip";

export const PROVISIONAL =
  "Never won, never lost, or never met the others, even through third ones: its likeliest score would be infinite, so it is held near the middle until more votes come.";
export const NOT_COMPARABLE =
  "Models of different groups never met, not even through others: their scores cannot be compared.";

const MARK = "shrink-0 rounded-xs border border-line px-1.5 text-2xs leading-[17px] text-ink-2";

/** What keeps a line from being taken at its word. */
export function LineMarks({ line, grouped }: { line: LeaderboardLine; grouped: boolean }) {
  return (
    <>
      {line.provisional && (
        <Tooltip label={PROVISIONAL}>
          <span className={`${MARK} border-dashed`}>provisional</span>
        </Tooltip>
      )}
      {grouped && line.comparison_group > 1 && (
        <Tooltip label={NOT_COMPARABLE}>
          <span className={MARK}>group {line.comparison_group}</span>
        </Tooltip>
      )}
    </>
  );
}
