/** One session: a link, renamed in place, with a menu. */
import { Link, useMatchRoute } from "@tanstack/react-router";
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { memo, useRef, useState } from "react";
import type { SessionCard } from "@/api/types";
import { useFeature } from "@/features/arena/mode-feature";
import { useSessionActions } from "@/features/sidebar/use-session-actions";
import { cn } from "@/lib/cn";
import { exactTime } from "@/lib/time";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/ui/menu";

export const SessionItem = memo(function SessionItem({ session }: { session: SessionCard }) {
  const Icon = useFeature(session.mode).icon;
  const open = Boolean(useMatchRoute()({ to: "/s/$session", params: { session: session.id } }));
  const { rename, archive, remove } = useSessionActions(session, open);
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
        title={`${session.title}\n${exactTime(session.updated_at)}`}
        onDoubleClick={() => setRenaming(true)}
        className={cn(
          "focus-inset flex h-8 items-center gap-2.5 rounded-sm px-2 text-ink-2 pointer-coarse:pr-8 group-focus-within:pr-8 group-hover:bg-raised group-hover:pr-8 group-hover:text-ink",
          open && "bg-raised text-ink",
        )}
      >
        <Icon aria-hidden="true" className="size-[14px] shrink-0 text-ink-3" />
        <span className="truncate">{session.title}</span>
      </Link>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <button
            type="button"
            aria-label={`More for ${session.title}`}
            className="focus-inset absolute top-0.5 right-0.5 flex size-7 items-center justify-center rounded-sm text-ink-3 opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis aria-hidden="true" className="size-4" />
          </button>
        </MenuTrigger>
        <MenuContent align="start" onCloseAutoFocus={(event) => renaming && event.preventDefault()}>
          <MenuItem onSelect={() => setTimeout(() => setRenaming(true), 0)}>
            <Pencil aria-hidden="true" />
            Rename
          </MenuItem>
          <MenuItem onSelect={archive}>
            {session.archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
            {session.archived ? "Take out of the archive" : "Archive"}
          </MenuItem>
          <MenuItem onSelect={remove} className="text-bad!">
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
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
      aria-label="Title"
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
