/** The table with and without the votes of each flagged or excluded voter. */

import { useQuery } from "@tanstack/react-query";
import { flaggedVotersQuery } from "@/api/standings";
import type { ExclusionEffect, FlaggedVoter } from "@/api/standings-types";
import { STRINGS } from "@/features/leaderboard/voters/strings";
import { shortVoter } from "@/features/standings/voter";
import { VoterRuling } from "@/features/standings/voter-ruling";
import { counted, formatRating, formatSigned } from "@/lib/format";

interface MovesProps {
  effects: readonly ExclusionEffect[];
  nameOf: (id: string) => string;
}

export function Moves({ effects, nameOf }: MovesProps) {
  const { data } = useQuery(flaggedVotersQuery);
  if (effects.length === 0) return <p className="text-ink-2">{STRINGS.movesNone}</p>;
  return (
    <>
      <p className="max-w-read text-ink-2">{STRINGS.movesHint}</p>
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
            {effect.excluded ? STRINGS.excludedState : STRINGS.flagged}.{" "}
            {effect.moved === 0
              ? STRINGS.movesNothing(votes)
              : STRINGS.moved(votes, counted(effect.moved, "model"))}
          </span>
        </h3>
        {flag && <VoterRuling voter={flag} small />}
      </div>
      {effect.moves.length > 0 && (
        <div className="mt-1 overflow-x-auto">
          <table className="num w-full max-w-read text-left text-sm [&_:is(td,th)]:py-1 [&_:is(td,th)]:pr-3">
            <thead className="text-xs text-ink-3">
              <tr>
                <th scope="col" className="font-medium">
                  {STRINGS.model}
                </th>
                {[STRINGS.scoreWith, STRINGS.scoreWithout, STRINGS.change, STRINGS.rank].map((head) => (
                  <th key={head} scope="col" className="text-right font-medium whitespace-nowrap last:pr-0!">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {effect.moves.map((move) => (
                <tr key={move.model} className="border-t border-line">
                  <th scope="row" className="font-normal [overflow-wrap:anywhere]">
                    {nameOf(move.model)}
                  </th>
                  <td className="text-right text-ink-2">{formatRating(move.rating_with)}</td>
                  <td className="text-right text-ink-2">{formatRating(move.rating_without)}</td>
                  <td className="text-right">
                    {move.rating_with === null || move.rating_without === null
                      ? STRINGS.none
                      : formatSigned(move.rating_without - move.rating_with)}
                  </td>
                  <td className="pr-0! text-right whitespace-nowrap">
                    {move.rank_with === move.rank_without
                      ? move.rank_with
                      : STRINGS.rankMove(move.rank_with ?? STRINGS.none, move.rank_without ?? STRINGS.none)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {effect.moved > effect.moves.length && (
            <p className="pt-1 text-xs text-ink-3">{STRINGS.largest(effect.moves.length, effect.moved)}</p>
          )}
        </div>
      )}
    </>
  );
}
