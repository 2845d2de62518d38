/** Votes from a file: chosen or dropped, with its progress and what came of it. */
import { useEffect } from "react";
import { FilePicker } from "@/features/votes/file-picker";
import { ImportEnd } from "@/features/votes/import-end";
import { ImportProgress } from "@/features/votes/import-progress";
import { mayCancel } from "@/features/votes/import-state";
import { useImport } from "@/features/votes/use-import";
import { announce } from "@/lib/toast-store";
import { Dialog } from "@/ui/dialog";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { state, start, cancel, again } = useImport();
  const busy = state.step === "sending" || state.step === "running";
  useEffect(() => {
    if (state.step === "done") announce(`Imported ${state.report.imported} votes.`);
    if (state.step === "failed") announce(state.title);
  }, [state]);
  return (
    <Dialog
      open
      // While it runs, only its own buttons end it: a click beside the dialog must not take an import back.
      onOpenChange={(open) => !open && !busy && onClose()}
      title="Import votes"
      titled
      className="overflow-y-auto"
    >
      <div className="flex flex-col gap-3.5 px-5 pt-2 pb-5">
        {state.step === "choosing" && <FilePicker onFile={start} />}
        {busy && (
          <ImportProgress state={state} onCancel={mayCancel(state) ? cancel : null} onHide={onClose} />
        )}
        {(state.step === "done" || state.step === "failed") && (
          <ImportEnd
            state={state}
            onSkipBad={() => start(state.file, true)}
            onRetry={() => start(state.file, false)}
            onAgain={again}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  );
}
