/** A ballot in sight: one of those who answered, or another word; open ones can be changed. */

import { Check, MessageSquarePlus } from "lucide-react";
import { useMayWrite } from "@/api/permissions";
import type { MatchView, SeatView, TurnView, VoteView } from "@/api/types";
import { seatLabel } from "@/features/arena/input-chip";
import { UndoVote, useWithdrawal } from "@/features/arena/undo-vote";
import { useReason } from "@/features/arena/use-reason";
import { askedSince, isWithdrawn } from "@/features/arena/vote-status";
import { seatColor } from "@/features/lineup/seat-colors";
import { SeatDot } from "@/features/panels/seat-dot";
import { useVote } from "@/features/panels/use-vote";
import { cn } from "@/lib/cn";
import { titled } from "@/lib/format";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

interface ChoiceRowProps {
  match: MatchView;
  /** The turn that is judged; null where the match is judged as a whole. */
  turn: TurnView | null;
  vote: VoteView | null;
  seats: readonly SeatView[];
  words: readonly string[];
  last: boolean;
}

export function ChoiceRow({ match, turn, vote: cast, seats, words, last }: ChoiceRowProps) {
  const reason = useReason(turn?.id ?? match.id);
  const voting = useVote(match, turn?.id ?? null, reason.settle);
  const withdrawal = useWithdrawal(match.session_id);
  const mayWrite = useMayWrite();
  const isPending = voting.isPending || withdrawal.isPending;
  // A withdrawn preference can be given again; a blind one can't, since the models are known.
  const gone = isWithdrawn(cast) && match.status === "open";
  const vote = gone || (cast && turn && askedSince(cast, turn).length > 0) ? null : cast;
  const needed = match.ballot?.needs === "two" ? 2 : 1;
  if (seats.length < needed || !mayWrite) return null;
  const names = new Map(seats.map((seat) => [seat.name, seat]));
  // A choice is made again only where the match is in sight.
  const fixed = vote !== null && match.blind;
  return (
    <div
      role="group"
      aria-label={vote ? "Your vote" : "Vote"}
      className={cn("flex flex-wrap items-center gap-2", !last && !vote && "opacity-80")}
    >
      <p className="mr-1 text-sm text-ink-2">{vote ? "Your vote:" : "Which was best?"}</p>
      {[...names.keys(), ...words].map((choice) => {
        const seat = names.get(choice);
        const chosen = vote?.vote === choice;
        return (
          <Button
            key={choice}
            size="sm"
            aria-pressed={chosen}
            disabled={isPending || fixed}
            className="max-w-56 aria-pressed:border-gold-line aria-pressed:text-gold"
            onClick={() =>
              vote && chosen
                ? withdrawal.mutate(vote.vote_id)
                : voting.mutate({ choice, reason: reason.text })
            }
          >
            {chosen ? (
              <Check aria-hidden="true" />
            ) : (
              seat && <SeatDot color={seatColor(match.seats.indexOf(seat))} />
            )}
            <span className="truncate">{seat ? seatLabel(seat) : titled(choice)}</span>
          </Button>
        );
      })}
      {!vote && !reason.shown && (
        <Button size="sm" variant="quiet" className="text-ink-3" onClick={reason.ask}>
          <MessageSquarePlus aria-hidden="true" />
          Add a reason
        </Button>
      )}
      {!vote && reason.shown && (
        <Field
          autoFocus={reason.asked}
          aria-label="Reason"
          placeholder="Why? Saved with your vote (optional)"
          maxLength={2000}
          className="min-w-0 flex-1 basis-60"
          value={reason.text}
          onChange={({ target }) => reason.write(target.value)}
        />
      )}
      {cast && <UndoVote vote={cast} session={match.session_id} />}
    </div>
  );
}
