/** What opens from a session's menu. */
import type { SessionCard } from "@/api/types";
import { ExportDialog } from "@/features/sidebar/export-dialog";
import { TagDialog } from "@/features/sidebar/tag-dialog";

interface SessionDialogProps {
  about: "tags" | "export";
  session: SessionCard;
  onClose: () => void;
}

export function SessionDialog({ about, session, onClose }: SessionDialogProps) {
  const Shown = about === "tags" ? TagDialog : ExportDialog;
  return <Shown sessions={[session]} onClose={onClose} />;
}
