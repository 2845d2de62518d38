/** Voters whose votes look planned, with the evidence; whoever runs this server excludes or reinstates them here. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMayManage } from "@/api/permissions";
import { flaggedVotersQuery } from "@/api/standings";
import type { FlaggedVoter } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { formatOdds, shortVoter } from "@/features/standings/voter";
import { VoterRuling } from "@/features/standings/voter-ruling";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";

/** Whom a voter votes for, by the pattern of the votes. */
const PREFERRED: Record<FlaggedVoter["pattern"], (model: string) => string> = {
  pushes: (model) => `for ${model}`,
  against: (model) => `against ${model}`,
  "always left": () => "for the left answer",
  "always right": () => "for the right answer",
  "tie spam": () => "for a tie",
};

interface FlaggedVotersProps {
  nameOf: (id: string) => string;
}

export function FlaggedVoters({ nameOf }: FlaggedVotersProps) {
  const mayManage = useMayManage();
  const { data } = useQuery({ ...flaggedVotersQuery, enabled: mayManage });
  if (!data || data.voters.length === 0) return null;
  return (
    <Panel
      title="Voters to check"
      className="basis-full"
      aside={
        <Button asChild variant="quiet" size="sm">
          <Link to="/leaderboard/voters">All voters</Link>
        </Button>
      }
    >
      <p className="max-w-read text-ink-2">
        Their votes look planned, compared with the votes of everyone not flagged. In simulated crowds, at
        most 1 in 100 honest voters with 50 or more votes is flagged. The votes count until you exclude them.
      </p>
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
        Votes {PREFERRED[voter.pattern](voter.model_id === null ? "" : nameOf(voter.model_id))} almost every
        time.{" "}
        <span className="num text-ink-3">
          {formatOdds(voter.e_value)} times likelier by plan, from {counted(voter.votes, "vote")} on{" "}
          {counted(voter.prompts, "prompt")}. Flagged {day(voter.flagged_at)}.
          {voter.excluded_at !== null && ` Excluded ${day(voter.excluded_at)} by ${voter.excluded_by ?? ""}.`}
        </span>
      </span>
      <VoterRuling voter={voter} />
    </li>
  );
}

const day = (moment: string) => new Date(moment).toLocaleDateString("en-US", { dateStyle: "medium" });
