/** Who stands where after a round, by whose ballots, and who leaves. */

import type { Column } from "@/components/table";
import type { Member } from "@/features/consortium/members";
import type { RankingNote } from "@/features/consortium/notes";
import { SeatDot } from "@/features/panels/seat-dot";
import { ScrollTable } from "@/features/panels/table";

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
  const columns: Column<RankingNote["mean_ranks"][number]>[] = [
    { header: "Rank", cell: (place) => ranking.mean_ranks.indexOf(place) + 1 },
    {
      header: "Member",
      cell: ({ seat }) => (
        <span className="inline-flex items-center gap-2">
          <SeatDot color={of(seat)?.color} />
          {of(seat)?.name ?? seat}
        </span>
      ),
    },
    { header: "Mean rank", cell: ({ mean_rank }) => mean_rank.toFixed(2) },
    { header: "Ballots", cell: ({ seat }) => ballotOf(seat) || "–", quiet: true },
    { header: "", cell: ({ seat }) => ranking.eliminated.includes(seat) && "leaves", quiet: true },
  ];
  return (
    <ScrollTable label="Ranking" columns={columns} rows={ranking.mean_ranks} rowKey={({ seat }) => seat} />
  );
}
