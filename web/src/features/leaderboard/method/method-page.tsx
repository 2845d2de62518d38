/** How the leaderboard works, in plain words with the formulas. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMayManage } from "@/api/permissions";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import { Column } from "@/components/column";
import { Markdown } from "@/components/markdown/markdown";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { CategoryList } from "@/features/leaderboard/method/category-list";
import { SECTIONS } from "@/features/leaderboard/method/text";
import { WorkerState } from "@/features/leaderboard/method/worker-state";
import { useLiveStandings } from "@/features/standings/use-live-standings";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

const HOW_THE_LEADERBOARD_WORKS = "How the leaderboard works";

export function MethodPage() {
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const mayManage = useMayManage();
  useLiveStandings();
  useTitle(HOW_THE_LEADERBOARD_WORKS);
  return (
    <>
      <PageHeader>
        <h1 className="text-base leading-tight font-semibold">{HOW_THE_LEADERBOARD_WORKS}</h1>
        <span className="flex-1" />
        {mayManage && (
          <Button asChild variant="quiet" className="max-sm:hidden">
            <Link to="/leaderboard/voters">Voters</Link>
          </Button>
        )}
        <Button asChild variant="quiet">
          <Link to="/leaderboard/$category" params={{ category: "overall" }}>
            Leaderboard
          </Link>
        </Button>
      </PageHeader>
      <div
        role="group"
        aria-label="Method"
        tabIndex={0}
        data-scroll-area
        className="focus-inset min-h-0 flex-1 overflow-y-auto"
      >
        <Column className="flex flex-col gap-3.5 py-3 sm:py-5">
          {board && <WorkerState board={board} />}
          {SECTIONS.map((section) => (
            <Panel key={section.title} title={section.title}>
              <Markdown text={section.text} />
              {section.title === "Categories" && board && <CategoryList categories={board.categories} />}
            </Panel>
          ))}
        </Column>
      </div>
    </>
  );
}
