/** After the vote: what others picked, and the ways on. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { MatchView, TurnView, VoteView } from "@/api/types";
import { voteQuery } from "@/api/votes";
import { ModelMark } from "@/components/model-mark";
import { useComposer } from "@/features/arena/composer-store";
import { PictureButton } from "@/features/arena/pictures/use-picture";
import { UndoVote } from "@/features/arena/undo-vote";
import { isWithdrawn } from "@/features/arena/vote-status";
import { OthersPicked } from "@/features/battle/others-picked";
import { pictureOf } from "@/features/battle/scene";
import { sidesOf } from "@/features/battle/seats";
import { categoryTitle } from "@/lib/category-title";
import { focusComposer } from "@/lib/focus-composer";
import { overlayOpen, typing, useHotkeys, usePlainKeys } from "@/lib/hotkeys";
import { whyNotCounted } from "@/lib/not-counted";
import { useUndoUntil } from "@/lib/undo-store";
import { Button } from "@/ui/button";
import { Kbd } from "@/ui/kbd";

export function Verdict({ match, vote, turn }: { match: MatchView; vote: VoteView; turn: TurnView }) {
  const navigate = useNavigate();
  const settled = useSettled(vote.vote_id);
  const next = useNextBattle(match.session_id, vote.vote_id);
  const plain = usePlainKeys();
  useHotkeys({ n: focusComposer }, (event) => !typing(event.target) && !overlayOpen());
  return (
    <section
      aria-label="Result"
      data-commands
      className="flex animate-slide-in flex-col gap-3 max-sm:gap-1.5"
    >
      <OthersPicked match={match} vote={vote} />
      {(vote.reason || (!vote.counted && !isWithdrawn(vote))) && (
        <div className="px-0.5 text-xs text-ink-2">
          {vote.reason && <p className="line-clamp-2 [overflow-wrap:anywhere]">“{vote.reason}”</p>}
          {!vote.counted && !isWithdrawn(vote) && <p>{whyNotCounted(vote.not_counted_reason)}</p>}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 max-sm:contents">
        <div className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-1.5 max-sm:order-first max-sm:justify-between max-sm:gap-x-3 max-sm:gap-y-0">
          <p className="text-sm font-medium text-gold sm:sr-only">{verdictText(match, vote)}</p>
          <UndoVote vote={vote} session={match.session_id} again="Start a new battle to vote again." />
          <Onwards match={match} vote={vote} turn={turn} />
        </div>
        <div className="ml-auto flex flex-wrap justify-end gap-2.5 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:gap-2">
          {sidesOf(match).map(({ seat, letter }) => (
            <Button
              key={seat.id}
              disabled={!settled}
              className="h-auto! min-h-10 min-w-0 shrink touch:min-h-11 max-sm:px-2"
              onClick={() =>
                navigate({
                  to: "/s/$session",
                  params: { session: match.session_id },
                  search: { mode: "chat", from: `${turn.id}.${seat.name}`, model: seat.model?.id },
                })
              }
            >
              {seat.model && (
                <ModelMark
                  organization={seat.model.organization}
                  name={seat.model.name}
                  className="size-5! text-[10px]!"
                />
              )}
              <span className="text-left leading-tight whitespace-normal [overflow-wrap:anywhere]">
                Chat with {seat.model?.name ?? letter}
              </span>
            </Button>
          ))}
          <Button
            ref={next}
            variant="primary"
            className="h-auto! min-h-10 px-4 font-semibold max-sm:hidden"
            onClick={focusComposer}
          >
            Next battle
            {plain && (
              <Kbd inverse owns="n">
                N
              </Kbd>
            )}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** The button that the focus moves to once this page has cast the vote; whoever is writing goes on writing. */
function useNextBattle(place: string, vote: string) {
  const button = useRef<HTMLButtonElement>(null);
  const fresh = useUndoUntil(vote) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the reveal
  useEffect(() => {
    const writing = typing(document.activeElement) && Boolean(useComposer.getState().drafts[place]?.trim());
    if (fresh && !writing) button.current?.focus({ preventScroll: true });
  }, []);
  return button;
}

/** Where the vote can be seen: between the two models, and in the table of its category. */
function Onwards({ match, vote, turn }: { match: MatchView; vote: VoteView; turn: TurnView }) {
  const { data } = useQuery(voteQuery(vote.vote_id));
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const [a, b] = match.seats.map((seat) => seat.model?.id);
  const picture = pictureOf(match, turn, true);
  const category = data?.categories.find((id) => !id.startsWith("language-"));
  const link =
    "rounded-xs underline decoration-line-strong underline-offset-3 hover:text-ink hover:decoration-current";
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2 max-sm:hidden">
      {a && b && (
        <Link to="/head-to-head/$a/$b" params={{ a, b }} className={link}>
          Head-to-head
        </Link>
      )}
      <Link to="/leaderboard/$category" params={{ category: category ?? "overall" }} className={link}>
        View on leaderboard
        {category && `: ${categoryTitle(category, board?.categories)}`}
      </Link>
      {picture && <PictureButton picture={picture} className={link} />}
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
      {!vote.counted && " Not counted in the ratings."}
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
  if (isWithdrawn(vote)) return "You withdrew your vote.";
  if (vote.vote === "tie") return "You voted for a tie.";
  if (vote.vote === "both_bad") return "You voted “Both are bad”.";
  const side = sidesOf(match).find(({ seat }) => seat.name === vote.vote);
  return `You voted for ${side?.seat.model?.name ?? side?.alias ?? vote.vote}.`;
}
