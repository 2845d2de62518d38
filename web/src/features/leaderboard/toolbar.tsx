/** Everything that chooses what the leaderboard shows. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Search, Users } from "lucide-react";
import { useRef } from "react";
import { flaggedVotersQuery } from "@/api/standings";
import type { Leaderboard } from "@/api/standings-types";
import { useWidth } from "@/components/charts/use-width";
import type { BoardSearch, View } from "@/features/leaderboard/board-search";
import { CategorySwitch } from "@/features/leaderboard/category-switch";
import { Filters } from "@/features/leaderboard/filters";
import { MethodSwitch } from "@/features/leaderboard/method-switch";
import { STRINGS } from "@/features/leaderboard/strings";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Segmented } from "@/ui/segmented";

/** How many categories have space beside the other things. */
const spaceIn = (width: number) => (width >= 1280 ? 5 : width >= 640 ? 4 : 2);

const VIEWS: { value: View; label: string }[] = [
  { value: "table", label: STRINGS.table },
  { value: "confidence", label: STRINGS.confidence },
  { value: "win-rates", label: STRINGS.winRates },
  { value: "history", label: STRINGS.history },
];

interface ToolbarProps {
  board: Leaderboard;
  category: string;
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

export function Toolbar({ board, category, search, onChange }: ToolbarProps) {
  const field = useRef<HTMLInputElement>(null);
  const [bar, width] = useWidth();
  const view = search.view ?? "table";
  const byLine = view === "table" || view === "confidence";
  // Only whoever runs the server may see the voters.
  const { isSuccess: mayManage } = useQuery(flaggedVotersQuery);
  useHotkeys({ "/": () => field.current?.focus() }, (event) => !typing(event.target) && !overlayOpen());
  return (
    <div ref={bar} className="flex flex-wrap items-center gap-2.5">
      <Segmented
        label={STRINGS.view}
        value={view}
        options={VIEWS}
        onChange={(next) => onChange({ view: next === "table" ? undefined : next })}
        className="max-sm:w-full max-sm:*:flex-1 max-sm:*:justify-center max-sm:*:px-1"
      />
      <CategorySwitch
        categories={board.categories}
        current={category}
        search={search}
        space={spaceIn(width)}
      />
      <span className="flex-1 max-sm:hidden" />
      {byLine && (
        <>
          <Field
            ref={field}
            type="search"
            aria-label={STRINGS.searchModels}
            placeholder={STRINGS.searchShort}
            icon={<Search />}
            className="max-w-44 min-w-0 grow-[99] basis-28 max-sm:order-last max-sm:max-w-none max-sm:basis-1/2"
            value={search.search ?? ""}
            onChange={(event) => onChange({ search: event.target.value || undefined })}
          />
          <Filters lines={board.lines} search={search} onChange={onChange} className="max-sm:order-last" />
        </>
      )}
      {view !== "win-rates" && (
        <MethodSwitch
          value={search.method ?? "bradley-terry"}
          onChange={(method) => onChange({ method: method === "bradley-terry" ? undefined : method })}
        />
      )}
      {mayManage && (
        <Button asChild size="icon" className="max-sm:order-last">
          <Link
            to="/leaderboard/voters"
            aria-label={STRINGS.votersAndVotes}
            title={STRINGS.votersAndVotesHint}
          >
            <Users aria-hidden="true" />
          </Link>
        </Button>
      )}
    </div>
  );
}
