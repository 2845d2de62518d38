/** A person's own votes: found, corrected, replayed, taken out and brought in. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Swords } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useMayManage } from "@/api/permissions";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import { type VoteCard, votesQuery } from "@/api/votes";
import { Column } from "@/components/column";
import { PageHeader } from "@/components/page-header";
import { PageProblem } from "@/features/standings/page-problem";
import { useLiveStandings } from "@/features/standings/use-live-standings";
import { ImportExport } from "@/features/votes/import-export";
import { VoteFilters } from "@/features/votes/vote-filters";
import { VoteRow } from "@/features/votes/vote-row";
import type { VotesSearch } from "@/features/votes/votes-search";
import { dayGroup } from "@/lib/time";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function VotesPage() {
  const search = useSearch({ from: "/votes" });
  const { import: importing, ...filter } = search;
  const query = useInfiniteQuery(votesQuery({ ...filter, search: filter.search ?? "" }));
  const { data: board } = useQuery(boardQuery({ ...DEFAULT_BOARD, minVotes: 1 }));
  useLiveStandings();
  useTitle("My votes");
  const mayManage = useMayManage();
  const navigate = useNavigate();
  const change = useCallback(
    (next: VotesSearch) =>
      navigate({
        to: "/votes",
        search: (before: VotesSearch) => ({ ...before, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const votes = useMemo(() => query.data?.pages.flatMap((page) => page.votes) ?? [], [query.data]);
  const groups = useMemo(() => byDay(votes), [votes]);
  const categories = board?.categories ?? [];
  if (query.isError && votes.length === 0) return <PageProblem error={query.error} />;
  const filtered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <PageHeader>
        <h1 className="whitespace-nowrap text-base font-semibold">My votes</h1>
        <span className="flex-1" />
        {mayManage && (
          <ImportExport
            importing={importing ?? false}
            onImporting={(on) => change({ import: on || undefined })}
          />
        )}
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column wide className="flex flex-col gap-3.5 py-3 sm:py-5">
          <VoteFilters search={search} categories={categories} onChange={change} />
          {query.isPending && <Skeleton className="h-80 w-full rounded-lg" />}
          {query.isSuccess && votes.length === 0 && (
            <Nothing filtered={filtered} onClear={() => navigate({ to: "/votes", search: {} })} />
          )}
          {groups.map(([group, list]) => (
            <section key={group} aria-label={`Votes: ${group}`}>
              <h2 className="px-1 pb-1.5 text-xs font-medium text-ink-3">{group}</h2>
              <ul className="overflow-clip rounded-lg border border-line bg-surface">
                {list.map((vote) => (
                  <VoteRow key={vote.vote_id} vote={vote} categories={categories} />
                ))}
              </ul>
            </section>
          ))}
          {query.hasNextPage && (
            <Button
              className="self-center"
              disabled={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              Load older votes
            </Button>
          )}
        </Column>
      </div>
    </>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const navigate = useNavigate();
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-4 py-14 text-center">
      <h2 className="text-lg font-semibold">{filtered ? "No results" : "No votes yet"}</h2>
      <p className="max-w-md text-ink-2">
        {filtered
          ? "No votes match these filters."
          : "Votes appear here with the question, the models and whether they count."}
      </p>
      {filtered ? (
        <Button onClick={onClear}>Clear filters</Button>
      ) : (
        <Button variant="primary" onClick={() => navigate({ to: "/", search: { mode: "battle" } })}>
          <Swords aria-hidden="true" />
          Start a battle
        </Button>
      )}
    </div>
  );
}

function byDay(votes: readonly VoteCard[]): [string, VoteCard[]][] {
  const groups = new Map<string, VoteCard[]>();
  for (const vote of votes) {
    const group = dayGroup(vote.created_at);
    groups.set(group, [...(groups.get(group) ?? []), vote]);
  }
  return [...groups];
}
