/** The analytics: dashboards of cards, each one question to usage. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type CSSProperties, useEffect, useMemo, useState } from "react";
import { modelsQuery } from "@/api/queries";
import { analyticsQuery, type Dashboard, type MeasureView, usageQuery } from "@/api/usage";
import { Column } from "@/components/column";
import { PageHeader } from "@/components/page-header";
import type { AnalyticsSearch } from "@/features/analytics/analytics-search";
import { FigureTile } from "@/features/analytics/figure-tile";
import { FilterBar } from "@/features/analytics/filter-bar";
import { NowStrip } from "@/features/analytics/now-strip";
import { PlugInCards } from "@/features/analytics/plug-in-cards";
import { questionOf, type Span, spanBefore, spanOf, unfiltered } from "@/features/analytics/question";
import { SavingsCard } from "@/features/analytics/savings-card";
import { UsageCard } from "@/features/analytics/usage-card";
import { PageProblem } from "@/features/standings/page-problem";
import { cn } from "@/lib/cn";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";
import { Skeleton } from "@/ui/skeleton";

const route = getRouteApi("/analytics");
const MINUTE = 60_000;

export function AnalyticsPage() {
  const { data, error, isError } = useQuery(analyticsQuery);
  const { data: models } = useQuery(modelsQuery);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useMinute();
  const span = useMemo(() => spanOf(search.days ?? 30, now), [search.days, now]);
  const names = useMemo(() => new Map(models?.map(({ id, name }) => [id, name])), [models]);
  useTitle("Analytics");
  if (isError && !data) return <PageProblem error={error} />;
  const change = (next: AnalyticsSearch) =>
    navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  const dashboards = data?.dashboards ?? [];
  const dashboard = dashboards.find(({ of }) => of === search.of) ?? dashboards[0];
  return (
    <>
      <PageHeader>
        <h1 className="whitespace-nowrap text-base font-semibold max-sm:sr-only">Analytics</h1>
        {dashboard && dashboards.length > 1 && (
          <Segmented
            label="Dashboard"
            value={dashboard.of}
            options={dashboards.map(({ of, title }) => ({ value: of, label: title }))}
            onChange={(of) => change({ of, person: undefined })}
          />
        )}
        <span className="flex-1" />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column wide className="flex flex-col gap-3 py-3 sm:py-4">
          {!dashboard && <Skeleton className="h-96 w-full rounded-lg" />}
          {data && dashboard && (
            <>
              {dashboard.of === "installation" && <NowStrip />}
              <FilterBar search={search} of={dashboard.of} span={span} models={names} onChange={change} />
              <Cards
                dashboard={dashboard}
                measures={data.measures}
                search={search}
                span={span}
                models={names}
              />
              <PlugInCards
                of={dashboard.of}
                measures={data.measures}
                search={search}
                span={span}
                models={names}
              />
              <p className="pb-2 text-xs text-ink-3">
                Days begin at midnight UTC. Calls are counted within a minute, those of a blind match after
                its vote.
              </p>
            </>
          )}
        </Column>
      </div>
    </>
  );
}

interface CardsProps {
  dashboard: Dashboard;
  measures: readonly MeasureView[];
  search: AnalyticsSearch;
  span: Span;
  models: ReadonlyMap<string, string>;
}

function Cards({ dashboard, measures, search, span, models }: CardsProps) {
  const cards = dashboard.cards.flatMap((card) => {
    const measure = measures.find(({ name }) => name === card.measure);
    return measure ? [{ card, measure, key: `${card.title} ${card.kind} ${(card.by ?? []).join()}` }] : [];
  });
  const of = dashboard.of;
  const { data: requests } = useQuery(usageQuery({ measure: "requests", by: "model", of, ...span }));
  const empty = requests?.rows.length === 0;
  const figures = cards.filter(({ card }) => card.kind === "figure");
  // One row, or two of the same length.
  const columns = { "--all": figures.length, "--half": Math.ceil(figures.length / 2) } as CSSProperties;
  return (
    <>
      <dl
        style={columns}
        className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-[repeat(var(--half),minmax(0,1fr))] xl:grid-cols-[repeat(var(--all),minmax(0,1fr))]"
      >
        {figures.map(({ card, measure, key }) => (
          <FigureTile
            key={key}
            card={card}
            measure={measure}
            question={questionOf(card, measure, search, of, span)}
            before={questionOf({ measure: card.measure, by: [] }, measure, search, of, spanBefore(span))}
          />
        ))}
      </dl>
      {of === "me" && !empty && <SavingsCard question={{ measure: "cost", by: "model", of, ...span }} />}
      {empty ? (
        <EmptyRange />
      ) : (
        [false, true].map((tables) => (
          <div
            key={String(tables)}
            // A row of tables is as wide as the page; charts fill theirs, the last ones too.
            className={cn("flex flex-wrap gap-3", tables ? "*:basis-full" : "*:flex-[1_1_20rem]")}
          >
            {cards
              .filter(({ card }) => card.kind !== "figure" && (card.kind === "table") === tables)
              .map(({ card, measure, key }) => (
                <UsageCard
                  key={key}
                  card={card}
                  measure={measure}
                  question={questionOf(card, measure, search, of, span)}
                  unfiltered={unfiltered(measure, search)}
                  models={models}
                />
              ))}
          </div>
        ))
      )}
    </>
  );
}

/** Nothing was asked at all: one sentence instead of a page of empty cards. */
function EmptyRange() {
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border border-dashed border-line-strong px-4 py-14 text-center">
      <p className="max-w-md text-ink-2">
        No model was asked in this range, or only in battles without a vote. Cost, tokens and times appear
        here with the first replies.
      </p>
      <Button asChild variant="primary">
        <Link to="/">Ask a question</Link>
      </Button>
    </div>
  );
}

/** The time, to the minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}
