/** The sessions in groups of days, newest activity first. */

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Archive, ArrowLeft } from "lucide-react";
import { useEffect, useMemo } from "react";
import { asApiError } from "@/api/problem";
import { sessionsQuery } from "@/api/queries";
import type { SessionCard } from "@/api/types";
import { useRetryFailed } from "@/api/use-retry-failed";
import { SessionItem } from "@/features/sidebar/session-item";
import { counted } from "@/lib/format";
import { dayGroup } from "@/lib/time";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

/** How often a search is repeated while the server still reads answers for it. */
const STILL_READING_MS = 3000;

interface SessionListProps {
  search: string;
  archived: boolean;
  mode: string | null;
  tag: string | null;
  onArchived: (archived: boolean) => void;
  /** Null unless sessions are being selected. */
  selection: ReadonlyMap<string, SessionCard> | null;
  onSelect: (session: SessionCard) => void;
}

export function SessionList({ search, archived, mode, tag, onArchived, ...selecting }: SessionListProps) {
  // What is searched for or archived is found whether it is pinned or not.
  const apart = search === "" && !archived && tag === null;
  const query = useInfiniteQuery({
    // A search or a tag finds archived ones too.
    ...sessionsQuery({ search, mode, tag, ...(archived && { archived }), ...(apart && { pinned: false }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.unsearched ? STILL_READING_MS : false),
  });
  const unsearched = (search && query.data?.pages[0]?.unsearched) || 0;
  const {
    data: pins,
    hasNextPage: morePins,
    isFetching: fetchingPins,
    isError: noPins,
    fetchNextPage: fetchPins,
  } = useInfiniteQuery({ ...sessionsQuery({ search: "", mode, pinned: true }), enabled: apart });
  // What is pinned is there at once, however much it is.
  useEffect(() => {
    if (apart && morePins && !fetchingPins && !noPins) fetchPins();
  }, [apart, morePins, fetchingPins, noPins, fetchPins]);
  const pinned = apart ? (pins?.pages.flatMap((page) => page.sessions) ?? []) : [];
  const retry = useRetryFailed();
  const sessions = useMemo(() => query.data?.pages.flatMap((page) => page.sessions) ?? [], [query.data]);
  const groups = useMemo(() => groupByDay(sessions), [sessions]);
  return (
    <nav
      aria-label={archived ? "Archived sessions" : "Sessions"}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-3"
    >
      {archived && (
        <Button
          variant="quiet"
          size="sm"
          className="-mx-0.5 mb-1 self-start"
          onClick={() => onArchived(false)}
        >
          <ArrowLeft aria-hidden="true" />
          Back to sessions
        </Button>
      )}
      {query.isPending && <ListSkeleton />}
      {query.isError && sessions.length === 0 && (
        <div className="flex flex-col items-start gap-2 px-2 pt-3 text-sm text-ink-2">
          <p>{asApiError(query.error).message}</p>
          <Button size="sm" onClick={retry}>
            Retry
          </Button>
        </div>
      )}
      {unsearched > 0 && (
        <p role="status" className="px-2 pt-3 text-xs text-ink-3">
          Search is still reading {counted(unsearched, "answer")}. More results may follow.
        </p>
      )}
      {query.isSuccess && sessions.length + pinned.length === 0 && (
        <Empty search={search} archived={archived} filtered={(mode ?? tag) !== null} />
      )}
      {pinned.length > 0 && <Group title="Pinned" sessions={pinned} search="" {...selecting} />}
      {groups.map(([group, list]) => (
        <Group key={group} title={group} sessions={list} search={search} {...selecting} />
      ))}
      {query.hasNextPage && (
        <Button
          variant="quiet"
          size="sm"
          className="mt-2 justify-center"
          disabled={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
      {!archived && query.isSuccess && search === "" && (
        <Button
          variant="quiet"
          size="sm"
          className="mt-3 self-start text-ink-3"
          onClick={() => onArchived(true)}
        >
          <Archive aria-hidden="true" />
          Archived sessions
        </Button>
      )}
    </nav>
  );
}

interface GroupProps extends Pick<SessionListProps, "selection" | "onSelect"> {
  title: string;
  sessions: readonly SessionCard[];
  search: string;
}

function Group({ title, sessions, search, selection, onSelect }: GroupProps) {
  return (
    <div role="group" aria-label={title}>
      <h2 className="px-2 pt-3 pb-1 text-2xs font-medium text-ink-3">{title}</h2>
      <ul>
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            search={search}
            selected={selection?.has(session.id)}
            onSelect={onSelect}
          />
        ))}
      </ul>
    </div>
  );
}

function groupByDay(sessions: readonly SessionCard[]): [string, SessionCard[]][] {
  const groups = new Map<string, SessionCard[]>();
  for (const session of sessions) {
    const group = dayGroup(session.updated_at);
    groups.set(group, [...(groups.get(group) ?? []), session]);
  }
  return [...groups];
}

function Empty({ search, archived, filtered }: { search: string; archived: boolean; filtered: boolean }) {
  return (
    <p className="px-2 pt-3 text-sm text-ink-3">
      {search
        ? `No results for “${search}”`
        : archived
          ? "No archived sessions"
          : filtered
            ? "No sessions match this filter"
            : "No sessions yet"}
    </p>
  );
}

function ListSkeleton() {
  return (
    <div className="flex flex-col gap-3 px-2 pt-4">
      <Skeleton className="h-3 w-16" />
      <Skeleton className="h-4 w-44" />
      <Skeleton className="h-4 w-36" />
      <Skeleton className="h-4 w-48" />
    </div>
  );
}
