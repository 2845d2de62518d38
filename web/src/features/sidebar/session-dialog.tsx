/** What opens from a session's menu. */
import type { SessionCard } from "@/api/types";
import { lazyPart } from "@/components/lazy-part";
import { ExportDialog } from "@/features/sidebar/export-dialog";
import { TagDialog } from "@/features/sidebar/tag-dialog";

const DIALOGS = {
  tags: TagDialog,
  export: ExportDialog,
  share: lazyPart(() => import("@/features/accounts/share-dialog").then((part) => part.ShareDialog)),
};

interface SessionDialogProps {
  about: "tags" | "export" | "share";
  session: SessionCard;
  onClose: () => void;
}

export function SessionDialog({ about, session, onClose }: SessionDialogProps) {
  const Shown = DIALOGS[about];
  return <Shown sessions={[session]} onClose={onClose} />;
}
