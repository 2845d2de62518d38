/** The leaderboard: what the votes say so far, live. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { asApiError } from "@/api/problem";
import { boardQuery } from "@/api/standings";
import type { Leaderboard, LeaderboardLine } from "@/api/standings-types";
import { useRetryFailed } from "@/api/use-retry-failed";
import { Column } from "@/components/column";
import { EmptyPage } from "@/components/empty-page";
import { lazyPart } from "@/components/lazy-part";
import { PageHeader } from "@/components/page-header";
import { type BoardSearch, MIN_VOTES, whatIsThere } from "@/features/leaderboard/board-search";
import { boardSentence } from "@/features/leaderboard/board-sentence";
import { NoTable } from "@/features/leaderboard/no-table";
import { NoVotes } from "@/features/leaderboard/no-votes";
import { PreferenceTable } from "@/features/leaderboard/preference-table";
import { PriorCard } from "@/features/leaderboard/prior-card";
import { Toolbar } from "@/features/leaderboard/toolbar";
import { BoardView } from "@/features/leaderboard/views";
import { LiveChip } from "@/features/standings/live-chip";
import { useLiveStandings } from "@/features/standings/use-live-standings";
import { cn } from "@/lib/cn";
import { counted } from "@/lib/format";
import { currentSpace } from "@/lib/space";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";
import { Skeleton } from "@/ui/skeleton";

const PriorDialog = lazyPart(() =>
  import("@/features/leaderboard/prior-dialog").then((part) => part.PriorDialog),
);

/** Fewer models than these are no table to read. */
const FEWEST_LINES = 2;

const holds = (lines: readonly LeaderboardLine[], id: string | undefined) =>
  id === undefined || lines.some((line) => line.model.id === id);

/** The table as asked for; everybody with a vote while hardly any model, or not the one named, has the usual number. */
function useBoard(category: string, search: BoardSearch) {
  const filter = {
    category,
    method: search.method ?? "bradley-terry",
    uncounted: search.include_uncounted ?? false,
    minVotes: search.min_votes ?? MIN_VOTES,
    space: search.votes === "workspace",
  };
  // Votes that wait to be counted are no change yet, so nobody tells of them.
  const usual = useQuery({ ...boardQuery(filter), refetchInterval: 30_000 });
  const { data } = usual;
  const young =
    search.min_votes === undefined &&
    data !== undefined &&
    data.left_out > 0 &&
    (data.lines.length < FEWEST_LINES || !holds(data.lines, search.line));
  const whole = useQuery({ ...boardQuery({ ...filter, minVotes: 1 }), enabled: young });
  return young && whole.data ? whole : usual;
}

export function LeaderboardPage() {
  const { category } = useParams({ from: "/leaderboard/$category" });
  const search = whatIsThere(useSearch({ from: "/leaderboard/$category" }), currentSpace() !== null);
  const query = useBoard(category, search);
  const live = useLiveStandings();
  const navigate = useNavigate();
  // Here, since the cards move to another place with the first votes.
  const [editingPrior, setEditingPrior] = useState(false);
  const editPrior = () => setEditingPrior(true);
  const board = query.data;
  const title = board?.categories.find((each) => each.id === category)?.title;
  useTitle(category === "overall" || !title ? "Leaderboard" : `${title} · Leaderboard`);
  const change = useCallback(
    (next: BoardSearch) =>
      navigate({
        to: "/leaderboard/$category",
        params: { category },
        search: (before: BoardSearch) => ({ ...before, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, category],
  );
  if (query.isError && !board) return <LoadError error={query.error} category={category} />;
  const nothing = board !== undefined && board.votes === 0 && board.lines.length === 0;
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Leaderboard</h1>
        <LiveChip state={live} at={board?.as_of ?? null} pending={board?.worker.pending ?? 0} />
        {board && board.votes > 0 && (
          <p className="num -ml-1 truncate text-ink-3">
            <span className="max-md:hidden">· </span>
            {counted(board.votes, "vote")}
            <span className="max-sm:hidden"> · {counted(board.models, "model")}</span>
          </p>
        )}
        <span className="flex-1" />
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto" data-scroller>
        <Column
          wide
          className={cn(
            "flex flex-col gap-3.5 py-3 transition-opacity sm:py-5 sm:pt-4.5",
            query.isPlaceholderData && "opacity-60",
          )}
        >
          {board ? (
            <>
              {currentSpace() !== null && <WhoseVotes search={search} onChange={change} />}
              {!nothing && <Headline board={board} />}
              <Toolbar board={board} category={category} search={search} onChange={change} />
              {nothing && search.method ? (
                <NoTable method={board.method} onChange={change} />
              ) : nothing ? (
                <NoVotes
                  category={category}
                  title={title}
                  search={search}
                  uncounted={board.uncounted}
                  onChange={change}
                />
              ) : (
                <BoardView
                  board={board}
                  category={category}
                  search={search}
                  onChange={change}
                  onEditPrior={editPrior}
                />
              )}
              {nothing && !search.votes && (
                <div className="flex">
                  <PriorCard board={board} onEdit={editPrior} />
                </div>
              )}
              {!search.votes && <PreferenceTable />}
              {editingPrior && (
                <PriorDialog
                  ranked={board.lines.map(({ model }) => model)}
                  onClose={() => setEditingPrior(false)}
                />
              )}
            </>
          ) : (
            <>
              <Skeleton className="h-9 w-2/3 rounded-md" />
              <Skeleton className="h-96 w-full rounded-lg" />
            </>
          )}
        </Column>
      </div>
    </>
  );
}

/** In a workspace: everybody's votes, or those in its own sessions. */
function WhoseVotes({ search, onChange }: { search: BoardSearch; onChange: (change: BoardSearch) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Segmented
        label="Votes of"
        value={search.votes ?? "all"}
        options={[
          { value: "all", label: "Everybody" },
          { value: "workspace", label: "This workspace" },
        ]}
        onChange={(votes) => onChange({ votes: votes === "workspace" ? votes : undefined })}
      />
      {search.votes && (
        <p className="text-xs text-ink-3">
          Votes in this workspace’s sessions. They count for everybody too.
        </p>
      )}
    </div>
  );
}

/** Who leads, in a sentence before the table. */
function Headline({ board }: { board: Leaderboard }) {
  const sentence = boardSentence(board);
  return (
    sentence && (
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 [overflow-wrap:anywhere]">
        <h2 className="text-xl leading-tight font-semibold tracking-tight">{sentence.title}</h2>
        <p className="text-ink-2">{sentence.text}</p>
      </div>
    )
  );
}

/** Shown in place of the page if no table could be loaded. */
function LoadError({ error, category }: { error: Error; category: string }) {
  const problem = asApiError(error);
  const retry = useRetryFailed();
  const navigate = useNavigate();
  return (
    <EmptyPage title={problem.message} text={problem.detail ?? "Try again in a moment."}>
      <Button variant="primary" onClick={retry}>
        Try again
      </Button>
      {category !== "overall" && (
        <Button onClick={() => navigate({ to: "/leaderboard/$category", params: { category: "overall" } })}>
          Show all votes
        </Button>
      )}
    </EmptyPage>
  );
}
