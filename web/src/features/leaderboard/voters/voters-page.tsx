/** The voters: who votes, how evenly and how fast, and what single voters move on the table. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { VOTERS_PER_PAGE, voteHealthQuery, votersQuery } from "@/api/standings";
import type { VoteHealth } from "@/api/standings-types";
import { Column } from "@/components/column";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { Figures, Sides, Speed, Top } from "@/features/leaderboard/voters/figures";
import { Moves } from "@/features/leaderboard/voters/moves";
import { STRINGS } from "@/features/leaderboard/voters/strings";
import { VoterTable } from "@/features/leaderboard/voters/voter-table";
import type { VotersSearch } from "@/features/leaderboard/voters/voters-search";
import { PageProblem } from "@/features/standings/page-problem";
import { useLiveStandings } from "@/features/standings/use-live-standings";
import { formatCount } from "@/lib/format";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function VotersPage() {
  const search = useSearch({ from: "/leaderboard/voters" });
  const { data: health, error } = useQuery(voteHealthQuery);
  useLiveStandings();
  useTitle(STRINGS.title);
  if (error && !health) return <PageProblem error={error} />;
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">{STRINGS.title}</h1>
        <span className="flex-1" />
        <Button asChild variant="quiet" className="max-sm:hidden">
          <Link to="/leaderboard/method">{STRINGS.method}</Link>
        </Button>
        <Button asChild variant="quiet">
          <Link to="/leaderboard/$category" params={{ category: "overall" }}>
            {STRINGS.leaderboard}
          </Link>
        </Button>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto" data-scroller>
        <Column wide className="flex flex-col gap-3.5 py-3 sm:py-5">
          {health ? (
            <Health health={health} search={search} />
          ) : (
            <>
              <Skeleton className="h-20 w-full rounded-md" />
              <Skeleton className="h-96 w-full rounded-lg" />
            </>
          )}
        </Column>
      </div>
    </>
  );
}

function Health({ health, search }: { health: VoteHealth; search: VotersSearch }) {
  const nameOf = (id: string) => health.models.find((model) => model.id === id)?.name ?? id;
  return (
    <>
      <Figures health={health} />
      <div className="grid gap-3.5 lg:grid-cols-2">
        <Panel title={STRINGS.topTitle}>
          <Top health={health} nameOf={nameOf} />
        </Panel>
        <div className="flex flex-col gap-3.5">
          <Panel title={STRINGS.sideTitle}>
            <Sides health={health} />
          </Panel>
          <Panel title={STRINGS.speedTitle} className="flex-1">
            <Speed health={health} />
          </Panel>
        </div>
      </div>
      <Panel title={STRINGS.movesTitle}>
        <Moves effects={health.exclusions} nameOf={nameOf} />
      </Panel>
      <Voters search={search} health={health} />
    </>
  );
}

function Voters({ search, health }: { search: VotersSearch; health: VoteHealth }) {
  const navigate = useNavigate();
  const page = search.page ?? 1;
  const offset = (page - 1) * VOTERS_PER_PAGE;
  const { data, error } = useQuery(
    votersQuery({ sort_by: search.by ?? "votes", order: search.rising ? "asc" : "desc", offset }),
  );
  const go = (next: VotersSearch) =>
    navigate({ to: "/leaderboard/voters", search: next, replace: true, resetScroll: false });
  const turn = (to: number) => go({ ...search, page: to > 1 ? to : undefined });
  const last = data ? offset + data.voters.length : 0;
  return (
    <Panel title={STRINGS.listTitle} flush>
      <p className="max-w-[90ch] px-4 pb-3 text-ink-2">
        {STRINGS.listHint}
        {data &&
          health.voters > data.total &&
          STRINGS.listCut(formatCount(data.total), formatCount(health.voters))}
      </p>
      {error && !data && <PageProblem error={error} />}
      {!data && !error && <Skeleton className="mx-4 mb-4 h-64 rounded-md" />}
      {data && data.total === 0 && <p className="px-4 pb-4 text-ink-2">{STRINGS.listEmpty}</p>}
      {data && data.total > 0 && (
        <VoterTable
          voters={data.voters}
          fastSeconds={health.speed.fast_ms / 1000}
          search={search}
          onSort={go}
        />
      )}
      {data && (data.total > VOTERS_PER_PAGE || page > 1) && (
        <nav
          aria-label={STRINGS.pages}
          className="num flex items-center justify-end gap-2.5 border-t border-line px-4 py-2.5 text-sm text-ink-2"
        >
          {STRINGS.range(formatCount(offset + 1), formatCount(last), formatCount(data.total))}
          <Button size="sm" disabled={page === 1} onClick={() => turn(page - 1)}>
            {STRINGS.previous}
          </Button>
          <Button size="sm" disabled={last >= data.total} onClick={() => turn(page + 1)}>
            {STRINGS.next}
          </Button>
        </nav>
      )}
    </Panel>
  );
}
