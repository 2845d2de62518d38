/** After the vote: what was chosen, and the ways on. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Award, MessageCircle, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { MatchView, TurnView, VoteView } from "@/api/types";
import { voteQuery } from "@/api/votes";
import { isWithdrawn } from "@/features/arena/cast-votes";
import { UndoVote } from "@/features/arena/undo-vote";
import { LAZY_STRINGS } from "@/features/battle/lazy-strings";
import { sidesOf } from "@/features/battle/seats";
import { STRINGS } from "@/features/battle/strings";
import { categoryTitle } from "@/lib/category-title";
import { cn } from "@/lib/cn";
import { focusComposer } from "@/lib/focus-composer";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { whyNotCounted } from "@/lib/not-counted";
import { useUndoUntil } from "@/lib/undo-store";
import { Button } from "@/ui/button";
import { Kbd } from "@/ui/kbd";

export function Verdict({ match, vote, turn }: { match: MatchView; vote: VoteView; turn: TurnView }) {
  const navigate = useNavigate();
  const settled = useSettled(vote.vote_id);
  useHotkeys({ n: focusComposer }, (event) => !typing(event.target) && !overlayOpen());
  return (
    <section
      aria-label={STRINGS.result}
      className="flex animate-slide-in flex-wrap items-center justify-between gap-x-8 gap-y-4 py-2 max-sm:gap-y-2 max-sm:py-0"
    >
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1.5 max-sm:flex-row max-sm:flex-wrap max-sm:items-center max-sm:justify-between max-sm:gap-x-3 max-sm:gap-y-0">
        <p
          className={cn(
            "flex items-center gap-2 text-md font-medium max-sm:text-sm",
            isWithdrawn(vote) ? "text-ink-2" : "text-gold",
          )}
        >
          {!isWithdrawn(vote) && <Award aria-hidden="true" className="size-4 shrink-0" />}
          {verdictText(match, vote)}
        </p>
        {vote.reason && (
          <p className="line-clamp-2 text-xs text-ink-2 [overflow-wrap:anywhere]">“{vote.reason}”</p>
        )}
        {!vote.counted && !isWithdrawn(vote) && (
          <p className="text-xs text-ink-2">{whyNotCounted(vote.not_counted_reason)}</p>
        )}
        <UndoVote vote={vote} session={match.session_id} again={LAZY_STRINGS.voteAgain} />
        <Onwards match={match} vote={vote} />
      </div>
      <div className="flex flex-wrap gap-2.5 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:gap-2">
        {sidesOf(match).map(({ seat, letter, color }) => (
          <Button
            key={seat.id}
            aria-label={STRINGS.continueWithModel(seat.model?.name ?? letter)}
            disabled={!settled}
            className="h-auto! min-h-9 min-w-0 shrink touch:min-h-11 max-sm:px-2"
            onClick={() =>
              navigate({
                to: "/s/$session",
                params: { session: match.session_id },
                search: { mode: "chat", from: `${turn.id}.${seat.name}`, model: seat.model?.id },
              })
            }
          >
            <MessageCircle aria-hidden="true" style={{ color }} />
            <span className="text-left leading-tight whitespace-normal [overflow-wrap:anywhere]">
              <span className="max-sm:hidden">{STRINGS.continueWith}</span>
              <span className="sm:hidden">{STRINGS.continueWithShort}</span>
              {seat.model?.name ?? letter}
            </span>
          </Button>
        ))}
        <Button variant="primary" className="h-9 max-sm:hidden" onClick={focusComposer}>
          <Plus aria-hidden="true" />
          {STRINGS.newBattle}
          <Kbd inverse owns="n" className="max-sm:hidden">
            N
          </Kbd>
        </Button>
      </div>
    </section>
  );
}

/** Where the vote can be seen: between the two models, and in the table of its category. */
function Onwards({ match, vote }: { match: MatchView; vote: VoteView }) {
  const { data } = useQuery(voteQuery(vote.vote_id));
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const [a, b] = match.seats.map((seat) => seat.model?.id);
  const category = data?.categories.find((id) => !id.startsWith("language-"));
  const link = "rounded-xs underline underline-offset-2 hover:text-ink";
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2 max-sm:hidden">
      {a && b && (
        <Link to="/head-to-head/$a/$b" params={{ a, b }} className={link}>
          {STRINGS.headToHead}
        </Link>
      )}
      <Link to="/leaderboard/$category" params={{ category: category ?? "overall" }} className={link}>
        {STRINGS.viewOnLeaderboard}
        {category && STRINGS.inCategory(categoryTitle(category, board?.categories))}
      </Link>
    </p>
  );
}

/** What was said of an earlier battle, in one line. */
export function PastVerdict({ match, vote }: { match: MatchView; vote: VoteView }) {
  return (
    <p
      className="text-sm text-ink-2 [overflow-wrap:anywhere]"
      title={vote.counted ? (vote.reason ?? undefined) : whyNotCounted(vote.not_counted_reason)}
    >
      <span className="font-medium text-gold">{verdictText(match, vote)}</span>
      {!vote.counted && STRINGS.notCounted}
      {vote.reason && ` “${vote.reason}”`}
    </p>
  );
}

/** False for a moment after the vote: these buttons appear where the ballot's were, which may be clicked again. */
function useSettled(vote: string): boolean {
  const fresh = useUndoUntil(vote) !== null;
  const [settled, setSettled] = useState(!fresh);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

const SETTLED_MS = 1500;

function verdictText(match: MatchView, vote: VoteView): string {
  if (isWithdrawn(vote)) return STRINGS.withdrewVote;
  if (vote.vote === "tie") return STRINGS.votedTie;
  if (vote.vote === "both_bad") return STRINGS.votedBothBad;
  const side = sidesOf(match).find(({ seat }) => seat.name === vote.vote);
  return STRINGS.votedFor(side?.seat.model?.name ?? side?.alias ?? vote.vote);
}
