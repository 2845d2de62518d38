/** What opens from the menu of a session, or of several that are selected. */
import { lazyPart } from "@/components/lazy-part";
import { closeSessionDialog, type OpenDialog } from "@/features/sidebar/dialog-store";
import { ExportDialog } from "@/features/sidebar/export-dialog";
import { TagDialog } from "@/features/sidebar/tag-dialog";

const DIALOGS = {
  tags: TagDialog,
  export: ExportDialog,
  share: lazyPart(() => import("@/features/accounts/share-dialog").then((part) => part.ShareDialog)),
};

export function SessionDialog({ about, sessions }: OpenDialog) {
  const Shown = DIALOGS[about];
  return <Shown sessions={sessions} onClose={closeSessionDialog} />;
}
