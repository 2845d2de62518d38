/** Which answer a person prefers in a turn, and why; each turn anew, and it can be changed. */

import { Check, ThumbsUp } from "lucide-react";
import type { MatchView, VoteView } from "@/api/types";
import { isWithdrawn, UndoVote } from "@/features/arena/undo-vote";
import { useReason } from "@/features/arena/use-reason";
import { STRINGS } from "@/features/compare/strings";
import type { Contender } from "@/features/compare/turn-facts";
import type { useVote } from "@/features/panels/use-vote";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

type Voting = ReturnType<typeof useVote>;

const WORDS: Record<string, string> = { tie: STRINGS.tie, none: STRINGS.none };

interface PreferProps {
  name: string;
  seat: string;
  preferred: boolean;
  voting: Voting;
}

export function PreferButton({ name, seat, preferred, voting }: PreferProps) {
  return (
    <Button
      size="sm"
      aria-pressed={preferred}
      aria-label={STRINGS.preferNamed(name)}
      disabled={voting.isPending}
      className="aria-pressed:border-gold-line aria-pressed:text-gold"
      onClick={() => !preferred && voting.mutate({ choice: seat, reason: null })}
    >
      {preferred ? <Check aria-hidden="true" /> : <ThumbsUp aria-hidden="true" />}
      {preferred ? STRINGS.preferred : STRINGS.prefer}
    </Button>
  );
}

interface PreferenceProps {
  match: MatchView;
  turnId: string;
  vote: VoteView | null;
  contenders: readonly Contender[];
  voting: Voting;
}

export function Preference({ match, turnId, vote: cast, contenders, voting }: PreferenceProps) {
  const vote = isWithdrawn(cast) ? null : cast;
  const named = contenders.find(({ seat }) => seat === vote?.vote)?.name;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-2">
      {vote ? (
        <p>{named ? STRINGS.youPreferred(named) : STRINGS.youSaid(WORDS[vote.vote] ?? vote.vote)}</p>
      ) : (
        <p>{STRINGS.preferOr}</p>
      )}
      {Object.entries(WORDS).map(([choice, words]) => (
        <Button
          key={choice}
          size="sm"
          aria-pressed={vote?.vote === choice}
          disabled={voting.isPending}
          className="aria-pressed:border-gold-line aria-pressed:text-gold"
          onClick={() => vote?.vote !== choice && voting.mutate({ choice, reason: null })}
        >
          {words}
        </Button>
      ))}
      {vote?.reason && <p className="[overflow-wrap:anywhere]">{STRINGS.because(vote.reason)}</p>}
      {vote && !vote.reason && (
        <Why
          place={turnId}
          onWhy={(reason, onSuccess) => voting.mutate({ choice: vote.vote, reason }, { onSuccess })}
          pending={voting.isPending}
        />
      )}
      {cast && <UndoVote vote={cast} session={match.session_id} />}
    </div>
  );
}

interface WhyProps {
  place: string;
  onWhy: (reason: string, onSaved: () => void) => void;
  pending: boolean;
}

function Why({ place, onWhy, pending }: WhyProps) {
  const { text, write } = useReason(place);
  return (
    <form
      className="flex min-w-0 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) onWhy(text.trim(), () => write(""));
      }}
    >
      <Field
        aria-label={STRINGS.why}
        placeholder={STRINGS.whyPlaceholder}
        maxLength={2000}
        className="w-56 min-w-0"
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      {text.trim() && (
        <Button type="submit" size="sm" disabled={pending}>
          {STRINGS.save}
        </Button>
      )}
    </form>
  );
}
