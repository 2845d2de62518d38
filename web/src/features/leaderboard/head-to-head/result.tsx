import type { HeadToHead, LeaderboardLine } from "@/api/standings-types";
import type { ModelCard } from "@/api/types";
import { rankText } from "@/features/leaderboard/rank-text";
import { ModelName } from "@/features/standings/model-name";
import { OutcomeBar } from "@/features/standings/outcome-bar";
import { cn } from "@/lib/cn";
import { counted, formatMargin, formatPercent, formatRating } from "@/lib/format";
import { PAIR_COLORS } from "@/lib/pair-colors";

/** The result, as large as the question: who won how much, and what the scores expect. */
export function Result({ data }: { data: HeadToHead }) {
  const { overall, left_model, right_model } = data;
  return (
    <section aria-label="Result" className="rounded-lg border border-line bg-surface p-4 sm:p-5">
      <div className="mb-4 grid grid-cols-2 gap-4">
        <Side model={left_model} line={data.left} rate={overall.win_rate} color={PAIR_COLORS.left} />
        <Side
          model={right_model}
          line={data.right}
          rate={overall.win_rate === null ? null : 1 - overall.win_rate}
          color={PAIR_COLORS.right}
          end
        />
      </div>
      {overall.votes > 0 ? (
        <OutcomeBar
          outcomes={overall}
          left={{ name: left_model.name, color: PAIR_COLORS.left }}
          right={{ name: right_model.name, color: PAIR_COLORS.right }}
          big
        />
      ) : (
        <p className="text-ink-2">No counted votes between these models yet.</p>
      )}
      {overall.expected !== null && (
        <p className="mt-3 border-t border-line pt-3 text-sm text-ink-2">
          {overall.votes > 0 &&
            `Actual: ${formatPercent(overall.win_rate)} for ${left_model.name} in ${counted(overall.votes, "vote")} (a tie counts as half). `}
          Expected from scores: {formatPercent(overall.expected)}.
        </p>
      )}
    </section>
  );
}

interface SideProps {
  model: ModelCard;
  line: LeaderboardLine | null;
  rate: number | null;
  color: string;
  end?: boolean;
}

function Side({ model, line, rate, color, end }: SideProps) {
  return (
    <div className={cn("min-w-0", end && "text-right")}>
      <span className={cn("flex min-w-0 items-center gap-2", end && "flex-row-reverse")}>
        <i aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={{ background: color }} />
        <ModelName model={model} className={cn("text-md", end && "flex-row-reverse")} />
      </span>
      {rate !== null && <p className="num text-2xl font-semibold tracking-tight">{formatPercent(rate)}</p>}
      <p className="num text-xs text-ink-3">
        {line ? (
          <>
            <span className="whitespace-nowrap">Rank {rankText(line)} · </span>
            <span className="whitespace-nowrap">
              score {formatRating(line.rating)} {formatMargin(line.ci_lower, line.ci_upper)}
            </span>
          </>
        ) : (
          "Not ranked yet"
        )}
      </p>
    </div>
  );
}
