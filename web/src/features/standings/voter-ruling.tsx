/** Excludes the votes of a flagged voter, or reinstates them. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { excludeVoter, reinstateVoter, standingsKey } from "@/api/standings";
import type { FlaggedVoter } from "@/api/standings-types";
import { shortVoter } from "@/features/standings/voter";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";

export function VoterRuling({ voter, small = false }: { voter: FlaggedVoter; small?: boolean }) {
  const client = useQueryClient();
  const excluded = voter.excluded_at !== null;
  const change = useMutation({
    mutationFn: () => (excluded ? reinstateVoter(voter.voter_id) : excludeVoter(voter.voter_id)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: standingsKey });
      showToast(
        excluded
          ? "Votes reinstated. The table updates in a moment."
          : "Votes excluded. The table updates in a moment.",
      );
    },
    onError: (error) => showToast(asApiError(error).message),
  });
  const short = shortVoter(voter.voter_id);
  return (
    <Button
      size={small ? "sm" : "md"}
      disabled={change.isPending}
      aria-label={excluded ? `Reinstate ${short}` : `Exclude votes of ${short}`}
      onClick={() => change.mutate()}
    >
      {excluded ? "Reinstate" : "Exclude votes"}
    </Button>
  );
}
