/** The four choices, by button or key, with an optional reason. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { sessionKey } from "@/api/queries";
import { castVote } from "@/api/requests";
import type { MatchView } from "@/api/types";
import { choiceLabel } from "@/features/battle/seats";
import { keysAreTaken, useHotkeys } from "@/lib/hotkeys";
import { announce, showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Kbd } from "@/ui/kbd";

export function Ballot({ match }: { match: MatchView }) {
  const [reason, setReason] = useState<string | null>(null);
  const { mutate, isPending, variables } = useVote(match, reason);
  const choices = match.ballot?.choices ?? [];
  const vote = (choice: string | undefined) => choice && !isPending && mutate(choice);

  useHotkeys(
    {
      ...Object.fromEntries(choices.map((choice, index) => [String(index + 1), () => vote(choice)])),
      ArrowLeft: () => vote(choices[0]),
      ArrowRight: () => vote(choices.at(-1)),
    },
    (event) => !keysAreTaken(event.target) && !event.shiftKey,
  );

  return (
    <section aria-label="Your vote" className="flex animate-fade-in flex-col items-center gap-2.5">
      {reason !== null && (
        <Field
          autoFocus
          aria-label="Reason"
          placeholder="Why? Saved with your vote (optional)"
          maxLength={2000}
          className="w-full max-w-xl"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setReason(null);
            // Out of the text again, so that the keys of the ballot act.
            if (event.key === "Enter") event.currentTarget.blur();
          }}
        />
      )}
      <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto sm:flex-wrap sm:justify-center sm:gap-2.5">
        {choices.map((choice, index) => (
          <Button
            key={choice}
            disabled={isPending}
            onClick={() => vote(choice)}
            className="h-9 justify-center max-sm:h-11 aria-busy:border-gold"
            aria-busy={isPending && variables === choice}
          >
            {choiceLabel(choice, match)}
            <Kbd className="max-sm:hidden">{index + 1}</Kbd>
          </Button>
        ))}
        {reason === null && (
          <Button
            variant="quiet"
            className="h-9 text-ink-3 max-sm:col-span-2 max-sm:justify-center"
            onClick={() => setReason("")}
          >
            <MessageSquarePlus aria-hidden="true" />
            Add a reason
          </Button>
        )}
      </div>
    </section>
  );
}

function useVote(match: MatchView, reason: string | null) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: sessionKey(match.session_id) });
  return useMutation({
    mutationFn: async (choice: string) => {
      const vote = await castVote(match.id, choice, reason?.trim() || null);
      await refresh();
      return vote;
    },
    onSuccess: ({ counted }) =>
      announce(`Your vote is ${counted ? "counted" : "saved, but not counted"}. The models are revealed.`),
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
