/** The review queue: what rules have found, to be released, kept or deleted. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ItemFilter, itemsQuery, type Rule } from "@/api/moderation";
import { Column } from "@/components/column";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { QueueItem } from "@/features/moderation/queue-item";
import type { QueueSearch } from "@/features/moderation/queue-search";
import { useModeration } from "@/features/moderation/use-moderation";
import { counted } from "@/lib/format";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";

type State = "open" | NonNullable<QueueSearch["state"]>;

const STATES: { value: State; label: string }[] = [
  { value: "open", label: "To review" },
  { value: "released", label: "Released" },
  { value: "kept", label: "Kept" },
  { value: "all", label: "All" },
];

export function QueuePage() {
  const moderation = useModeration();
  useTitle("Review queue");
  if (moderation === null) {
    return (
      <EmptyPage
        title="There is no review queue here"
        text="Moderation is off, or you are not an administrator. Nothing was changed."
      >
        <Button asChild>
          <Link to="/">To the arena</Link>
        </Button>
      </EmptyPage>
    );
  }
  return <Queue rules={moderation?.rules ?? []} open={moderation?.open} />;
}

function Queue({ rules, open }: { rules: readonly Rule[]; open: number | undefined }) {
  const search = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const change = (next: QueueSearch) =>
    navigate({
      to: "/moderation",
      search: (before: QueueSearch) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  const state: State = search.state ?? "open";
  const filter: ItemFilter = { ...search, state: state === "all" ? undefined : state };
  const query = useInfiniteQuery(itemsQuery(filter));
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <PageHeader>
        <h1 className="whitespace-nowrap text-base font-semibold">Review queue</h1>
        <span className="flex-1" />
        <Button asChild>
          <Link to="/settings" hash="moderation">
            Rules
          </Link>
        </Button>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column wide className="flex flex-col gap-3.5 py-3 sm:py-5">
          <p className="text-sm text-ink-2">{open === undefined ? " " : summary(open)}</p>
          <div role="search" aria-label="Filter the queue" className="flex flex-wrap items-center gap-2">
            <Segmented
              label="State"
              value={state}
              options={STATES}
              onChange={(value) => change({ state: value === "open" ? undefined : value })}
            />
            <Select
              aria-label="Moment"
              value={search.moment ?? ""}
              options={[
                { value: "", label: "Prompts and replies" },
                { value: "prompt", label: "Prompts" },
                { value: "reply", label: "Replies" },
              ]}
              onChange={(moment) => change({ moment: (moment || undefined) as QueueSearch["moment"] })}
            />
            <Select
              aria-label="Rule"
              className="max-w-60"
              value={search.rule ?? ""}
              options={[
                { value: "", label: "All rules" },
                ...rules.map(({ id, name, open: left }) => ({ value: id, label: `${name} (${left})` })),
              ]}
              onChange={(rule) => change({ rule: rule || undefined })}
            />
          </div>
          {!items && <Skeleton className="h-60 w-full rounded-lg" />}
          {items?.length === 0 && (
            <p className="rounded-lg border border-line bg-surface px-4 py-8 text-center text-sm text-ink-2">
              {state === "open" ? "Nothing to review." : "Nothing with these filters."}
            </p>
          )}
          {items && items.length > 0 && (
            <ul className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface">
              {items.map((item) => (
                <QueueItem key={item.id} item={item} />
              ))}
            </ul>
          )}
          {query.hasNextPage && (
            <Button
              className="self-center"
              disabled={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              Show earlier ones
            </Button>
          )}
        </Column>
      </div>
    </>
  );
}

const summary = (open: number) =>
  open
    ? `${counted(open, "finding")} to review. People are shown by the pseudonym of their votes, and a model not before its battle is voted on.`
    : "Nothing waits for a review.";
