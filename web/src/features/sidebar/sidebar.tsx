/** New, search, the sessions, and the few things below them. */
import { Link } from "@tanstack/react-router";
import { BarChart3, Boxes, ListChecks, PanelLeft, Plus, Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Logo } from "@/components/logo";
import { SessionList } from "@/features/sidebar/session-list";
import { ThemeSwitch } from "@/features/sidebar/theme-switch";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Kbd } from "@/ui/kbd";

const VIEW = "w-full data-[status=active]:bg-raised data-[status=active]:text-ink";
const ANY_SEARCH = { includeSearch: false };

interface SidebarProps {
  onNew: () => void;
  onCollapse: () => void;
  onShortcuts: () => void;
}

export function Sidebar({ onNew, onCollapse, onShortcuts }: SidebarProps) {
  const [search, setSearch] = useState("");
  const [archived, setArchived] = useState(false);
  const wanted = useDeferredValue(search);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2.5 p-3 pb-2">
        <div className="flex h-8 items-center justify-between pl-1.5">
          <Link
            to="/"
            search={{}}
            className="flex items-center gap-2 rounded-sm font-semibold tracking-tight"
          >
            <Logo />
            Parley
          </Link>
          <IconButton label="Close the sidebar" size="icon-sm" onClick={onCollapse}>
            <PanelLeft />
          </IconButton>
        </div>
        <Button className="w-full" onClick={onNew}>
          <Plus aria-hidden="true" className="-ml-0.5" />
          New
          <Kbd yields="n" className="ml-auto">
            N
          </Kbd>
        </Button>
        <Field
          type="search"
          aria-label="Search sessions"
          placeholder={archived ? "Search the archive…" : "Search titles and questions…"}
          icon={<Search />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <SessionList search={wanted.trim()} archived={archived} onArchived={setArchived} />
      <nav aria-label="Views" className="flex flex-col gap-0.5 border-t border-line p-2 pb-0">
        <Button asChild variant="quiet" className={VIEW}>
          <Link to="/leaderboard/$category" params={{ category: "overall" }} activeOptions={ANY_SEARCH}>
            <BarChart3 aria-hidden="true" />
            Leaderboard
          </Link>
        </Button>
        <Button asChild variant="quiet" className={VIEW}>
          <Link to="/votes" activeOptions={ANY_SEARCH}>
            <ListChecks aria-hidden="true" />
            My votes
          </Link>
        </Button>
        <Button asChild variant="quiet" className={VIEW}>
          <Link to="/models">
            <Boxes aria-hidden="true" />
            Models
          </Link>
        </Button>
      </nav>
      <div className="flex items-center gap-1 p-2">
        <span className="flex-1" />
        <ThemeSwitch />
        <IconButton label="Keyboard shortcuts" side="top" onClick={onShortcuts}>
          <span aria-hidden="true" className="font-mono text-sm">
            ?
          </span>
        </IconButton>
      </div>
    </div>
  );
}
