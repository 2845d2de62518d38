/** Votes from a file: chosen or dropped, with its progress and what came of it. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { FilePicker } from "@/features/votes/file-picker";
import { ImportList } from "@/features/votes/import-list";
import { ImportPreview } from "@/features/votes/import-preview";
import { ImportProgress } from "@/features/votes/import-progress";
import { ImportResult } from "@/features/votes/import-result";
import { mayCancel } from "@/features/votes/import-state";
import { useImport } from "@/features/votes/import-store";
import { counted } from "@/lib/format";
import { announce } from "@/lib/toast-store";
import { Dialog } from "@/ui/dialog";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { state, start, cancel, again, setShown } = useImport();
  const client = useQueryClient();
  useEffect(() => {
    setShown(true);
    return () => setShown(false);
  }, [setShown]);
  useEffect(() => {
    if (state.step === "done") announce(`${counted(state.report.imported, "vote")} imported`);
    if (state.step === "failed") announce(state.title);
  }, [state]);
  return (
    // Closed while it runs, it goes on: the tray of jobs shows it.
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import votes"
      titled
      className="overflow-y-auto"
    >
      <div className="flex flex-col gap-3.5 px-5 pt-2 pb-5">
        {state.step === "choosing" && (
          <>
            <FilePicker onFile={(file) => void start(client, file, { preview: true, skipBad: false })} />
            <ImportList />
          </>
        )}
        {(state.step === "sending" || state.step === "running") && (
          <ImportProgress state={state} onCancel={mayCancel(state) ? cancel : null} onHide={onClose} />
        )}
        {state.step === "preview" && (
          <ImportPreview
            state={state}
            onImport={() => void start(client, state.file, { preview: false, skipBad: state.report.bad > 0 })}
            onCancel={again}
          />
        )}
        {(state.step === "done" || state.step === "failed") && (
          <ImportResult
            state={state}
            onSkipBad={() => start(client, state.file, { preview: false, skipBad: true })}
            onRetry={() => start(client, state.file, { preview: true, skipBad: false })}
            onAgain={again}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  );
}
