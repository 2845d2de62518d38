import type { ModelHistory } from "@/api/standings-types";
import { type Column, Table } from "@/components/table";
import { ScoreWithMargin } from "@/features/leaderboard/rating-columns";
import { formatCount } from "@/lib/format";
import { exactTime } from "@/lib/time";

/** The history as figures: a row per time, newest first, a column per model. */
export function HistoryTable({ models }: { models: readonly ModelHistory[] }) {
  const times = [...new Set(models.flatMap((each) => each.points.map((point) => point.at)))].sort().reverse();
  const columns: Column<string>[] = [
    {
      header: "Time",
      cell: exactTime,
      names: true,
      pinned: true,
      quiet: true,
      className: "whitespace-nowrap",
    },
    ...models.map(historyColumn),
  ];
  return (
    <Table
      flat
      dense
      scroll="max-h-[60vh]"
      label="History as a table"
      columns={columns}
      rows={times}
      rowKey={String}
    />
  );
}

function historyColumn({ model, points }: ModelHistory): Column<string> {
  const known = new Map(points.map((point) => [point.at, point]));
  return {
    id: model.id,
    header: model.name,
    figures: true,
    cellTitle: (at) => {
      const point = known.get(at);
      return point && `Rank ${point.rank_ub}, ${formatCount(point.votes)} votes`;
    },
    cell: (at) => {
      const point = known.get(at);
      return point ? <ScoreWithMargin {...point} /> : <span className="text-ink-3">–</span>;
    },
  };
}
