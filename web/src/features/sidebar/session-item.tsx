/** One session: a link with a menu, renamed in place; a box to tick while several are selected. */

import { Link, useMatchRoute } from "@tanstack/react-router";
import { Ellipsis, Lock } from "lucide-react";
import { memo, useState } from "react";
import { useMayWrite } from "@/api/permissions";
import type { SessionCard } from "@/api/types";
import { lazyExtra, lazyPart } from "@/components/lazy-part";
import { useFeature } from "@/features/arena/mode-feature";
import { isSessionDialogOpen, openSessionDialog } from "@/features/sidebar/dialog-store";
import { useFocusHandoff } from "@/features/sidebar/use-focus-handoff";
import { cn } from "@/lib/cn";
import { exactTime } from "@/lib/time";
import { Menu, MenuContent, MenuTrigger } from "@/ui/menu";
import { Skeleton } from "@/ui/skeleton";

const load = () => import("@/features/sidebar/sidebar-chunk");
const SessionActions = lazyPart(
  () => load().then(({ PARTS }) => PARTS.SessionActions),
  <Skeleton className="m-1 h-56 w-44" />,
);
const RenameField = lazyPart(() => load().then(({ PARTS }) => PARTS.RenameField));
const SelectedItem = lazyPart(() => load().then(({ PARTS }) => PARTS.SelectedItem));
const SessionDetails = lazyExtra(() => load().then(({ PARTS }) => PARTS.SessionDetails));

interface SessionItemProps {
  session: SessionCard;
  search: string;
  /** Undefined unless sessions are being selected. */
  selected: boolean | undefined;
  onSelect: (session: SessionCard) => void;
}

export const SessionItem = memo(function SessionItem({
  session,
  search,
  selected,
  onSelect,
}: SessionItemProps) {
  const feature = useFeature(session.mode);
  const Icon = session.sealed ? Lock : feature.icon;
  const open = Boolean(useMatchRoute()({ to: "/s/$session", params: { session: session.id } }));
  const [renaming, setRenaming] = useState(false);
  const { item, leave, stay } = useFocusHandoff();
  const mayWrite = useMayWrite();
  if (selected !== undefined || renaming) {
    return (
      <li ref={item}>
        {selected !== undefined ? (
          <SelectedItem session={session} selected={selected} onSelect={onSelect} />
        ) : (
          <RenameField session={session} onDone={() => setRenaming(false)} />
        )}
      </li>
    );
  }
  return (
    <li ref={item} onFocus={stay} className="group relative">
      <Link
        to="/s/$session"
        params={{ session: session.id }}
        search={{}}
        {...(session.excerpt_turn_id && { hash: session.excerpt_turn_id })}
        {...(search !== "" && { state: { found: search } })}
        title={`${session.title}\n${exactTime(session.updated_at)}`}
        onDoubleClick={() => mayWrite && setRenaming(true)}
        className={cn(
          "focus-inset flex min-h-8 touch:min-h-11 items-center gap-2.5 rounded-sm px-2 text-ink-2 touch:pr-11 group-focus-within:pr-8 group-hover:bg-raised group-hover:pr-8 group-hover:text-ink",
          open && "bg-raised text-ink",
        )}
      >
        <Icon
          aria-hidden="true"
          className={cn("size-[14px] shrink-0 text-ink-3", session.void && "opacity-60")}
        />
        <span className="min-w-0 flex-1">
          <span className={cn("block truncate", session.void && "text-ink-3")}>{session.title}</span>
          {(session.excerpt || session.tags.length > 0) && (
            <SessionDetails session={session} search={search} />
          )}
        </span>
        {session.void && (
          <span
            title="Void: a model couldn’t answer"
            className="shrink-0 text-2xs text-ink-3 group-hover:hidden pointer-coarse:inline!"
          >
            <span className="sr-only">, </span>void
          </span>
        )}
        {session.unvoted && mayWrite && (
          <span title="Not voted yet" className="shrink-0 group-hover:hidden pointer-coarse:inline!">
            <i aria-hidden="true" className="block size-2 rounded-full border-[1.5px] border-gold" />
            <span className="sr-only">, not voted yet</span>
          </span>
        )}
      </Link>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <button
            type="button"
            aria-label={`More actions for ${session.title}`}
            className="focus-inset absolute top-0.5 right-0.5 flex size-7 touch:top-0 touch:size-11 items-center justify-center rounded-sm text-ink-3 opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis aria-hidden="true" className="size-4" />
          </button>
        </MenuTrigger>
        <MenuContent
          align="start"
          onClick={leave}
          onCloseAutoFocus={(event) => isSessionDialogOpen() && event.preventDefault()}
        >
          <SessionActions
            session={session}
            onRename={() => setTimeout(() => setRenaming(true), 0)}
            onDialog={(about) => openSessionDialog({ about, sessions: [session] })}
            onSelect={onSelect}
          />
        </MenuContent>
      </Menu>
    </li>
  );
});
