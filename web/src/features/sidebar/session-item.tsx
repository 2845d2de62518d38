/** One session: a link, renamed in place, with a menu. */

import { Link, useMatchRoute } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { memo, useRef, useState } from "react";
import type { SessionCard } from "@/api/types";
import { lazyPart } from "@/components/lazy-part";
import { useFeature } from "@/features/arena/mode-feature";
import { Excerpt } from "@/features/sidebar/excerpt";
import { STRINGS } from "@/features/sidebar/strings";
import { useSessionActions } from "@/features/sidebar/use-session-actions";
import { cn } from "@/lib/cn";
import { exactTime } from "@/lib/time";
import { Menu, MenuContent, MenuTrigger } from "@/ui/menu";
import { Skeleton } from "@/ui/skeleton";

const SessionActions = lazyPart(
  () => import("@/features/sidebar/session-actions").then((part) => part.SessionActions),
  <Skeleton className="m-1 h-40 w-44" />,
);

interface SessionItemProps {
  session: SessionCard;
  search: string;
}

export const SessionItem = memo(function SessionItem({ session, search }: SessionItemProps) {
  const Icon = useFeature(session.mode).icon;
  const open = Boolean(useMatchRoute()({ to: "/s/$session", params: { session: session.id } }));
  const { rename, pin, archive, remove } = useSessionActions(session, open);
  const [renaming, setRenaming] = useState(false);
  if (renaming) {
    return (
      <li>
        <RenameField
          title={session.title}
          onDone={(title) => {
            setRenaming(false);
            if (title && title !== session.title) rename(title);
          }}
        />
      </li>
    );
  }
  return (
    <li className="group relative">
      <Link
        to="/s/$session"
        params={{ session: session.id }}
        search={{}}
        {...(session.excerpt_turn && { hash: `turn-${session.excerpt_turn}` })}
        title={`${session.title}\n${exactTime(session.updated_at)}`}
        onDoubleClick={() => setRenaming(true)}
        className={cn(
          "focus-inset flex min-h-8 touch:min-h-11 items-center gap-2.5 rounded-sm px-2 text-ink-2 touch:pr-11 group-focus-within:pr-8 group-hover:bg-raised group-hover:pr-8 group-hover:text-ink",
          open && "bg-raised text-ink",
        )}
      >
        <Icon aria-hidden="true" className="size-[14px] shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1">
          <span className="block truncate">{session.title}</span>
          {session.excerpt && <Excerpt text={session.excerpt} search={search} />}
        </span>
        {session.unvoted && (
          <span title={STRINGS.notVoted} className="shrink-0 group-hover:hidden pointer-coarse:inline!">
            <i aria-hidden="true" className="block size-2 rounded-full border-[1.5px] border-gold" />
            <span className="sr-only">{STRINGS.notVotedMark}</span>
          </span>
        )}
      </Link>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <button
            type="button"
            aria-label={STRINGS.actions(session.title)}
            className="focus-inset absolute top-0.5 right-0.5 flex size-7 touch:top-0 touch:size-11 items-center justify-center rounded-sm text-ink-3 opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis aria-hidden="true" className="size-4" />
          </button>
        </MenuTrigger>
        <MenuContent align="start" onCloseAutoFocus={(event) => renaming && event.preventDefault()}>
          <SessionActions
            session={session}
            onRename={() => setTimeout(() => setRenaming(true), 0)}
            onPin={pin}
            onArchive={archive}
            onRemove={remove}
          />
        </MenuContent>
      </Menu>
    </li>
  );
});

function RenameField({ title, onDone }: { title: string; onDone: (title: string | null) => void }) {
  const done = useRef(false);
  const finish = (value: string | null) => {
    if (done.current) return;
    done.current = true;
    onDone(value?.trim() || null);
  };
  return (
    <input
      ref={(input) => {
        if (input && document.activeElement !== input) setTimeout(() => input.select(), 0);
      }}
      aria-label={STRINGS.title}
      defaultValue={title}
      maxLength={200}
      className="focus-inset h-8 w-full rounded-sm border border-accent bg-page px-2 text-base"
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(event.currentTarget.value);
        if (event.key === "Escape") finish(null);
      }}
    />
  );
}
