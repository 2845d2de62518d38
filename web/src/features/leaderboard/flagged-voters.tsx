/** Voters whose votes look planned, with the evidence; whoever runs this server excludes or reinstates them here. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { excludeVoter, flaggedVotersQuery, reinstateVoter, standingsKey } from "@/api/standings";
import type { FlaggedVoter } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted, formatCount } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";

const ID_SHOWN = 8;
const LARGEST_SHOWN = 1_000_000;

interface FlaggedVotersProps {
  nameOf: (id: string) => string;
}

export function FlaggedVoters({ nameOf }: FlaggedVotersProps) {
  const { data } = useQuery(flaggedVotersQuery);
  if (!data || data.voters.length === 0) return null;
  return (
    <Panel title={STRINGS.flaggedTitle} className="lg:col-span-2">
      <p className="max-w-read text-ink-2">{STRINGS.flaggedHint}</p>
      <ul className="mt-3 grid gap-3">
        {data.voters.map((voter) => (
          <Voter key={voter.voter_id} voter={voter} nameOf={nameOf} />
        ))}
      </ul>
    </Panel>
  );
}

function Voter({ voter, nameOf }: { voter: FlaggedVoter } & FlaggedVotersProps) {
  const client = useQueryClient();
  const excluded = voter.excluded_at !== null;
  const change = useMutation({
    mutationFn: () => (excluded ? reinstateVoter(voter.voter_id) : excludeVoter(voter.voter_id)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: standingsKey });
      showToast(excluded ? STRINGS.voterReinstated : STRINGS.voterExcluded);
    },
    onError: (error) => showToast(asApiError(error).message),
  });
  const short = voter.voter_id.slice(0, ID_SHOWN);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-t border-line pt-3">
      <span className="num font-mono text-sm" title={voter.voter_id}>
        {short}
      </span>
      <span className="min-w-0 flex-1 basis-64 text-sm">
        {STRINGS.pattern(voter.pattern, voter.model_id === null ? "" : nameOf(voter.model_id))}{" "}
        <span className="num text-ink-3">
          {STRINGS.evidence(
            odds(voter.e_value),
            counted(voter.votes, "vote"),
            counted(voter.prompts, "prompt"),
            day(voter.flagged_at),
          )}
          {voter.excluded_at !== null && STRINGS.excludedOn(day(voter.excluded_at), voter.excluded_by ?? "")}
        </span>
      </span>
      <Button
        disabled={change.isPending}
        aria-label={excluded ? STRINGS.reinstateVoter(short) : STRINGS.excludeVoter(short)}
        onClick={() => change.mutate()}
      >
        {excluded ? STRINGS.reinstate : STRINGS.excludeVotes}
      </Button>
    </li>
  );
}

const odds = (value: number) =>
  value > LARGEST_SHOWN ? STRINGS.moreThan(formatCount(LARGEST_SHOWN)) : formatCount(Math.round(value));

const day = (moment: string) => new Date(moment).toLocaleDateString("en-US", { dateStyle: "medium" });
