import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { CategoryStanding } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { type Column, figureColumn, Table } from "@/components/table";
import { rankText } from "@/features/leaderboard/rank-text";
import { intervalColumn, ScoreWithMargin } from "@/features/leaderboard/rating-columns";
import { formatCount, formatPercent } from "@/lib/format";
import { type Scale, scaleOver } from "@/lib/scale";

/** The model's place in every category that it has votes in. */
export function ByCategory({ standings }: { standings: readonly CategoryStanding[] }) {
  const columns = useMemo(
    () =>
      columnsOver(
        scaleOver(standings.flatMap((each) => [each.ci_lower ?? each.rating, each.ci_upper ?? each.rating])),
      ),
    [standings],
  );
  return (
    <Panel title="By category" flush>
      <Table
        dense
        fixed
        label="By category"
        columns={columns}
        rows={standings}
        rowKey={(each) => each.category.id}
      />
    </Panel>
  );
}

const columnsOver = (scale: Scale): Column<CategoryStanding>[] => [
  {
    header: "Category",
    cell: ({ category, provisional }) => (
      <>
        <Link
          to="/leaderboard/$category"
          params={{ category: category.id }}
          title={category.description}
          className="rounded-xs hover:underline"
        >
          {category.title}
        </Link>
        {provisional && <span className="ml-2 text-2xs text-ink-3 @max-lg:hidden">provisional</span>}
      </>
    ),
    names: true,
    className: "truncate",
  },
  figureColumn("Rank", rankText, { width: "w-16", quiet: true }),
  figureColumn("Score", (each) => <ScoreWithMargin {...each} />, {
    width: "w-26",
    className: "font-semibold",
  }),
  intervalColumn(scale, () => "var(--accent)", { width: "w-1/4", narrow: "lg" }),
  figureColumn("Votes", (each) => formatCount(each.votes), { width: "w-16", narrow: "md" }),
  figureColumn("Win rate", (each) => formatPercent(each.win_rate), { width: "w-20" }),
];
