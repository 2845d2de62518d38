/** What can be done with a session, in its menu. */

import { useQuery } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  Download,
  ListChecks,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Tag,
  Trash2,
} from "lucide-react";
import { useMayWrite } from "@/api/permissions";
import { aboutQuery } from "@/api/queries";
import type { SessionCard } from "@/api/types";
import { useSessionActions } from "@/features/sidebar/use-session-actions";
import { MenuItem } from "@/ui/menu";

interface SessionActionsProps {
  session: SessionCard;
  onRename: () => void;
  onDialog: (about: "tags" | "export" | "share") => void;
  onSelect: (session: SessionCard) => void;
}

export function SessionActions({ session, onRename, onDialog, onSelect }: SessionActionsProps) {
  const { pin, archive, remove } = useSessionActions(session);
  const { data: about } = useQuery(aboutQuery);
  const mayWrite = useMayWrite();
  const exporting = (
    <MenuItem onSelect={() => onDialog("export")}>
      <Download aria-hidden="true" />
      Export
    </MenuItem>
  );
  if (!mayWrite) return exporting;
  return (
    <>
      <MenuItem onSelect={onRename}>
        <Pencil aria-hidden="true" />
        Rename
      </MenuItem>
      <MenuItem onSelect={pin}>
        {session.pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        {session.pinned ? "Unpin" : "Pin"}
      </MenuItem>
      <MenuItem onSelect={() => onDialog("tags")}>
        <Tag aria-hidden="true" />
        Edit tags
      </MenuItem>
      {about?.mode === "shared" && (
        <MenuItem onSelect={() => onDialog("share")}>
          <Share2 aria-hidden="true" />
          Share
        </MenuItem>
      )}
      {exporting}
      <MenuItem onSelect={() => onSelect(session)}>
        <ListChecks aria-hidden="true" />
        Select
      </MenuItem>
      <MenuItem onSelect={archive}>
        {session.archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {session.archived ? "Unarchive" : "Archive"}
      </MenuItem>
      <MenuItem onSelect={remove} className="text-bad!">
        <Trash2 aria-hidden="true" />
        Delete
      </MenuItem>
    </>
  );
}
