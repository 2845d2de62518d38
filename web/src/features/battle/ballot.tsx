/** The four choices across both panels, by button or by key, with an optional reason. */

import { ArrowLeft, ArrowRight, Equal, MessageSquarePlus, ThumbsDown } from "lucide-react";
import type { CSSProperties, KeyboardEvent } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { useReason } from "@/features/arena/use-reason";
import { choiceLabel, sidesOf } from "@/features/battle/seats";
import { useUnseen } from "@/features/battle/seen-sides";
import { useBallotKeys } from "@/features/battle/use-ballot-keys";
import { useCastVote } from "@/features/battle/use-cast-vote";
import { cn } from "@/lib/cn";
import { ALT } from "@/lib/key-position";
import { UNDO_S } from "@/lib/undo-store";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Kbd } from "@/ui/kbd";

export function Ballot({ match, turn }: { match: MatchView; turn: TurnView }) {
  const reason = useReason(match.id);
  const { mutate, isPending, variables } = useCastVote(match, reason);
  const choices = match.ballot?.choices ?? [];
  const [unseen] = useUnseen(match, turn);
  const vote = (choice: string | undefined) => choice && !isPending && mutate(choice);
  const { plain, held } = useBallotKeys(match.session_id, choices, vote);
  const sides = sidesOf(match);

  const onKeyDown = (event: KeyboardEvent) => {
    const choice = { ArrowLeft: choices[0], ArrowRight: choices.at(-1) }[event.key];
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat;
    if (!choice || modified || !(event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    vote(choice);
  };

  return (
    <section
      aria-label="Your vote"
      data-commands
      className="flex animate-fade-in flex-col gap-2.5 max-sm:gap-2"
      onKeyDown={onKeyDown}
    >
      {reason.shown && (
        <Field
          autoFocus={reason.asked}
          aria-label="Reason"
          placeholder="Why? Saved with your vote (optional)"
          maxLength={2000}
          className="w-full"
          value={reason.text}
          onChange={(event) => reason.write(event.target.value)}
        />
      )}
      {unseen && (
        <p className="text-center text-xs text-accent">You haven’t opened {unseen.alias}’s answer yet.</p>
      )}
      <div className="ballot">
        {choices.map((choice, index) => {
          const side = sides.find(({ seat }) => seat.name === choice);
          return (
            <Choice
              key={choice}
              label={choiceLabel(choice, match)}
              icon={iconOf(choice, side !== undefined, index)}
              digit={String(index + 1)}
              plain={plain}
              color={side?.color}
              mirrored={index > 0 && side !== undefined}
              disabled={isPending}
              busy={held === choice || (isPending && variables === choice)}
              onVote={() => vote(choice)}
            />
          );
        })}
      </div>
      <div className="flex min-h-7 items-center gap-3 px-0.5 text-sm text-ink-2 max-sm:hidden">
        <p className="min-w-0 flex-1 text-xs">
          <span className="pointer-coarse:hidden">Typing never votes. </span>
          Voting reveals the models. You can undo for {UNDO_S} seconds. An undone vote doesn’t count.
        </p>
        {!reason.shown && (
          <Button variant="quiet" size="sm" className="-mr-2" onClick={reason.ask}>
            <MessageSquarePlus aria-hidden="true" />
            Add a reason
          </Button>
        )}
      </div>
    </section>
  );
}

interface ChoiceProps {
  label: string;
  icon: typeof ArrowLeft;
  digit: string;
  /** The digit alone votes now, else the digit with Alt. */
  plain: boolean;
  /** The seat's, for a side. */
  color: string | undefined;
  mirrored: boolean;
  disabled: boolean;
  busy: boolean;
  onVote: () => void;
}

function Choice({ label, icon: Icon, digit, plain, color, mirrored, disabled, busy, onVote }: ChoiceProps) {
  const side = color !== undefined;
  return (
    <button
      type="button"
      disabled={disabled}
      aria-busy={busy}
      aria-keyshortcuts={plain ? digit : `Alt+${digit}`}
      // The second click of two was meant for what stood here before.
      onClick={({ detail }) => detail < 2 && onVote()}
      className={cn(side ? "ballot-side" : "ballot-middle", mirrored && "flex-row-reverse text-right")}
      style={side ? ({ "--seat": color } as CSSProperties) : undefined}
    >
      <Icon aria-hidden="true" className="shrink-0" />
      <span className="min-w-0">{label}</span>
      <span className="ml-auto flex gap-1 pl-2 max-sm:hidden in-[.text-right]:mr-auto in-[.text-right]:ml-0 in-[.text-right]:pl-0">
        {!plain && <Kbd className="ballot-key">{ALT}</Kbd>}
        <Kbd className="ballot-key">{digit}</Kbd>
      </span>
    </button>
  );
}

function iconOf(choice: string, side: boolean, index: number) {
  if (side) return index === 0 ? ArrowLeft : ArrowRight;
  return choice === "tie" ? Equal : ThumbsDown;
}
