/** Casts the vote on a battle; one vote reveals the models. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { sessionKey } from "@/api/queries";
import { castVote } from "@/api/requests";
import type { MatchView } from "@/api/types";
import type { Reason } from "@/features/arena/use-reason";
import { announce, showToast } from "@/lib/toast-store";
import { offerUndo } from "@/lib/undo-store";

export function useCastVote(match: MatchView, reason: Reason) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: sessionKey(match.session_id) });
  return useMutation({
    mutationFn: async (choice: string) => {
      const vote = await castVote(match.id, choice, reason.text.trim() || null);
      reason.settle(reason.text);
      offerUndo(vote.vote_id);
      await refresh();
      return vote;
    },
    onSuccess: ({ counted }) =>
      announce(
        counted
          ? "Vote saved. The models are revealed. You can undo for 10 seconds."
          : "Vote saved, but not counted. The models are revealed. You can undo for 10 seconds.",
      ),
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
