/** The figures above everything: how many people the table stands on, and how they vote. */

import type { VoteHealth } from "@/api/standings-types";
import { Stat } from "@/components/stat";
import { STRINGS } from "@/features/leaderboard/voters/strings";
import { shortVoter } from "@/features/standings/voter";
import { cn } from "@/lib/cn";
import { counted, formatCount, formatMs, formatPercent } from "@/lib/format";

export function Figures({ health }: { health: VoteHealth }) {
  const { speed } = health;
  return (
    <dl aria-label={STRINGS.figures} className="grid grid-cols-2 gap-2.5 md:grid-cols-3 xl:grid-cols-6">
      <Stat
        name={STRINGS.countedVotes}
        value={formatCount(health.votes)}
        {...(health.unknown > 0 && { meaning: STRINGS.unknownVotes(formatCount(health.unknown)) })}
      />
      <Stat name={STRINGS.voters} value={formatCount(health.voters)} />
      <Stat
        name={STRINGS.effectiveVoters}
        value={health.effective_voters.toLocaleString("en-US", {
          maximumFractionDigits: health.effective_voters < 100 ? 1 : 0,
        })}
        title={STRINGS.effectiveVotersHint}
      />
      <Stat name={STRINGS.topShare} value={formatPercent(health.top_share)} unit={STRINGS.ofVotes} />
      <Stat
        name={STRINGS.duplicates}
        value={formatCount(health.duplicates)}
        unit={STRINGS.duplicatesMeaning}
      />
      <Stat
        name={STRINGS.readingTime}
        value={formatMs(speed.p50)}
        title={STRINGS.readingTimeHint}
        {...(speed.timed === 0 && { meaning: STRINGS.timeUnknown })}
      />
    </dl>
  );
}

/** Which side wins, and what it is worth whoever sits there. */
export function Sides({ health }: { health: VoteHealth }) {
  const { left_wins, right_wins, position } = health;
  const decided = left_wins + right_wins;
  if (decided === 0) return <p className="text-ink-2">{STRINGS.noDecided}</p>;
  const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
  const worth = position?.worth;
  const real = worth && (worth.ci_lower > 0 || worth.ci_upper < 0);
  return (
    <p className="num max-w-read text-ink-2">
      {STRINGS.sideVotes(
        formatCount(left_wins),
        formatCount(right_wins),
        `${((100 * left_wins) / decided).toFixed(1)}%`,
      )}
      {worth
        ? STRINGS.sideEffect(signed(worth.points), signed(worth.ci_lower), signed(worth.ci_upper))
        : position
          ? STRINGS.sideConfounded
          : STRINGS.sidePending}
      {worth && (real ? STRINGS.sideReal : STRINGS.sideUnclear)}
    </p>
  );
}

/** How soon votes come, where that is known. */
export function Speed({ health }: { health: VoteHealth }) {
  const { speed } = health;
  return (
    <p className="num max-w-read text-ink-2">
      {speed.timed === 0
        ? STRINGS.speedUnknown
        : STRINGS.speed(
            formatCount(speed.timed),
            formatCount(health.votes),
            formatMs(speed.p50),
            formatMs(speed.p10),
            formatMs(speed.p90),
            formatPercent(speed.fast / speed.timed),
            speed.fast_ms / 1000,
          )}
    </p>
  );
}

/** Whether one voter decides who is first. */
export function Top({ health, nameOf }: { health: VoteHealth; nameOf: (id: string) => string }) {
  const { top } = health;
  if (!top) return <p className="text-ink-2">{STRINGS.topEmpty}</p>;
  const tried = counted(top.tried, "voter");
  return (
    <>
      <p className="max-w-read text-ink-2">
        {STRINGS.topLead(nameOf(top.top), points(top.lead), nameOf(top.second))}
        {top.changing === 0 ? STRINGS.topNone(tried) : STRINGS.topSome(counted(top.changing, "voter"), tried)}
      </p>
      <div className="mt-3 overflow-x-auto">
        <table className="num w-full text-left text-sm [&_:is(td,th)]:py-1.5 [&_:is(td,th)]:pr-3">
          <thead className="text-xs text-ink-3">
            <tr>
              <th scope="col" className="font-medium">
                {STRINGS.withoutVoter}
              </th>
              <th scope="col" className="text-right font-medium">
                {STRINGS.votes}
              </th>
              <th scope="col" className="font-medium">
                {STRINGS.first}
              </th>
              <th
                scope="col"
                className="pr-0! text-right font-medium"
                title={STRINGS.leadOf(nameOf(top.top))}
              >
                {STRINGS.leadNow}
              </th>
            </tr>
          </thead>
          <tbody>
            {top.voters.slice(0, CLOSEST_SHOWN).map((voter) => (
              <tr key={voter.voter_id} className="border-t border-line">
                <th scope="row" className="font-mono font-normal" title={voter.voter_id}>
                  {shortVoter(voter.voter_id)}
                </th>
                <td className="text-right text-ink-2">{formatCount(voter.votes)}</td>
                <td
                  className={cn(
                    "normal-nums",
                    voter.first === top.top ? "text-ink-2" : "font-medium text-bad",
                  )}
                >
                  <span className="[overflow-wrap:anywhere]">{nameOf(voter.first)}</span>
                </td>
                <td className="pr-0! text-right whitespace-nowrap">
                  {voter.lead === null ? STRINGS.notRanked : points(voter.lead)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 text-xs text-ink-3">{STRINGS.topTried}</p>
    </>
  );
}

const CLOSEST_SHOWN = 5;

/** Points with one digit: a lead of 0.4 is none that a table of whole points shows. */
const points = (value: number) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;
