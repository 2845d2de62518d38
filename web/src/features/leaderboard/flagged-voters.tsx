/** Voters whose votes look planned, with the evidence; whoever runs this server excludes or reinstates them here. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { flaggedVotersQuery } from "@/api/standings";
import type { FlaggedVoter } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/strings";
import { formatOdds, shortVoter } from "@/features/standings/voter";
import { VoterRuling } from "@/features/standings/voter-ruling";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";

interface FlaggedVotersProps {
  nameOf: (id: string) => string;
}

export function FlaggedVoters({ nameOf }: FlaggedVotersProps) {
  const { data } = useQuery(flaggedVotersQuery);
  if (!data || data.voters.length === 0) return null;
  return (
    <Panel
      title={STRINGS.flaggedTitle}
      className="lg:col-span-2"
      aside={
        <Button asChild variant="quiet" size="sm">
          <Link to="/leaderboard/voters">{STRINGS.allVoters}</Link>
        </Button>
      }
    >
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
  const short = shortVoter(voter.voter_id);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-t border-line pt-3">
      <span className="num font-mono text-sm" title={voter.voter_id}>
        {short}
      </span>
      <span className="min-w-0 flex-1 basis-64 text-sm">
        {STRINGS.pattern(voter.pattern, voter.model_id === null ? "" : nameOf(voter.model_id))}{" "}
        <span className="num text-ink-3">
          {STRINGS.evidence(
            formatOdds(voter.e_value),
            counted(voter.votes, "vote"),
            counted(voter.prompts, "prompt"),
            day(voter.flagged_at),
          )}
          {voter.excluded_at !== null && STRINGS.excludedOn(day(voter.excluded_at), voter.excluded_by ?? "")}
        </span>
      </span>
      <VoterRuling voter={voter} />
    </li>
  );
}

const day = (moment: string) => new Date(moment).toLocaleDateString("en-US", { dateStyle: "medium" });
