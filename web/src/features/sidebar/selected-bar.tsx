/** What can be done with the selected sessions. */

import { Archive, ArchiveRestore, Tag, Trash2, X } from "lucide-react";
import { useState } from "react";
import type { SessionCard } from "@/api/types";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { TagDialog } from "@/features/sidebar/tag-dialog";
import { useChangeMany } from "@/features/sidebar/use-change-many";
import { counted } from "@/lib/format";
import { IconButton } from "@/ui/icon-button";

export function SelectedBar({ sessions, onDone }: { sessions: SessionCard[]; onDone: () => void }) {
  const [tagging, setTagging] = useState(false);
  const { archive, remove } = useChangeMany(sessions, onDone);
  const none = sessions.length === 0;
  const restores = !none && sessions.every((session) => session.archived);
  return (
    <section
      aria-label={LAZY_STRINGS.selection}
      className="flex items-center gap-0.5 border-t border-line px-3 py-1.5"
    >
      <span role="status" className="num min-w-0 flex-1 truncate pl-2 text-xs text-ink-2">
        {none ? LAZY_STRINGS.selectSome : LAZY_STRINGS.selected(counted(sessions.length, "session"))}
      </span>
      <IconButton label={LAZY_STRINGS.tagSelected} disabled={none} onClick={() => setTagging(true)}>
        <Tag />
      </IconButton>
      <IconButton
        label={restores ? LAZY_STRINGS.unarchiveSelected : LAZY_STRINGS.archiveSelected}
        disabled={none}
        onClick={() => archive(!restores)}
      >
        {restores ? <ArchiveRestore /> : <Archive />}
      </IconButton>
      <IconButton label={LAZY_STRINGS.deleteSelected} disabled={none} onClick={remove}>
        <Trash2 />
      </IconButton>
      <IconButton label={LAZY_STRINGS.stopSelecting} onClick={onDone}>
        <X />
      </IconButton>
      {tagging && <TagDialog sessions={sessions} onClose={onDone} />}
    </section>
  );
}
