/** All that the votes and the catalog say about one model. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { MessageCircle } from "lucide-react";
import { modelStatsQuery } from "@/api/standings";
import type { ModelStatsView } from "@/api/standings-types";
import { Column } from "@/components/column";
import { ModelMark } from "@/components/model-mark";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { Stat } from "@/components/stat";
import { ByCategory } from "@/features/leaderboard/model/by-category";
import { Facts } from "@/features/leaderboard/model/facts";
import { Opponents } from "@/features/leaderboard/model/opponents";
import { RatingHistory } from "@/features/leaderboard/model/rating-history";
import { rankText } from "@/features/leaderboard/rank-text";
import { LiveChip } from "@/features/standings/live-chip";
import { PageProblem } from "@/features/standings/page-problem";
import { RecentBattles } from "@/features/standings/recent-battles";
import { useLiveStandings } from "@/features/standings/use-live-standings";
import { WorthLine } from "@/features/standings/worth";
import { formatCount, formatMargin, formatMs, formatPercent, formatRating } from "@/lib/format";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";

export function ModelPage() {
  const { model: id } = useParams({ from: "/models/$model" });
  const { data, error } = useQuery(modelStatsQuery(id));
  const live = useLiveStandings();
  useTitle(data?.model.name ?? "Model");
  if (error && !data) {
    return (
      <PageProblem error={error}>
        <Button asChild>
          <Link to="/models">All models</Link>
        </Button>
      </PageProblem>
    );
  }
  return (
    <>
      <PageHeader>
        {data && <ModelMark organization={data.model.organization} name={data.model.name} />}
        <h1 className="min-w-0 text-base leading-tight font-semibold [overflow-wrap:anywhere]">
          {data?.model.name ?? "Model"}
        </h1>
        {data?.model.organization && (
          <p className="truncate text-ink-3 max-sm:hidden">{data.model.organization}</p>
        )}
        <LiveChip state={live} at={null} pending={0} />
        <span className="flex-1" />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {data ? <Loaded stats={data} /> : <Skeleton className="m-5 h-96 rounded-lg" />}
      </div>
    </>
  );
}

function Loaded({ stats }: { stats: ModelStatsView }) {
  const { model, overall } = stats;
  return (
    <Column wide className="flex flex-col gap-3.5 py-3 sm:py-5">
      <Ways stats={stats} />
      {model.description && <p className="max-w-[68ch] text-ink-2">{model.description}</p>}
      {overall ? (
        <dl className="grid grid-cols-2 gap-2.5 md:auto-cols-fr md:grid-flow-col md:grid-cols-none max-md:[&>:first-child:nth-last-child(odd)]:col-span-2">
          <Stat
            name={overall.provisional ? "Score, provisional" : "Score"}
            meaning="from all votes, mean 1000"
            value={formatRating(overall.rating)}
            unit={formatMargin(overall.ci_lower, overall.ci_upper)}
            title="Bradley-Terry score with 95% interval"
          />
          <Stat name="Rank" value={rankText(overall)} title="A range where intervals overlap" />
          <Stat name="Votes" value={formatCount(overall.votes)} />
          <Stat name="Win rate" value={formatPercent(overall.win_rate)} />
          {overall.ttft_p50_ms !== null && (
            <Stat
              name="First word"
              value={formatMs(overall.ttft_p50_ms)}
              title="Median time to the first word of voted answers"
            />
          )}
        </dl>
      ) : (
        <p className="rounded-md border border-line bg-surface px-4 py-3 text-ink-2">
          No votes yet. This model joins the leaderboard after its first battle.
        </p>
      )}
      <div className="grid gap-3.5 lg:grid-cols-[1.5fr_1fr]">
        <div className="flex min-w-0 flex-col gap-3.5">
          {overall && <RatingHistory model={model} />}
          {stats.categories.length > 0 && <ByCategory standings={stats.categories} />}
          {stats.opponents.length > 0 && <Opponents stats={stats} />}
        </div>
        <div className="flex min-w-0 flex-col gap-3.5">
          {stats.worth && (
            <Panel title="Was it worth it?">
              <p className="text-ink-2">
                <WorthLine model={model.id} worth={stats.worth} />
              </p>
            </Panel>
          )}
          <Facts model={model} use={stats.use} />
          {(overall || stats.recent.length > 0) && (
            <Panel title="Recent battles" flush>
              <RecentBattles battles={stats.recent} />
            </Panel>
          )}
        </div>
      </div>
    </Column>
  );
}

function Ways({ stats: { model, models } }: { stats: ModelStatsView }) {
  const navigate = useNavigate();
  return (
    <div className="flex flex-wrap gap-2">
      {model.enabled && (
        <Button onClick={() => navigate({ to: "/", search: { mode: "chat", model: model.id } })}>
          <MessageCircle aria-hidden="true" />
          Start a chat
        </Button>
      )}
      {models.length > 0 && (
        <Select
          aria-label="Compare with"
          className="max-w-60 max-sm:min-w-0 max-sm:flex-1"
          value=""
          options={[
            { value: "", label: "Compare with…" },
            ...models.map((other) => ({ value: other.id, label: other.name })),
          ]}
          onChange={(b) => b && navigate({ to: "/head-to-head/$a/$b", params: { a: model.id, b } })}
        />
      )}
      <Button asChild variant="quiet" className="max-sm:hidden">
        <Link to="/leaderboard/$category" params={{ category: "overall" }}>
          Leaderboard
        </Link>
      </Button>
    </div>
  );
}
