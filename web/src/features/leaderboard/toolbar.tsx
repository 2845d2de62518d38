/** Everything that chooses what the leaderboard shows, in one line; on a phone most of it is in a sheet. */

import { Link } from "@tanstack/react-router";
import { ChevronDown, Search, Users } from "lucide-react";
import { useRef } from "react";
import { useMayManage } from "@/api/permissions";
import type { Leaderboard } from "@/api/standings-types";
import { SortSelect } from "@/features/leaderboard/board-list";
import type { BoardSearch, View } from "@/features/leaderboard/board-search";
import { CategorySwitch } from "@/features/leaderboard/category-switch";
import { Filters } from "@/features/leaderboard/filters";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { useMedia } from "@/lib/use-media";
import { useTyped } from "@/lib/use-typed";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Menu, MenuChoice, MenuChoices, MenuContent, MenuTrigger } from "@/ui/menu";
import { Segmented } from "@/ui/segmented";
import { tooltip } from "@/ui/tooltip";

const VIEWS: { value: View; label: string }[] = [
  { value: "table", label: "Table" },
  { value: "confidence", label: "Intervals" },
  { value: "win-rates", label: "Win rates" },
  { value: "history", label: "History" },
];

/** The views that need nothing but the table itself. */
const FROM_LINES: ReadonlySet<View> = new Set(["table", "confidence"]);

interface ToolbarProps {
  board: Leaderboard;
  category: string;
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

export function Toolbar({ board, category, search, onChange }: ToolbarProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useTyped(search.search ?? "", (text) => onChange({ search: text || undefined }));
  const wide = useMedia("(min-width: 640px)");
  const view = search.view ?? "table";
  const views = search.votes ? VIEWS.filter((each) => FROM_LINES.has(each.value)) : VIEWS;
  const byLine = FROM_LINES.has(view);
  useHotkeys({ "/": () => field.current?.focus() }, (event) => !typing(event.target) && !overlayOpen());
  const show = (next: View) => onChange({ view: next === "table" ? undefined : next });
  const find = (
    <Field
      ref={field}
      type="search"
      aria-label="Search models"
      placeholder="Search"
      icon={<Search />}
      className="min-w-0 sm:max-w-52 sm:grow sm:basis-28"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
  return (
    <div className="flex items-center gap-2">
      {wide ? (
        <Segmented label="View" value={view} options={views} onChange={show} />
      ) : (
        <ViewMenu view={view} views={views} onChange={show} />
      )}
      <CategorySwitch categories={board.categories} current={category} search={search} />
      {!wide && <span className="flex-1" />}
      {view !== "win-rates" && (
        <Filters
          lines={board.lines}
          search={search}
          byLine={byLine}
          onChange={onChange}
          first={
            <>
              {byLine && find}
              {view === "table" && <SortSelect search={search} onSort={onChange} />}
            </>
          }
          last={<Voters />}
        />
      )}
      {wide && <Voters />}
      {wide && <span className="flex-1" />}
      {wide && byLine && find}
    </div>
  );
}

interface ViewMenuProps {
  view: View;
  views: typeof VIEWS;
  onChange: (view: View) => void;
}

function ViewMenu({ view, views, onChange }: ViewMenuProps) {
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button>
          {VIEWS.find((each) => each.value === view)?.label}
          <ChevronDown aria-hidden="true" className="-mr-1 text-ink-3" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start">
        <MenuChoices value={view} onValueChange={(next) => onChange(next as View)}>
          {views.map((each) => (
            <MenuChoice key={each.value} value={each.value}>
              {each.label}
            </MenuChoice>
          ))}
        </MenuChoices>
      </MenuContent>
    </Menu>
  );
}

/** Only whoever runs the server may see the voters. */
function Voters() {
  const mayManage = useMayManage();
  if (!mayManage) return null;
  return (
    <Button asChild>
      <Link
        to="/leaderboard/voters"
        {...tooltip("Who votes, how evenly and how fast, and how much single voters change")}
      >
        <Users aria-hidden="true" />
        Voters
      </Link>
    </Button>
  );
}
