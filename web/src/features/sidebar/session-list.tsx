/** The sessions in groups of days, newest activity first. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Archive, ArrowLeft } from "lucide-react";
import { useMemo } from "react";
import { asApiError } from "@/api/problem";
import { sessionsQuery } from "@/api/queries";
import type { SessionCard } from "@/api/types";
import { useRetryFailed } from "@/api/use-retry-failed";
import { SessionItem } from "@/features/sidebar/session-item";
import { type DayGroup, dayGroup } from "@/lib/time";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

interface SessionListProps {
  search: string;
  archived: boolean;
  onArchived: (archived: boolean) => void;
}

export function SessionList({ search, archived, onArchived }: SessionListProps) {
  const query = useInfiniteQuery({
    ...sessionsQuery({ search, archived }),
    placeholderData: keepPreviousData,
  });
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
          Back from the archive
        </Button>
      )}
      {query.isPending && <ListSkeleton />}
      {query.isError && sessions.length === 0 && (
        <div className="flex flex-col items-start gap-2 px-2 pt-3 text-sm text-ink-2">
          <p>{asApiError(query.error).message}</p>
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {query.isSuccess && sessions.length === 0 && <Empty search={search} archived={archived} />}
      {groups.map(([group, list]) => (
        <section key={group} aria-label={group}>
          <h2 className="px-2 pt-3 pb-1 text-2xs font-medium text-ink-3">{group}</h2>
          <ul>
            {list.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        </section>
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
          Archive
        </Button>
      )}
    </nav>
  );
}

function groupByDay(sessions: readonly SessionCard[]): [DayGroup, SessionCard[]][] {
  const groups = new Map<DayGroup, SessionCard[]>();
  for (const session of sessions) {
    const group = dayGroup(session.updated_at);
    groups.set(group, [...(groups.get(group) ?? []), session]);
  }
  return [...groups];
}

function Empty({ search, archived }: { search: string; archived: boolean }) {
  return (
    <p className="px-2 pt-3 text-sm text-ink-3">
      {search
        ? `Nothing is called “${search}”.`
        : archived
          ? "Nothing is archived."
          : "Your sessions will appear here."}
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
