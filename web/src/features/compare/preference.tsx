/** Which answer a person prefers in a turn, and why; each turn anew. It can be changed and taken back. */

import { Check, Pencil, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { useMayWrite } from "@/api/permissions";
import type { MatchView, TurnView, VoteView } from "@/api/types";
import { UndoVote, useWithdrawal } from "@/features/arena/undo-vote";
import { useReason } from "@/features/arena/use-reason";
import { askedSince, isWithdrawn } from "@/features/arena/vote-status";
import type { Contender } from "@/features/compare/turn-facts";
import { useVote } from "@/features/panels/use-vote";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";

const askedSinceText = (names: readonly string[]) =>
  names.length === 1
    ? `${names[0]} was asked again since.`
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)} were asked again since.`;

const WORDS: Record<string, string> = { tie: "About the same", none: "None are good" };

export interface Preferred {
  /** The vote on this turn, also one that was withdrawn. */
  cast: VoteView | null;
  /** The vote that stands. */
  vote: VoteView | null;
  /** Seats that were asked again since: the vote judged other answers. */
  since: readonly string[];
  /** What is chosen among the answers in sight. */
  chosen: string | null;
  pending: boolean;
  /** Choose; once more takes it back. */
  choose: (choice: string) => void;
  /** Bring back what was chosen before the last change; without one, take the choice back. */
  undo: () => void;
  /** Save why; null for no reason. */
  explain: (reason: string | null, onSaved: () => void) => void;
}

export function usePreferred(match: MatchView, turn: TurnView): Preferred {
  const cast = match.votes.find(({ turn_id }) => turn_id === turn.id) ?? null;
  const vote = isWithdrawn(cast) ? null : cast;
  const since = vote ? askedSince(vote, turn) : [];
  const chosen = vote && since.length === 0 ? vote.vote : null;
  const voting = useVote(match, turn.id);
  const withdrawal = useWithdrawal(match.session_id);
  const { text, write, settle } = useReason(turn.id);
  const [earlier, setEarlier] = useState<VoteView | null>(null);
  return {
    cast,
    vote,
    since,
    chosen,
    pending: voting.isPending || withdrawal.isPending,
    choose: (choice) => {
      if (vote && chosen === null && choice === vote.vote) {
        // The same choice among answers of which some are new: its reason is about the same one.
        voting.mutate({ choice, reason: vote.reason });
        return;
      }
      // Why another answer was preferred is not why this one is: it stays in its field, to be saved or not.
      if (vote?.reason && !text) write(vote.reason);
      if (vote && choice === chosen) {
        withdrawal.mutate(vote.vote_id);
        return;
      }
      voting.mutate({ choice, reason: null });
      setEarlier(chosen === null ? null : vote);
    },
    undo: () => {
      if (earlier)
        voting.mutate({ choice: earlier.vote, reason: earlier.reason }, { onSuccess: () => settle(text) });
      else if (vote) withdrawal.mutate(vote.vote_id);
      setEarlier(null);
    },
    explain: (reason, onSuccess) => {
      if (!vote) return;
      voting.mutate({ choice: vote.vote, reason }, { onSuccess });
      setEarlier(vote);
    },
  };
}

interface PreferProps {
  name: string;
  seat: string;
  preferred: Preferred;
}

export function PreferButton({ name, seat, preferred: { chosen, choose, pending } }: PreferProps) {
  const pressed = chosen === seat;
  const mayWrite = useMayWrite();
  if (!mayWrite && !pressed) return null;
  const words = pressed ? "Your preference" : "I prefer this";
  return (
    <Button
      size="sm"
      aria-pressed={pressed}
      aria-label={`${words}: ${name}`}
      disabled={pending || !mayWrite}
      className="aria-pressed:border-gold-line aria-pressed:text-gold"
      onClick={() => choose(seat)}
    >
      {pressed ? <Check aria-hidden="true" /> : <ThumbsUp aria-hidden="true" />}
      {words}
    </Button>
  );
}

interface PreferenceProps {
  match: MatchView;
  turnId: string;
  contenders: readonly Contender[];
  preferred: Preferred;
}

export function Preference({ match, turnId, contenders, preferred }: PreferenceProps) {
  const { cast, vote, chosen, choose, undo, explain, pending } = preferred;
  const mayWrite = useMayWrite();
  if (!mayWrite) return vote && <p className="text-sm text-ink-2">{said(preferred, contenders)}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-2">
      <p>{said(preferred, contenders)}</p>
      {Object.entries(WORDS).map(([choice, words]) => (
        <Button
          key={choice}
          size="sm"
          aria-pressed={chosen === choice}
          disabled={pending}
          className="aria-pressed:border-gold-line aria-pressed:text-gold"
          onClick={() => choose(choice)}
        >
          {words}
        </Button>
      ))}
      {vote && chosen && <Why place={turnId} saved={vote.reason} onWhy={explain} pending={pending} />}
      {cast && <UndoVote vote={cast} session={match.session_id} onUndo={undo} />}
    </div>
  );
}

function said({ vote, since }: Preferred, contenders: readonly Contender[]): string {
  if (!vote) return "Pick the best answer, or choose";
  const nameOf = (name: string) => contenders.find(({ seat }) => seat === name)?.name ?? name;
  const word = WORDS[vote.vote];
  const what = word ? `You said: ${word}.` : `You preferred ${nameOf(vote.vote)}.`;
  return since.length > 0 ? `${what} ${askedSinceText(since.map(nameOf))}` : what;
}

interface WhyProps {
  place: string;
  saved: string | null;
  onWhy: (reason: string | null, onSaved: () => void) => void;
  pending: boolean;
}

/** The reason as saved, or the field in which it is written. */
function Why({ place, saved, onWhy, pending }: WhyProps) {
  const { text, write, settle } = useReason(place);
  const [editing, setEditing] = useState(false);
  const close = () => {
    write("");
    setEditing(false);
  };
  if (saved && !editing && !text) {
    const edit = () => {
      write(saved);
      setEditing(true);
    };
    return (
      <p className="flex min-w-0 items-center gap-1">
        <span className="[overflow-wrap:anywhere]">“{saved}”</span>
        <IconButton size="icon-sm" label="Edit the reason" onClick={edit}>
          <Pencil />
        </IconButton>
      </p>
    );
  }
  const written = text.trim();
  const changed = written !== (saved ?? "");
  return (
    <form
      className="flex min-w-0 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const saved = () => {
          settle(text);
          setEditing(false);
        };
        if (changed) onWhy(written || null, saved);
        else close();
      }}
    >
      <Field
        autoFocus={editing}
        aria-label="Why?"
        placeholder="Why? (optional)"
        maxLength={2000}
        className="w-56 min-w-0"
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      {changed && (
        <Button type="submit" size="sm" disabled={pending}>
          Save
        </Button>
      )}
      {saved && (
        <Button size="sm" variant="quiet" onClick={close}>
          Cancel
        </Button>
      )}
    </form>
  );
}
