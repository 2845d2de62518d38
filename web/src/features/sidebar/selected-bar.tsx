/** What can be done with the selected sessions. */

import { Archive, ArchiveRestore, Download, Tag, Trash2, X } from "lucide-react";
import type { SessionCard } from "@/api/types";
import { openSessionDialog } from "@/features/sidebar/dialog-store";
import { useChangeMany } from "@/features/sidebar/use-change-many";
import { formatCount } from "@/lib/format";
import { overlayOpen, useHotkeys } from "@/lib/hotkeys";
import { IconButton } from "@/ui/icon-button";

export function SelectedBar({ sessions, onDone }: { sessions: SessionCard[]; onDone: () => void }) {
  const { archive, remove } = useChangeMany(sessions, onDone);
  useHotkeys({ Escape: onDone }, () => !overlayOpen());
  const none = sessions.length === 0;
  const restores = !none && sessions.every((session) => session.archived);
  return (
    <section
      aria-label="Selected sessions"
      className="flex items-center gap-0.5 border-t border-line px-3 py-1.5"
    >
      <span role="status" className="num min-w-0 flex-1 truncate pl-2 text-xs text-ink-2">
        {none ? "None selected" : `${formatCount(sessions.length)} selected`}
      </span>
      <IconButton
        label="Edit tags of selected sessions"
        disabled={none}
        onClick={() => openSessionDialog({ about: "tags", sessions, onClosed: onDone })}
      >
        <Tag />
      </IconButton>
      <IconButton
        label="Export selected sessions"
        disabled={none}
        onClick={() => openSessionDialog({ about: "export", sessions })}
      >
        <Download />
      </IconButton>
      <IconButton
        label={restores ? "Unarchive selected sessions" : "Archive selected sessions"}
        disabled={none}
        onClick={() => archive(!restores)}
      >
        {restores ? <ArchiveRestore /> : <Archive />}
      </IconButton>
      <IconButton label="Delete selected sessions" disabled={none} onClick={remove}>
        <Trash2 />
      </IconButton>
      <IconButton label="Stop selecting" onClick={onDone}>
        <X />
      </IconButton>
    </section>
  );
}
