import { Link } from "@tanstack/react-router";
import type { RecentBattle } from "@/api/standings-types";
import { RelativeTime } from "@/components/relative-time";
import { ModelName } from "@/features/standings/model-name";
import { cn } from "@/lib/cn";
import { whyNotCounted } from "@/lib/not-counted";

const WORDS: Record<RecentBattle["outcome"], string> = {
  won: "Beat",
  lost: "Lost to",
  tie: "Tied with",
  both_bad: "Both bad with",
};

const TONES: Record<RecentBattle["outcome"], string> = {
  won: "text-good",
  lost: "text-bad",
  tie: "text-ink-2",
  both_bad: "text-ink-2",
};

interface Side {
  name: string;
  color: string;
}

interface RecentBattlesProps {
  /** From the side of one model. */
  battles: readonly RecentBattle[];
  /** Set where all of them are between the same two: then it is enough to say who won. */
  pair?: { left: Side; right: Side };
}

/** The latest votes on a model; the reader's own ones lead to their session. */
export function RecentBattles({ battles, pair }: RecentBattlesProps) {
  if (battles.length === 0) return <p className="px-4 pb-4 text-ink-2">No battles yet.</p>;
  return (
    <ul className="text-sm">
      {battles.map((battle) => (
        <li
          key={battle.vote_id}
          className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-t border-line px-4 py-2"
        >
          {pair ? (
            <Winner outcome={battle.outcome} pair={pair} />
          ) : (
            <>
              <span className={cn("w-24 shrink-0 font-medium max-sm:w-16", TONES[battle.outcome])}>
                {WORDS[battle.outcome]}
              </span>
              <ModelName model={battle.other} className="min-w-0 flex-1" />
            </>
          )}
          {!battle.counted && (
            <span
              className="rounded-xs border border-dashed border-line px-1.5 text-2xs leading-[17px] text-ink-2"
              title={whyNotCounted(battle.not_counted_reason)}
            >
              not counted
            </span>
          )}
          {battle.session_id && (
            <Link
              to="/s/$session"
              params={{ session: battle.session_id }}
              search={{}}
              className="inline-flex touch:min-h-11 touch:min-w-11 items-center rounded-xs text-xs text-ink-2 underline underline-offset-2 hover:text-ink"
            >
              Open
            </Link>
          )}
          <span className="text-right text-xs sm:w-24 text-ink-3">
            <RelativeTime at={battle.created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Winner({ outcome, pair }: { outcome: RecentBattle["outcome"]; pair: { left: Side; right: Side } }) {
  const winner = outcome === "won" ? pair.left : outcome === "lost" ? pair.right : null;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2.5">
      <i
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full bg-line-strong"
        style={winner ? { background: winner.color } : undefined}
      />
      <span className={cn("[overflow-wrap:anywhere]", winner ? "font-medium" : "text-ink-2")}>
        {winner ? `${winner.name} won` : outcome === "tie" ? "Tie" : "Both bad"}
      </span>
    </span>
  );
}
