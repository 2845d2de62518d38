/** The table with and without the votes of each flagged or excluded voter. */

import { useQuery } from "@tanstack/react-query";
import { flaggedVotersQuery } from "@/api/standings";
import type { ExclusionEffect, FlaggedVoter } from "@/api/standings-types";
import { type Column, figureColumn, Table } from "@/components/table";
import { shortVoter } from "@/features/standings/voter";
import { VoterRuling } from "@/features/standings/voter-ruling";
import { counted, formatRating, formatSigned } from "@/lib/format";

interface MovesProps {
  effects: readonly ExclusionEffect[];
  nameOf: (id: string) => string;
}

export function Moves({ effects, nameOf }: MovesProps) {
  const { data } = useQuery(flaggedVotersQuery);
  if (effects.length === 0) return <p className="text-ink-2">Nobody is flagged or excluded.</p>;
  return (
    <>
      <p className="max-w-read text-ink-2">
        The overall table with and without the votes of each flagged or excluded voter. Intervals allow for
        people’s tastes equally in both.
      </p>
      <ul className="mt-3 grid gap-4">
        {effects.map((effect) => (
          <li key={effect.voter_id} className="border-t border-line pt-3">
            <Effect
              effect={effect}
              flag={data?.voters.find((voter) => voter.voter_id === effect.voter_id)}
              nameOf={nameOf}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface EffectProps {
  effect: ExclusionEffect;
  flag: FlaggedVoter | undefined;
  nameOf: (id: string) => string;
}

function Effect({ effect, flag, nameOf }: EffectProps) {
  const votes = counted(effect.votes, "vote");
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex flex-wrap items-baseline gap-x-3 text-sm font-medium">
          <span className="font-mono" title={effect.voter_id}>
            {shortVoter(effect.voter_id)}
          </span>
          <span className="text-xs font-normal text-ink-2">
            {effect.excluded ? "Excluded" : "Flagged"}.{" "}
            {effect.moved === 0
              ? `${votes}. Moves no rank, and no score by half a point.`
              : `${votes}. Moves ${counted(effect.moved, "model")}.`}
          </span>
        </h3>
        {flag && <VoterRuling voter={flag} small />}
      </div>
      {effect.moves.length > 0 && (
        <div className="mt-1 max-w-read">
          <Table
            dense
            flat
            label="Scores without flagged voters"
            columns={columnsOf(nameOf)}
            rows={effect.moves}
            rowKey={(move) => move.model}
          />
          {effect.moved > effect.moves.length && (
            <p className="pt-1 text-xs text-ink-3">
              The {effect.moves.length} largest of {effect.moved} changes.
            </p>
          )}
        </div>
      )}
    </>
  );
}

const columnsOf = (nameOf: MovesProps["nameOf"]): Column<ExclusionEffect["moves"][number]>[] => [
  { header: "Model", cell: (move) => nameOf(move.model), names: true, className: "[overflow-wrap:anywhere]" },
  figureColumn("With", (move) => formatRating(move.rating_with), { quiet: true }),
  figureColumn("Without", (move) => formatRating(move.rating_without), { quiet: true }),
  figureColumn("Change", ({ rating_with, rating_without }) =>
    rating_with === null || rating_without === null ? "–" : formatSigned(rating_without - rating_with),
  ),
  figureColumn("Rank", ({ rank_with, rank_without }) =>
    rank_with === rank_without ? rank_with : `${rank_with ?? "–"} → ${rank_without ?? "–"}`,
  ),
];
