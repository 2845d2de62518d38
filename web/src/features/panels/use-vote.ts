/** Casts a vote in sight, or changes it. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { sessionKey } from "@/api/queries";
import { castVote } from "@/api/requests";
import type { MatchView } from "@/api/types";
import { announce, showToast } from "@/lib/toast-store";
import { offerUndo } from "@/lib/undo-store";

interface Cast {
  choice: string;
  reason: string | null;
}

/**
 * `turnId` is the turn that is judged; null where the match is judged as a whole. `onReason` is called with a reason
 * once it is saved.
 */
export function useVote(match: MatchView, turnId: string | null, onReason?: (reason: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ choice, reason }: Cast) => castVote(match.id, choice, reason?.trim() || null, turnId),
    onSuccess: ({ vote_id }, { reason }) => {
      if (reason) onReason?.(reason);
      offerUndo(vote_id);
      announce("Vote saved. You can undo it for 10 seconds.");
    },
    onError: (error) => {
      const { message, detail } = asApiError(error);
      showToast(["Your vote wasn’t saved.", message, detail].filter(Boolean).join(" "), { tone: "bad" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionKey(match.session_id) }),
  });
}
