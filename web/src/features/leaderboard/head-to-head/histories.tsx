import { useQuery } from "@tanstack/react-query";
import { historyQuery } from "@/api/standings";
import type { HeadToHead } from "@/api/standings-types";
import { alongOf, pointsAlong } from "@/components/charts/layout";
import { LineChart } from "@/components/charts/line-chart";
import { Panel } from "@/components/panel";
import { formatRating } from "@/lib/format";
import { PAIR_COLORS } from "@/lib/pair-colors";

/** Both scores over time. */
export function Histories({ data: { left_model, right_model } }: { data: HeadToHead }) {
  const { data } = useQuery(historyQuery("overall", "bradley-terry", [left_model.id, right_model.id]));
  const changesOf = (id: string) => data?.models.find((each) => each.model.id === id)?.points ?? [];
  const along = alongOf([left_model, right_model].map(({ id }) => changesOf(id)));
  const series = [
    { model: left_model, color: PAIR_COLORS.left },
    { model: right_model, color: PAIR_COLORS.right },
  ].map(({ model, color }, index) => ({
    id: model.id,
    label: model.name,
    color,
    dashed: index === 1,
    points: pointsAlong(along, changesOf(model.id)),
  }));
  if (Math.max(...series.map((each) => each.points.length)) < 2) return null;
  return (
    <Panel title="Scores over time">
      <LineChart
        label={`Scores over time of ${left_model.name} and ${right_model.name}`}
        series={series}
        height={220}
        along={along}
        format={formatRating}
      />
    </Panel>
  );
}
