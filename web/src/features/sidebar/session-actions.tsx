/** What can be done with a session, in its menu. */

import { Archive, ArchiveRestore, Download, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import type { SessionCard } from "@/api/types";
import { useExport } from "@/features/arena/use-export";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { MenuItem } from "@/ui/menu";

interface SessionActionsProps {
  session: SessionCard;
  onRename: () => void;
  onPin: () => void;
  onArchive: () => void;
  onRemove: () => void;
}

export function SessionActions({ session, onRename, onPin, onArchive, onRemove }: SessionActionsProps) {
  const save = useExport();
  return (
    <>
      <MenuItem onSelect={onRename}>
        <Pencil aria-hidden="true" />
        {LAZY_STRINGS.rename}
      </MenuItem>
      <MenuItem onSelect={onPin}>
        {session.pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        {session.pinned ? LAZY_STRINGS.unpin : LAZY_STRINGS.pin}
      </MenuItem>
      <MenuItem onSelect={() => save(session.id)}>
        <Download aria-hidden="true" />
        {LAZY_STRINGS.exportSession}
      </MenuItem>
      <MenuItem onSelect={onArchive}>
        {session.archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {session.archived ? LAZY_STRINGS.unarchive : LAZY_STRINGS.archive}
      </MenuItem>
      <MenuItem onSelect={onRemove} className="text-bad!">
        <Trash2 aria-hidden="true" />
        {LAZY_STRINGS.delete}
      </MenuItem>
    </>
  );
}
