/** All that the votes and the catalog say about one model. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { MessageCircle } from "lucide-react";
import { modelStatsQuery } from "@/api/standings";
import type { ModelStatsView } from "@/api/standings-types";
import { Column } from "@/components/column";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { Stat } from "@/components/stat";
import { ByCategory } from "@/features/leaderboard/model/by-category";
import { Facts } from "@/features/leaderboard/model/facts";
import { Opponents } from "@/features/leaderboard/model/opponents";
import { RatingHistory } from "@/features/leaderboard/model/rating-history";
import { STRINGS } from "@/features/leaderboard/model/strings";
import { LiveChip } from "@/features/standings/live-chip";
import { ModelMark } from "@/features/standings/model-name";
import { PageProblem } from "@/features/standings/page-problem";
import { RecentBattles } from "@/features/standings/recent-battles";
import { STRINGS as STANDINGS } from "@/features/standings/strings";
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
  useTitle(data?.model.name ?? STRINGS.model);
  if (error && !data) {
    return (
      <PageProblem error={error}>
        <Button asChild>
          <Link to="/models">{STRINGS.allModels}</Link>
        </Button>
      </PageProblem>
    );
  }
  return (
    <>
      <PageHeader>
        {data && <ModelMark model={data.model} />}
        <h1 className="min-w-0 text-base leading-tight font-semibold [overflow-wrap:anywhere]">
          {data?.model.name ?? STRINGS.model}
        </h1>
        {data && data.model.organization !== "Unknown" && (
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
        <dl className="grid grid-cols-2 gap-2.5 sm:grid-cols-3 lg:grid-cols-6">
          <Stat
            name={overall.provisional ? STRINGS.scoreProvisional : STRINGS.score}
            meaning={STRINGS.scoreHint}
            value={formatRating(overall.rating)}
            unit={formatMargin(overall.ci_lower, overall.ci_upper)}
            title={STRINGS.scoreIntervalHint}
          />
          <Stat name={STRINGS.rankUb} value={overall.rank_ub} {...differing(overall)} />
          <Stat name={STRINGS.votes} value={formatCount(overall.votes)} />
          <Stat name={STRINGS.winRate} value={formatPercent(overall.win_rate)} />
          <Stat
            name={STRINGS.elo}
            value={formatRating(stats.elo)}
            meaning={STRINGS.eloHint}
            title={STRINGS.eloTitle}
          />
          <Stat name={STRINGS.ttftP50} value={formatMs(overall.ttft_p50_ms)} title={STRINGS.ttftHint} />
        </dl>
      ) : (
        <p className="rounded-md border border-line bg-surface px-4 py-3 text-ink-2">{STRINGS.noVotes}</p>
      )}
      <div className="grid gap-3.5 lg:grid-cols-[1.5fr_1fr]">
        <div className="flex min-w-0 flex-col gap-3.5">
          {overall && <RatingHistory model={model} />}
          {stats.categories.length > 0 && <ByCategory standings={stats.categories} />}
          {stats.opponents.length > 0 && <Opponents stats={stats} />}
        </div>
        <div className="flex min-w-0 flex-col gap-3.5">
          {stats.worth && (
            <Panel title={STANDINGS.worthTitle}>
              <p className="text-ink-2">
                <WorthLine model={model.id} worth={stats.worth} />
              </p>
            </Panel>
          )}
          <Facts model={model} use={stats.use} />
          {(overall || stats.recent.length > 0) && (
            <Panel title={STRINGS.recentBattles} flush>
              <RecentBattles battles={stats.recent} />
            </Panel>
          )}
        </div>
      </div>
    </Column>
  );
}

/** The rank by differences, where it is another one than that by upper bounds. */
const differing = ({ rank, rank_ub }: { rank: number; rank_ub: number }) =>
  rank === rank_ub
    ? {}
    : {
        unit: STRINGS.rankByDifferences(rank),
        title: STRINGS.rankByDifferencesHint,
      };

function Ways({ stats: { model, models } }: { stats: ModelStatsView }) {
  const navigate = useNavigate();
  return (
    <div className="flex flex-wrap gap-2">
      {model.enabled && (
        <Button onClick={() => navigate({ to: "/", search: { mode: "chat", model: model.id } })}>
          <MessageCircle aria-hidden="true" />
          {STRINGS.startAChat}
        </Button>
      )}
      {models.length > 0 && (
        <Select
          aria-label={STRINGS.compareWith}
          className="max-w-60 max-sm:min-w-0 max-sm:flex-1"
          value=""
          options={[
            { value: "", label: STRINGS.compareWithPlaceholder },
            ...models.map((other) => ({ value: other.id, label: other.name })),
          ]}
          onChange={(b) => b && navigate({ to: "/head-to-head/$a/$b", params: { a: model.id, b } })}
        />
      )}
      <Button asChild variant="quiet" className="max-sm:hidden">
        <Link to="/leaderboard/$category" params={{ category: "overall" }}>
          {STRINGS.leaderboard}
        </Link>
      </Button>
    </div>
  );
}
