/** New, the views, the sessions with their search and filter, and the account. */

import { Link } from "@tanstack/react-router";
import { PanelLeft, Plus, Search } from "lucide-react";
import { useCallback, useDeferredValue, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { SEARCH_CHARS } from "@/api/queries";
import type { SessionCard } from "@/api/types";
import { lazyPart } from "@/components/lazy-part";
import { Logo } from "@/components/logo";
import { AccountMenu } from "@/features/sidebar/account-menu";
import { ListFilter } from "@/features/sidebar/list-filter";
import { SessionList } from "@/features/sidebar/session-list";
import { Views } from "@/features/sidebar/views";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Kbd } from "@/ui/kbd";

const SelectedBar = lazyPart(() =>
  import("@/features/sidebar/sidebar-chunk").then(({ PARTS }) => PARTS.SelectedBar),
);

export interface SidebarProps {
  onNew: () => void;
  onCollapse: () => void;
  onShortcuts: () => void;
}

export function Sidebar({ onNew, onCollapse, onShortcuts }: SidebarProps) {
  const [search, setSearch] = useState("");
  const [archived, setArchived] = useState(false);
  const [mode, setMode] = useState<string | null>(null);
  const [tag, setTag] = useState<string | null>(null);
  const [selection, setSelection] = useState<ReadonlyMap<string, SessionCard> | null>(null);
  const toggle = useCallback(
    (session: SessionCard) =>
      setSelection((before) => {
        const after = new Map(before);
        if (!after.delete(session.id)) after.set(session.id, session);
        return after;
      }),
    [],
  );
  const wanted = useDeferredValue(search);
  const root = useRef<HTMLDivElement>(null);
  const stopSelecting = useCallback(() => {
    const focused = document.activeElement;
    const place = focused?.closest("nav li") ?? root.current;
    flushSync(() => setSelection(null));
    if (!focused?.isConnected) place?.querySelector<HTMLElement>("li a")?.focus();
  }, []);
  return (
    <div ref={root} className="flex h-full flex-col">
      <div className="flex flex-col gap-2.5 p-3">
        <div className="flex h-8 items-center justify-between pl-1.5">
          <Link
            to="/"
            search={{}}
            className="flex items-center gap-2 rounded-sm font-semibold tracking-tight"
          >
            <Logo />
            Parley
          </Link>
          <IconButton label="Close sidebar" size="icon-sm" onClick={onCollapse}>
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
        <Views />
      </div>
      <div className="flex items-center gap-1.5 border-t border-line px-3 pt-3 pb-1">
        <Field
          type="search"
          aria-label="Search sessions"
          placeholder={archived ? "Search archived…" : "Search sessions…"}
          icon={<Search />}
          value={search}
          maxLength={SEARCH_CHARS}
          className="min-w-0 flex-1"
          onChange={(event) => setSearch(event.target.value)}
        />
        <ListFilter
          mode={mode}
          onMode={setMode}
          tag={tag}
          onTag={setTag}
          onSelect={() => setSelection(new Map())}
        />
      </div>
      <SessionList
        search={wanted.trim()}
        archived={archived}
        mode={mode}
        tag={tag}
        onArchived={setArchived}
        selection={selection}
        onSelect={toggle}
      />
      {selection && <SelectedBar sessions={[...selection.values()]} onDone={stopSelecting} />}
      <div className="border-t border-line p-2">
        <AccountMenu onShortcuts={onShortcuts} />
      </div>
    </div>
  );
}
