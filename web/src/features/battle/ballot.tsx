/** The four choices, by button, or by key while one of the buttons has the focus; with an optional reason. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { asApiError } from "@/api/problem";
import { sessionKey } from "@/api/queries";
import { castVote } from "@/api/requests";
import type { MatchView, TurnView } from "@/api/types";
import { STRINGS as ARENA_STRINGS } from "@/features/arena/strings";
import { type Reason, useReason } from "@/features/arena/use-reason";
import { choiceLabel } from "@/features/battle/seats";
import { useUnseen } from "@/features/battle/seen-sides";
import { STRINGS } from "@/features/battle/strings";
import { typing } from "@/lib/hotkeys";
import { announce, showToast } from "@/lib/toast-store";
import { offerUndo, UNDO_S } from "@/lib/undo-store";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Kbd } from "@/ui/kbd";

export function Ballot({ match, turn }: { match: MatchView; turn: TurnView }) {
  const reason = useReason(match.id);
  const { mutate, isPending, variables } = useVote(match, reason);
  const choices = match.ballot?.choices ?? [];
  const [unseen] = useUnseen(match, turn);
  const vote = (choice: string | undefined) => choice && !isPending && mutate(choice);
  const focus = useFocus();

  const onKeyDown = (event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (modified || event.repeat || typing(event.target)) return;
    const choice =
      event.key === "ArrowLeft"
        ? choices[0]
        : event.key === "ArrowRight"
          ? choices.at(-1)
          : choices.find((_, index) => event.key === String(index + 1));
    if (!choice) return;
    event.preventDefault();
    vote(choice);
  };

  return (
    <section
      aria-label={STRINGS.yourVote}
      data-ballot={focus === "ballot" ? "focused" : ""}
      className="group/ballot flex animate-fade-in flex-col items-center gap-3 py-1 max-sm:py-0"
      onKeyDown={onKeyDown}
    >
      {reason.shown && (
        <Field
          autoFocus={reason.asked}
          aria-label={STRINGS.reason}
          placeholder={STRINGS.reasonPlaceholder}
          maxLength={2000}
          className="w-full max-w-xl"
          value={reason.text}
          onChange={(event) => reason.write(event.target.value)}
        />
      )}
      {unseen && <p className="text-xs text-accent">{STRINGS.unseen(unseen.alias)}</p>}
      <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto sm:flex-wrap sm:justify-center sm:gap-2.5">
        {choices.map((choice, index) => (
          <Button
            key={choice}
            disabled={isPending}
            // The second click of two was meant for what stood here before.
            onClick={({ detail }) => detail < 2 && vote(choice)}
            className="h-9 touch:h-11 justify-center gap-2.5 pr-2 pl-3.5 touch:px-4 aria-busy:border-gold"
            aria-busy={isPending && variables === choice}
          >
            {choiceLabel(choice, match)}
            <Kbd className="transition-colors group-data-[ballot=focused]/ballot:border-ink-3 group-data-[ballot=focused]/ballot:text-ink max-sm:hidden">
              {index + 1}
            </Kbd>
          </Button>
        ))}
        {!reason.shown && (
          <Button
            variant="quiet"
            className="h-9 text-ink-3 max-sm:col-span-2 max-sm:justify-center"
            onClick={reason.ask}
          >
            <MessageSquarePlus aria-hidden="true" />
            {STRINGS.addAReason}
          </Button>
        )}
      </div>
      <p className="text-center text-xs text-ink-3">
        {ARENA_STRINGS.beforeVoting(UNDO_S)}
        <span className="max-sm:hidden pointer-coarse:hidden">
          {focus === "ballot" && ` ${STRINGS.voteKeys(choices.length)}`}
          {focus === "composer" && ` ${STRINGS.voteByKey}`}
        </span>
      </p>
    </section>
  );
}

/**
 * Where the next key goes: what is typed into the composer is text. Not a rule with `:has()`, which would have the
 * browser restyle the whole page with every word of an answer.
 */
function useFocus(): "ballot" | "composer" | undefined {
  const [focus, setFocus] = useState(focused);
  useEffect(() => {
    const look = () => setFocus(focused());
    // An element that gives the focus away still has it while it says so.
    const lookLater = () => queueMicrotask(look);
    document.addEventListener("focusin", look);
    document.addEventListener("focusout", lookLater);
    return () => {
      document.removeEventListener("focusin", look);
      document.removeEventListener("focusout", lookLater);
    };
  }, []);
  return focus;
}

function focused(): "ballot" | "composer" | undefined {
  const element = document.activeElement;
  if (element?.matches("[data-composer]")) return "composer";
  return element?.matches("[data-ballot] button") ? "ballot" : undefined;
}

function useVote(match: MatchView, reason: Reason) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: sessionKey(match.session_id) });
  return useMutation({
    mutationFn: async (choice: string) => {
      const vote = await castVote(match.id, choice, reason.text.trim() || null);
      reason.write("");
      offerUndo(vote.vote_id);
      await refresh();
      return vote;
    },
    onSuccess: ({ counted }) => announce(counted ? STRINGS.voteSaved : STRINGS.voteNotCounted),
    onError: async (error) => {
      const problem = asApiError(error);
      // Another tab was first: its vote stands and is shown.
      if (problem.code === "already_voted") await refresh();
      showToast(problem.detail ? `${problem.message} ${problem.detail}` : problem.message, {
        tone: problem.code === "already_voted" ? "plain" : "bad",
      });
    },
  });
}
