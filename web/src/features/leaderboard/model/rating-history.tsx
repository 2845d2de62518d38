import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { historyQuery } from "@/api/standings";
import type { ModelCard } from "@/api/types";
import { alongOf, pointsAlong } from "@/components/charts/layout";
import { LineChart } from "@/components/charts/line-chart";
import { Panel } from "@/components/panel";
import { formatRating } from "@/lib/format";
import { colorOfModel } from "@/lib/series";
import { Skeleton } from "@/ui/skeleton";

/** The model's score over time. */
export function RatingHistory({ model }: { model: ModelCard }) {
  const { data } = useQuery(historyQuery("overall", "bradley-terry", [model.id]));
  const points = data?.models.find((each) => each.model.id === model.id)?.points ?? [];
  const along = alongOf([points]);
  const [first, last] = [points[0], points.at(-1)];
  return (
    <Panel
      title="Score over time"
      aside={
        <Link
          to="/leaderboard/$category"
          params={{ category: "overall" }}
          search={{ view: "history", models: model.id }}
          className="inline-flex touch:min-h-11 touch:min-w-11 items-center rounded-xs text-xs text-ink-2 underline underline-offset-2 hover:text-ink"
        >
          Compare with others
        </Link>
      }
    >
      {!data && <Skeleton className="h-40 w-full" />}
      {data && points.length < 2 && (
        <p className="text-ink-2">One point per hour with changes. The chart needs at least two.</p>
      )}
      {first && last && points.length > 1 && (
        <LineChart
          label={`Score over time, from ${formatRating(first.rating)} to ${formatRating(last.rating)}`}
          height={180}
          along={along}
          format={formatRating}
          series={[
            {
              id: model.id,
              label: "",
              color: colorOfModel(model),
              points: pointsAlong(along, points),
            },
          ]}
        />
      )}
    </Panel>
  );
}
