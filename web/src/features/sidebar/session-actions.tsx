/** What can be done with a session, in its menu. */

import {
  Archive,
  ArchiveRestore,
  Download,
  ListChecks,
  Pencil,
  Pin,
  PinOff,
  Tag,
  Trash2,
} from "lucide-react";
import type { SessionCard } from "@/api/types";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { useSessionActions } from "@/features/sidebar/use-session-actions";
import { MenuItem } from "@/ui/menu";

interface SessionActionsProps {
  session: SessionCard;
  onRename: () => void;
  onDialog: (about: "tags" | "export") => void;
  onSelect: (session: SessionCard) => void;
}

export function SessionActions({ session, onRename, onDialog, onSelect }: SessionActionsProps) {
  const { pin, archive, remove } = useSessionActions(session);
  return (
    <>
      <MenuItem onSelect={onRename}>
        <Pencil aria-hidden="true" />
        {LAZY_STRINGS.rename}
      </MenuItem>
      <MenuItem onSelect={pin}>
        {session.pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        {session.pinned ? LAZY_STRINGS.unpin : LAZY_STRINGS.pin}
      </MenuItem>
      <MenuItem onSelect={() => onDialog("tags")}>
        <Tag aria-hidden="true" />
        {LAZY_STRINGS.editTags}
      </MenuItem>
      <MenuItem onSelect={() => onDialog("export")}>
        <Download aria-hidden="true" />
        {LAZY_STRINGS.export}
      </MenuItem>
      <MenuItem onSelect={() => onSelect(session)}>
        <ListChecks aria-hidden="true" />
        {LAZY_STRINGS.select}
      </MenuItem>
      <MenuItem onSelect={archive}>
        {session.archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {session.archived ? LAZY_STRINGS.unarchive : LAZY_STRINGS.archive}
      </MenuItem>
      <MenuItem onSelect={remove} className="text-bad!">
        <Trash2 aria-hidden="true" />
        {LAZY_STRINGS.delete}
      </MenuItem>
    </>
  );
}
