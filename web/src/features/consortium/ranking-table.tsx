/** Who stands where after a round, by whose ballots, and who leaves. */

import type { Member } from "@/features/consortium/members";
import type { RankingNote } from "@/features/consortium/notes";
import { STRINGS } from "@/features/consortium/strings";
import { Table } from "@/features/panels/table";

interface RankingTableProps {
  ranking: RankingNote;
  members: readonly Member[];
  arbiter: string;
}

export function RankingTable({ ranking, members, arbiter }: RankingTableProps) {
  const of = (seat: string) => members.find((member) => member.seat === seat);
  const ballotOf = (seat: string) =>
    ranking.ballots
      .flatMap(({ judge, order }) => {
        const place = order.indexOf(seat);
        return place < 0 ? [] : [`${of(judge)?.name ?? arbiter}: ${place + 1}`];
      })
      .join(", ");
  return (
    <Table
      label={STRINGS.ranking}
      head={[STRINGS.rank, STRINGS.member, STRINGS.meanRank, STRINGS.ballots, ""]}
    >
      {ranking.mean_ranks.map(({ seat, mean_rank }, index) => (
        <tr key={seat}>
          <td className="px-3 py-1.5">{index + 1}</td>
          <td className="px-3 py-1.5">
            <span className="inline-flex items-center gap-2">
              <i aria-hidden="true" className="size-2 rounded-full" style={{ background: of(seat)?.color }} />
              {of(seat)?.name ?? seat}
            </span>
          </td>
          <td className="px-3 py-1.5">{mean_rank.toFixed(2)}</td>
          <td className="px-3 py-1.5 text-ink-2">{ballotOf(seat) || "–"}</td>
          <td className="px-3 py-1.5 text-ink-2">
            {ranking.eliminated.includes(seat) ? STRINGS.leaves : ""}
          </td>
        </tr>
      ))}
    </Table>
  );
}
