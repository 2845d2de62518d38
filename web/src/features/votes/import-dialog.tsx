/** Votes from a file: chosen or dropped, with its progress and what came of it. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { FilePicker } from "@/features/votes/file-picker";
import { ImportEnd } from "@/features/votes/import-end";
import { ImportProgress } from "@/features/votes/import-progress";
import { mayCancel } from "@/features/votes/import-state";
import { useImport } from "@/features/votes/import-store";
import { STRINGS } from "@/features/votes/strings";
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
    if (state.step === "done") announce(STRINGS.imported(counted(state.report.imported, "vote")));
    if (state.step === "failed") announce(state.title);
  }, [state]);
  return (
    // Closed while it runs, it goes on: the tray of jobs shows it.
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={STRINGS.importVotes}
      titled
      className="overflow-y-auto"
    >
      <div className="flex flex-col gap-3.5 px-5 pt-2 pb-5">
        {state.step === "choosing" && (
          <FilePicker onFile={(file, skipBad) => void start(client, file, skipBad)} />
        )}
        {(state.step === "sending" || state.step === "running") && (
          <ImportProgress state={state} onCancel={mayCancel(state) ? cancel : null} onHide={onClose} />
        )}
        {(state.step === "done" || state.step === "failed") && (
          <ImportEnd
            state={state}
            onSkipBad={() => start(client, state.file, true)}
            onRetry={() => start(client, state.file, false)}
            onAgain={again}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  );
}
