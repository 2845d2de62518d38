/** The voters: who votes, how evenly and how fast, and what single voters move on the table. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useRightToManage } from "@/api/permissions";
import { VOTERS_PER_PAGE, voteHealthQuery, votersQuery } from "@/api/standings";
import type { VoteHealth } from "@/api/standings-types";
import { Column } from "@/components/column";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { Figures, Sides, Speed, Top } from "@/features/leaderboard/voters/figures";
import { Moves } from "@/features/leaderboard/voters/moves";
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
  const mayManage = useRightToManage();
  const { data: health, error } = useQuery({ ...voteHealthQuery, enabled: mayManage === true });
  useLiveStandings();
  useTitle("Voters");
  if (mayManage === false) {
    return (
      <EmptyPage title="Only administrators see the voters" text="The leaderboard is for everybody.">
        <Button asChild variant="primary">
          <Link to="/leaderboard/$category" params={{ category: "overall" }}>
            Open leaderboard
          </Link>
        </Button>
      </EmptyPage>
    );
  }
  if (error && !health) return <PageProblem error={error} />;
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Voters</h1>
        <span className="flex-1" />
        <Button asChild variant="quiet" className="max-sm:hidden">
          <Link to="/leaderboard/method">How it works</Link>
        </Button>
        <Button asChild variant="quiet">
          <Link to="/leaderboard/$category" params={{ category: "overall" }}>
            Leaderboard
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
        <Panel title="Does the first place depend on one voter?">
          <Top health={health} nameOf={nameOf} />
        </Panel>
        <div className="flex flex-col gap-3.5">
          <Panel title="Left or right">
            <Sides health={health} />
          </Panel>
          <Panel title="Speed" className="flex-1">
            <Speed health={health} />
          </Panel>
        </div>
      </div>
      <Panel title="Scores without flagged voters">
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
    <Panel title="All voters" flush>
      <p className="max-w-[90ch] px-4 pb-3 text-ink-2">
        Pseudonyms, as in the audit log. Evidence is how many times likelier the votes are by plan than from
        an honest person, in the order of the votes, compared with everyone not flagged. Voters above 100 are
        flagged. Check them: their votes count until you exclude them.
        {data &&
          health.voters > data.total &&
          ` The list has the ${formatCount(data.total)} voters with the most votes, of ${formatCount(health.voters)}.`}
      </p>
      {error && !data && <PageProblem error={error} />}
      {(data || !error) && (
        <VoterTable
          voters={data?.voters}
          fastSeconds={health.speed.fast_ms / 1000}
          search={search}
          onSort={go}
        />
      )}
      {data && (data.total > VOTERS_PER_PAGE || page > 1) && (
        <nav
          aria-label="Pages"
          className="num flex items-center justify-end gap-2.5 border-t border-line px-4 py-2.5 text-sm text-ink-2"
        >
          {formatCount(offset + 1)}–{formatCount(last)} of {formatCount(data.total)}
          <Button size="sm" disabled={page === 1} onClick={() => turn(page - 1)}>
            Previous
          </Button>
          <Button size="sm" disabled={last >= data.total} onClick={() => turn(page + 1)}>
            Next
          </Button>
        </nav>
      )}
    </Panel>
  );
}
