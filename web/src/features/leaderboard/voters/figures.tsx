/** The figures above everything: how many people the table stands on, and how they vote. */

import type { TopStability, VoteHealth } from "@/api/standings-types";
import { Stat } from "@/components/stat";
import { type Column, figureColumn, Table } from "@/components/table";
import { voterColumn } from "@/features/leaderboard/rating-columns";
import { counted, formatCount, formatMs, formatPercent } from "@/lib/format";

export function Figures({ health }: { health: VoteHealth }) {
  const { speed } = health;
  return (
    <dl aria-label="Figures" className="grid grid-cols-2 gap-2.5 md:grid-cols-3 xl:grid-cols-6">
      <Stat
        name="Counted votes"
        value={formatCount(health.votes)}
        {...(health.unknown > 0 && { meaning: `${formatCount(health.unknown)} without a known voter` })}
      />
      <Stat name="Voters" value={formatCount(health.voters)} />
      <Stat
        name="Effective voters"
        value={health.effective_voters.toLocaleString("en-US", {
          maximumFractionDigits: health.effective_voters < 100 ? 1 : 0,
        })}
        title="This many people with equally many votes would tell as much. With few, the table reflects the preferences of a few people."
      />
      <Stat name="Most active voter" value={formatPercent(health.top_share)} unit="of the votes" />
      <Stat name="Duplicate votes" value={formatCount(health.duplicates)} unit="not counted" />
      <Stat
        name="Time to vote"
        value={formatMs(speed.p50)}
        title="From the end of the last answer to the vote. Imported votes have it only where the file does."
        {...(speed.timed === 0 && { meaning: "no times known" })}
      />
    </dl>
  );
}

/** Which side wins, and what it is worth whoever sits there. */
export function Sides({ health }: { health: VoteHealth }) {
  const { left_wins, right_wins, position } = health;
  const decided = left_wins + right_wins;
  if (decided === 0) return <p className="text-ink-2">No votes are decided yet.</p>;
  const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
  const worth = position?.worth;
  const real = worth && (worth.ci_lower > 0 || worth.ci_upper < 0);
  return (
    <p className="num max-w-read text-ink-2">
      The left side won {formatCount(left_wins)} and the right side {formatCount(right_wins)} of the decided
      votes ({((100 * left_wins) / decided).toFixed(1)}% left).
      {worth
        ? ` Whichever model sits there, the left side is worth ${signed(worth.points)} points (95% interval ${signed(worth.ci_lower)} to ${signed(worth.ci_upper)}).`
        : position
          ? " In nearly all votes the same models sat on the same sides, so a side can’t be told from the models."
          : " The effect with its interval is computed in the background."}
      {worth &&
        (real
          ? " People prefer a side. Battles draw sides at random, so it cancels out there."
          : " No side is clearly preferred.")}
    </p>
  );
}

/** How soon votes come, where that is known. */
export function Speed({ health: { speed, votes } }: { health: VoteHealth }) {
  return (
    <p className="num max-w-read text-ink-2">
      {speed.timed === 0
        ? "No vote says how long the complete answers were visible. Votes cast here do. Imported votes do if Parley exported them."
        : `${formatCount(speed.timed)} of ${formatCount(votes)} votes say how long the complete answers were visible before the vote: ${formatMs(speed.p50)} in the median, and between ${formatMs(speed.p10)} and ${formatMs(speed.p90)} for four in five. ${formatPercent(speed.fast / speed.timed)} came within ${speed.fast_ms / 1000} s.`}
    </p>
  );
}

/** Whether one voter decides who is first. */
export function Top({ health, nameOf }: { health: VoteHealth; nameOf: (id: string) => string }) {
  const { top } = health;
  if (!top) return <p className="text-ink-2">Needs at least two ranked models and two known voters.</p>;
  const tried = counted(top.tried, "voter");
  return (
    <>
      <p className="max-w-read text-ink-2">
        {nameOf(top.top)} leads by {points(top.lead)} points over {nameOf(top.second)}.
        {top.changing === 0
          ? ` No single voter changes that: ${tried} were left out, one at a time.`
          : ` Leaving out ${top.changing === 1 ? "one voter" : `any one of ${counted(top.changing, "voter")}`} puts another model first. ${tried} were tried, one at a time.`}
      </p>
      <div className="mt-3">
        <Table
          dense
          flat
          label="Does the first place depend on one voter?"
          columns={topColumns(top, nameOf)}
          rows={top.voters.slice(0, CLOSEST_SHOWN)}
          rowKey={(voter) => voter.voter_id}
        />
      </div>
      <p className="mt-2 text-xs text-ink-3">
        The voters with the most votes on the five best models are left out, one at a time.
      </p>
    </>
  );
}

const CLOSEST_SHOWN = 5;

const topColumns = (
  { top }: TopStability,
  nameOf: (id: string) => string,
): Column<TopStability["voters"][number]>[] => [
  voterColumn("Without"),
  figureColumn("Votes", (voter) => formatCount(voter.votes), { quiet: true }),
  {
    header: "First",
    cell: ({ first }) => (
      <span className={first === top ? "text-ink-2" : "font-medium text-bad"}>{nameOf(first)}</span>
    ),
    className: "[overflow-wrap:anywhere]",
  },
  figureColumn("Lead", ({ lead }) => (lead === null ? "not ranked" : points(lead)), {
    hint: `Lead of ${nameOf(top)}`,
  }),
];

/** Points with one digit: a lead of 0.4 is none that a table of whole points shows. */
const points = (value: number) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;
