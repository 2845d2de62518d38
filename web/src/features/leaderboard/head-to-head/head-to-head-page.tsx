/** Two models against each other. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { boardQuery, DEFAULT_BOARD, headToHeadQuery } from "@/api/standings";
import type { HeadToHead } from "@/api/standings-types";
import { Column } from "@/components/column";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { ByCategory } from "@/features/leaderboard/head-to-head/by-category";
import { BySide } from "@/features/leaderboard/head-to-head/by-side";
import { Histories } from "@/features/leaderboard/head-to-head/histories";
import { Result } from "@/features/leaderboard/head-to-head/result";
import { DecisionLine } from "@/features/standings/decision-line";
import { LiveChip } from "@/features/standings/live-chip";
import { PageProblem } from "@/features/standings/page-problem";
import { RecentBattles } from "@/features/standings/recent-battles";
import { useLiveStandings } from "@/features/standings/use-live-standings";
import { PAIR_COLORS } from "@/lib/pair-colors";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";

export function HeadToHeadPage() {
  const { a, b } = useParams({ from: "/head-to-head/$a/$b" });
  const { data, error } = useQuery(headToHeadQuery(a, b));
  const live = useLiveStandings();
  useTitle(data ? `${data.left_model.name} vs. ${data.right_model.name}` : "Head-to-head");
  if (error && !data) {
    return (
      <PageProblem error={error}>
        <Button asChild>
          <Link to="/leaderboard/$category" params={{ category: "overall" }}>
            Leaderboard
          </Link>
        </Button>
      </PageProblem>
    );
  }
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Head-to-head</h1>
        <LiveChip state={live} at={null} pending={0} />
        <span className="flex-1" />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column wide className="flex flex-col gap-3.5 py-3 sm:py-5">
          <Pickers a={a} b={b} known={data} />
          {data ? <Loaded data={data} /> : <Skeleton className="h-80 w-full rounded-lg" />}
        </Column>
      </div>
    </>
  );
}

function Pickers({ a, b, known }: { a: string; b: string; known: HeadToHead | undefined }) {
  const { data: board } = useQuery(boardQuery({ ...DEFAULT_BOARD, minVotes: 1 }));
  const navigate = useNavigate();
  const go = (next: { a: string; b: string }) =>
    navigate({ to: "/head-to-head/$a/$b", params: next, replace: true });
  const cards = new Map(board?.lines.map((line) => [line.model.id, line.model]));
  for (const card of known ? [known.left_model, known.right_model] : []) cards.set(card.id, card);
  const options = (except: string) =>
    [...cards.values()]
      .filter((card) => card.id !== except)
      .map((card) => ({ value: card.id, label: card.name }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2">
      <Select aria-label="First model" value={a} options={options(b)} onChange={(id) => go({ a: id, b })} />
      <IconButton label="Swap models" onClick={() => go({ a: b, b: a })}>
        <ArrowLeftRight />
      </IconButton>
      <Select aria-label="Second model" value={b} options={options(a)} onChange={(id) => go({ a, b: id })} />
    </div>
  );
}

function Loaded({ data }: { data: HeadToHead }) {
  const nameOf = (id: string) => (id === data.left_model.id ? data.left_model.name : data.right_model.name);
  return (
    <>
      <Result data={data} />
      <div className="grid gap-3.5 md:grid-cols-2">
        <Panel title="Is the result clear?">
          <p className="text-ink-2">
            {data.decision ? (
              <DecisionLine decision={data.decision} nameOf={nameOf} />
            ) : (
              "Not yet. One of the models has no votes."
            )}
          </p>
        </Panel>
        {data.overall.votes > 0 && <BySide data={data} />}
      </div>
      {data.categories.length > 0 && <ByCategory data={data} />}
      <Histories data={data} />
      <Panel title="Latest votes" flush>
        <RecentBattles
          battles={data.recent}
          pair={{
            left: { name: data.left_model.name, color: PAIR_COLORS.left },
            right: { name: data.right_model.name, color: PAIR_COLORS.right },
          }}
        />
      </Panel>
    </>
  );
}
